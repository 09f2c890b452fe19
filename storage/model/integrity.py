"""The integrity of a transcript: whether it can be trusted, and if not, why and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

IntegrityState = Literal["ok", "partial-tail", "damaged", "corrupt", "unreadable"]

Tail = Literal["none", "whole", "torn", "torn-character", "refused", "terminated"]
"""State of the bytes after the last LF. `none`: only white space. `whole`: a record. `torn`: cut.
`torn-character`: cut inside a character, or not UTF-8 at all. `refused`: JSON that a cut cannot
explain, such as a bare number. `terminated`: not a record, but a line that ends in a lone CR and
therefore was not cut."""


@dataclass(frozen=True, slots=True)
class Integrity:
    """Result of the integrity check; `line` is 1-based and counts blank lines too."""

    state: IntegrityState = "ok"
    kind: str | None = None
    line: int | None = None
    detail: str = "every record is readable"

    @property
    def is_trusted(self) -> bool:
        """Whether the records may be relied on."""
        return self.state not in ("corrupt", "unreadable")


class Fault(NamedTuple):
    """A defect of a line; not `fatal` as long as it may be an incomplete last line."""

    kind: str
    line: int
    detail: str
    fatal: bool = True
