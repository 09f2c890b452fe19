"""An index of the records that name a file, shared by the open calls of a transcript.

Open calls are judged by the records around them, and these ranges overlap: each record is read once
and then found by the name of its file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator

from ..model.event import Event

GAP = 1000
"""Records between two ranges that are read to make them one."""

NameOf = Callable[[int], str | None]
"""The name in the record at a 0-based index; None if it names no file."""


class CallNames:
    """The names in one contiguous range of records, which grows at both ends on demand."""

    def __init__(self) -> None:
        self.events: dict[int, Event] = {}
        """Some of those read last, by their indexes."""
        self.response = range(0)
        """The unbroken range of calls that was found last: all in it are of one response."""
        self._first = self._end = 0
        self._indexes: dict[str, list[int]] = {}
        self._negative: dict[str, list[int]] = {}
        """Of those before the first range, in descending order: a list grows at its end."""

    def naming(self, name: str, start: int, end: int, name_of: NameOf) -> Iterator[int]:
        """Return the indexes in `[start, end)` of the records that name a file, ascending."""
        self._cover(start, end, name_of)
        before = self._negative.get(name, [])
        for at in reversed(range(bisect_left(before, 1 - end), bisect_left(before, 1 - start))):
            yield -before[at]
        later = self._indexes.get(name, [])
        for at in range(bisect_left(later, start), bisect_left(later, end)):
            yield later[at]

    def _cover(self, start: int, end: int, name_of: NameOf) -> None:
        """Read the names that are not in the range yet; start over for a distant range."""
        if start >= end:
            return
        is_empty = self._first == self._end
        if is_empty or start > self._end + GAP or end < self._first - GAP:
            self._first = self._end = start
            self._indexes.clear()
            self._negative.clear()
        for index in range(self._end, end):
            if name := name_of(index):
                self._indexes.setdefault(name, []).append(index)
            self._end = index + 1
        for index in range(self._first - 1, start - 1, -1):
            if name := name_of(index):
                self._negative.setdefault(name, []).append(-index)
            self._first = index
