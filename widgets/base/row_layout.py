"""Maps rows to lines and back, for rows of any heights."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Protocol


class Layout(Protocol):
    """Consecutive rows of one line or more each."""

    @property
    def lines(self) -> int:
        """Number of lines of all rows."""
        ...

    def top(self, row: int) -> int:
        """Return the first line of a row; for the index after the last, the number of lines."""
        ...

    def at(self, line: int) -> tuple[int, int]:
        """Return the row that a line belongs to, and the line's index in the row."""
        ...


class Even:
    """Rows of equal height, some with an extra line above; constant cost for any count."""

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
    """Rows of any heights: an array of tops with binary search."""

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
