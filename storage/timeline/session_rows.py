"""The rows of a session across all loaded parts, as one list.

The newest part is always loaded; older ones are prepended on demand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from ..model.event import Event
from ..model.timeline import Alive, Row, Verdict
from ..transcript.continuations import address, place
from ..transcript.parts import Parts
from ..transcript.transcript import Transcript
from .rows import Rows


class Where(NamedTuple):
    """The record that a row begins with."""

    transcript: Transcript
    number: int
    """0-based index of the record in `transcript`."""
    late: Event | None
    """The result of a call, if it is in another part."""


class SessionRows:
    """Rows by 0-based index; offsets, in rows and arguments, are addresses in the session.

    `transcripts` are the loaded parts, oldest first; `first` is the index of the first one. The
    rows of older parts are reused from `before`.
    """

    def __init__(
        self,
        transcripts: Sequence[Transcript],
        first: int = 0,
        depth: int = 3,
        alive: Alive = False,
        before: SessionRows | None = None,
    ) -> None:
        self.first = first
        self.depth = depth
        self.parts = Parts(transcripts)
        known = before._known(depth) if before else {}
        self._rows = [
            known.get((part, id(transcript))) or Rows(transcript, depth, part=part)
            for part, transcript in enumerate(transcripts, first)
        ]
        # Only the newest part grows.
        self._starts = [0, *accumulate(len(rows) for rows in self._rows[:-1])]
        self._late = 0
        self._tie()
        self.alive = alive
        if before:
            self._take_matches(before)
        self._collect_matches()

    def _known(self, depth: int) -> dict[tuple[int, int], Rows]:
        rows = self._rows[:-1] if depth == self.depth else []
        return {(one.part, id(one.transcript)): one for one in rows}

    def _take_matches(self, before: SessionRows) -> None:
        found = {(one.part, id(one.transcript)): one.matches for one in before._rows}
        for rows in self._rows:
            rows.match(found.get((rows.part, id(rows.transcript)), ()))

    def _tie(self) -> list[int]:
        """Find results in later parts; return the rows whose content changed."""
        late = sum(len(one.facts.ancestry.late) for one in self.parts.transcripts)
        if len(self._rows) == 1 or late == self._late == 0:
            return []
        self._late, touched = late, []
        for number, (rows, start) in enumerate(zip(self._rows, self._starts, strict=True)):
            before, rows.ties = rows.ties, self.parts.ties(number)
            for call in rows.open_numbers():
                is_new = rows.ties.answers(call) and not (before and before.answers(call))
                if is_new and (row := rows.renew(call - 1)) is not None:
                    touched.append(start + row)
        return touched

    def goes_on_from(self, before: SessionRows) -> bool:
        """Return whether these are the rows of `before`, followed by those of a new part."""
        return (before.first, before.depth) == (self.first, self.depth) and len(before._rows) < len(
            self._rows
        )

    @property
    def transcript(self) -> Transcript:
        """The newest part."""
        return self._rows[-1].transcript

    @property
    def alive(self) -> Alive:
        """Whether an agent may deliver the results of open calls; None if unknown."""
        return self._alive

    @alive.setter
    def alive(self, alive: Alive) -> None:
        self._alive = alive
        moved_on = False
        for rows in reversed(self._rows):
            rows.alive, rows.is_awaited = alive, not moved_on
            moved_on |= bool(rows.transcript.facts.moved_on)

    @property
    def complete(self) -> bool:
        """Whether the rows start at the beginning of the session."""
        return self.first == 0 and self._rows[0].complete

    def reaches(self, address: int) -> bool:
        """Return whether the part that contains an address is loaded, if there is such a part."""
        return place(address)[0] >= self.first

    @property
    def older(self) -> int:
        """Number of loaded parts before the newest."""
        return len(self._rows) - 1

    @property
    def is_first_whole(self) -> bool:
        """Whether the oldest loaded part starts at its beginning."""
        return self._rows[0].complete

    @property
    def begins(self) -> dict[int, str]:
        """Session ids of the parts after the first, by the address at which each begins."""
        return {address(one.part, 0): one.transcript.session for one in self._rows if one.part}

    @property
    def end(self) -> int | None:
        """Address of the last record; None if there is none."""
        offsets = self.transcript.positions.offsets
        return address(self._rows[-1].part, offsets[-1]) if offsets else None

    def __len__(self) -> int:
        return self._starts[-1] + len(self._rows[-1])

    def __getitem__(self, row: int) -> Row:
        rows, at, _ = self._at(row)
        return rows[at]

    def where(self, row: int) -> Where:
        """Return the record that a row begins with."""
        rows, at, _ = self._at(row)
        index = rows.record_index(at)
        return Where(rows.transcript, index, rows.late(index))

    def leave(self, indexes: frozenset[int]) -> None:
        """Mark records of the newest part as being on abandoned branches."""
        self._rows[-1].leave(indexes)

    def settle(self, verdicts: Mapping[str, Verdict]) -> bool:
        """Show the verdicts on calls without a result; return whether they changed."""
        return any([rows.settle(verdicts) for rows in self._rows])

    def grow(self) -> list[int]:
        """Add the records read since; return the rows whose content changed."""
        touched = self._tie()
        self.alive = self._alive
        start = self._starts[-1]
        return sorted({*touched, *(start + row for row in self._rows[-1].grow())})

    def place_of(self, address: int) -> int | None:
        """Return the row of the record at an address, or the next one; None after the last."""
        part, offset = place(address)
        for rows, start in zip(self._rows, self._starts, strict=True):
            found = rows.place_of(offset if rows.part == part else 0) if rows.part >= part else None
            if found is not None:
                return start + found
        return None

    def row_showing(self, address: int) -> int | None:
        """Return the row that shows the record at an address, if any at this level."""
        part, offset = place(address)
        for rows, start in zip(self._rows, self._starts, strict=True):
            if rows.part == part and (row := rows.row_showing(offset)) is not None:
                return start + row
        return None

    def match(self, matches: Sequence[int]) -> None:
        """Set the records that `next_of` finds: addresses with indexes in place of offsets."""
        found: dict[int, list[int]] = {}
        for part, index in map(place, matches):
            found.setdefault(part, []).append(index)
        for rows in self._rows:
            rows.match(found.get(rows.part, ()))
        self._collect_matches()

    def _collect_matches(self) -> None:
        self.matches = [address(rows.part, at) for rows in self._rows for at in rows.matches]
        """The records found by a search, in order, in the same form; for a result, its call."""

    def match_at(self, row: int) -> int:
        """Return the form in `matches` of the record that a row begins with."""
        rows, at, _ = self._at(row)
        return address(rows.part, rows.record_index(at))

    def is_match(self, row: int) -> bool:
        """Return whether a row shows one of the records found by a search."""
        rows, at, _ = self._at(row)
        return rows.is_match(at)

    def next_of(self, jump: str, start: int, step: int) -> int | None:
        """Return the nearest row beyond `start` that is a `prompt`, `uncertain`, or a `match`.

        The search wraps around, except for prompts. `step` is 1 or -1.
        """
        if not len(self):
            return None
        here, at, _ = self._at(min(start, len(self) - 1))
        begin = self._rows.index(here)
        if (found := here.next_beyond(jump, at, step)) is not None:
            return self._starts[begin] + found
        for number in self._others(begin, step, goes_round=jump != "prompt"):
            rows = self._rows[number]
            found = rows.next_beyond(jump, -1 if step > 0 else len(rows), step)
            if found is not None:
                return self._starts[number] + found
        return None

    def _others(self, begin: int, step: int, goes_round: bool) -> Iterator[int]:
        """Yield the parts after `begin` in one direction; wraps around to it if `goes_round`."""
        count = len(self._rows)
        yield from range(begin + step, count if step > 0 else -1, step)
        if goes_round:
            yield from range(0 if step > 0 else count - 1, begin + step, step)

    def _at(self, row: int) -> tuple[Rows, int, int]:
        """Return the part of a row, the row's index in it, and the part's first row."""
        if len(self._rows) == 1:
            return self._rows[0], row, 0
        starts = self._starts
        number = bisect_right(starts, row) - 1
        return self._rows[number], row - starts[number], starts[number]
