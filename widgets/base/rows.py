"""What virtual rows share with their sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

R_co = TypeVar("R_co", covariant=True)


class Rows(Protocol[R_co]):
    """Where rows come from: asked for by position, and only for what is visible."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> R_co: ...


class Look(NamedTuple):
    """What changes the look of a row besides its content."""

    cursor: bool
    focus: bool
    marked: bool

    @property
    def suffix(self) -> str:
        """What the component classes of cursor and bar end with."""
        return "" if self.focus else "-blurred"


def resting_place(index: int, step: int, count: int, allowed: Callable[[int], bool]) -> int:
    """The row nearest to `index` that the cursor may stand on, first looked for along `step`."""
    index = min(max(index, 0), count - 1)
    for direction in (step, -step):
        place = index
        while 0 <= place < count:
            if allowed(place):
                return place
            place += direction
    return index
