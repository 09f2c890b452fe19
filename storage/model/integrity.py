"""Whether a transcript can be trusted, and where and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

IntegrityState = Literal["ok", "partial-tail", "damaged", "corrupt", "unreadable"]


@dataclass(frozen=True, slots=True)
class Integrity:
    """The verdict on a transcript; `line` is 1-based over all physical lines, blank ones too."""

    state: IntegrityState = "ok"
    kind: str | None = None
    line: int | None = None
    detail: str = "every record is readable"

    @property
    def is_trusted(self) -> bool:
        """Whether anything may be built on the evidence."""
        return self.state not in ("corrupt", "unreadable")


class Fault(NamedTuple):
    """What is wrong with a line; `fatal` is false while it may still be a cut last line."""

    kind: str
    line: int
    detail: str
    fatal: bool = True
