"""Time inside a story: told at once for a finished session, waited for in a live one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What a pen asks for the time of its next record."""

    def tick(self, seconds: float) -> int:
        """Let the seconds pass; the time afterwards in milliseconds since 1970."""
        ...


class StoryClock:
    """A clock that jumps."""

    def __init__(self, now: int) -> None:
        self.now = now

    def tick(self, seconds: float) -> int:
        """Move on by so many seconds."""
        self.now += round(seconds * 1000)
        return self.now

    def time(self) -> datetime:
        """The time it shows."""
        return datetime.fromtimestamp(self.now / 1000, UTC)
