"""Whether a transcript can be trusted, and where and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "partial-tail", "damaged", "corrupt", "unreadable"]


@dataclass(frozen=True, slots=True)
class Integrity:
    """The verdict on a transcript; `line` is 1-based over all physical lines, blank ones too."""

    state: State = "ok"
    kind: str | None = None
    line: int | None = None
    detail: str = "every record is readable"
