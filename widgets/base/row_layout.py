"""Where rows stand: from a row to its first line and back, whatever the heights."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Protocol


class Layout(Protocol):
    """Rows one below the other, each of one line or more."""

    @property
    def lines(self) -> int:
        """Lines of all rows together."""
        ...

    def top(self, row: int) -> int:
        """The first line of a row; of the row after the last one, the number of lines."""
        ...

    def at(self, line: int) -> tuple[int, int]:
        """The row that a line belongs to, and which of the row's lines it is."""
        ...


class Even:
    """Rows of one height, some with one more line above: costs the same for any count."""

    def __init__(self, rows: int, height: int = 1, taller: Sequence[int] = ()) -> None:
        self._height = height
        self._taller = sorted(row for row in set(taller) if 0 <= row < rows)
        self._taller_tops = [row * height + i for i, row in enumerate(self._taller)]
        self.lines = rows * height + len(self._taller)

    def top(self, row: int) -> int:
        """See `Layout.top`."""
        return row * self._height + bisect_right(self._taller, row - 1)

    def at(self, line: int) -> tuple[int, int]:
        """See `Layout.at`."""
        before = bisect_right(self._taller_tops, line)
        if before:
            inside = line - self._taller_tops[before - 1]
            if inside <= self._height:
                return self._taller[before - 1], inside
        return divmod(line - before, self._height)


class Mixed:
    """Rows of any heights: an array of tops, searched by halves."""

    def __init__(self, heights: Iterable[int]) -> None:
        self._tops = array("Q", accumulate(heights, initial=0))
        self.lines = self._tops[-1]

    def top(self, row: int) -> int:
        """See `Layout.top`."""
        return self._tops[row]

    def at(self, line: int) -> tuple[int, int]:
        """See `Layout.at`."""
        row = bisect_right(self._tops, line) - 1
        return row, line - self._tops[row]
