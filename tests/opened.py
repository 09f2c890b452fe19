"""What a test opens and nobody else closes: libraries and databases, closed when the test ends.

Python 3.13 reports each database that is never closed, and a report fails the test that runs then.
"""

from __future__ import annotations

from typing import Protocol, TypeVar


class Closable(Protocol):
    """What has to be closed; closing it twice does no harm."""

    def close(self) -> None:
        """Close it."""


T = TypeVar("T", bound=Closable)

_opened: list[Closable] = []


def opened(thing: T) -> T:
    """The same, which is closed when the test that runs now has ended."""
    _opened.append(thing)
    return thing


def close_all() -> None:
    """Close what the test opened, the last first."""
    while _opened:
        _opened.pop().close()
