"""Time inside a story: skipped in a finished session, waited for in a live one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Gives the time of the next record."""

    def tick(self, seconds: float) -> int:
        """Let the seconds pass; return the time in milliseconds since 1970."""
        ...


class StoryClock:
    """A clock that skips ahead."""

    def __init__(self, now: int) -> None:
        self.now = now

    def tick(self, seconds: float) -> int:
        """Move ahead by `seconds`."""
        self.now += round(seconds * 1000)
        return self.now

    def time(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.fromtimestamp(self.now / 1000, UTC)
