"""The interface between virtual rows and their sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

R_co = TypeVar("R_co", covariant=True)


class Rows(Protocol[R_co]):
    """A source of rows, accessed by index and only for visible ones."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> R_co: ...


class Look(NamedTuple):
    """What affects the appearance of a row besides its content."""

    cursor: bool
    focus: bool
    marked: bool

    @property
    def suffix(self) -> str:
        """Return the suffix of the component classes of cursor and bar."""
        return "" if self.focus else "-blurred"


def resting_place(index: int, step: int, count: int, allowed: Callable[[int], bool]) -> int:
    """Return the selectable row nearest to `index`, searching in direction `step` first."""
    index = min(max(index, 0), count - 1)
    for direction in (step, -step):
        place = index
        while 0 <= place < count:
            if allowed(place):
                return place
            place += direction
    return index
