"""The rows of a transcript at a depth: which records have a line of their own, and what it says.

A row is read from the file when it is asked for and kept for a while; nothing is made for the
records that are not on screen.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import OrderedDict

from .edits import edit_of, lines_changed
from .event import KINDS, Event, Kind
from .positions import CODE, MERGED_META, SILENT_ANSWER
from .timeline import CallState, Row
from .transcript import Transcript

KEPT = 2048
"""Rows kept in memory."""

CUT = 600
"""Characters of text that a row holds: more than the widest line shows."""

ASKED = frozenset({CODE["prompt"], CODE["answer"], CODE["damaged"]})
DONE = ASKED | {CODE[kind] for kind in ("call", "result", "summary", "checkpoint", "terminal")}
THOUGHT = DONE | {CODE[kind] for kind in ("reasoning", "notice", "unknown")}
EVERYTHING = frozenset(range(len(KINDS))) | {SILENT_ANSWER, MERGED_META}
DEPTHS = (ASKED, DONE, THOUGHT, EVERYTHING)
"""What is shown at depth 1 (prompts and answers), 2 (calls), 3 (thoughts) and 4 (all records)."""


class Rows:
    """The visible rows of one transcript, by 0-based row; grows with it."""

    def __init__(self, transcript: Transcript, depth: int = 3, alive: bool = False) -> None:
        self.transcript = transcript
        self.depth = depth
        self.alive = alive
        """Whether somebody is there to bring a result for an open call."""
        self._codes = DEPTHS[depth - 1]
        self._seen = 0
        self._visible: array[int] = array("I")
        self._kept: OrderedDict[tuple[int, int, bool], Row] = OrderedDict()
        self._positions = transcript.positions
        self.grow()

    def __len__(self) -> int:
        return len(self._visible)

    def __getitem__(self, row: int) -> Row:
        index = self._visible[row]
        link = self._positions.links[index]
        key = (index, link, self.alive)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._read(index, link)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def grow(self) -> int:
        """Take in the records that were read since; the number of rows now."""
        if self.transcript.positions is not self._positions:
            self._positions = self.transcript.positions
            self._seen = 0
            del self._visible[:]
            self._kept.clear()
        total = len(self._positions)
        self._visible.extend(self._positions.having(self._codes, self._seen, total))
        self._seen = total
        return len(self._visible)

    def record_index(self, row: int) -> int:
        """The 0-based index of the record that a row begins with."""
        return self._visible[row]

    def row_at(self, offset: int) -> int:
        """The row of the record at a byte offset, or the nearest before; 0 if there is none."""
        index = self._positions.index_at(offset)
        row = bisect_left(self._visible, index)
        if row < len(self._visible) and self._visible[row] == index:
            return row
        return max(0, row - 1)

    def next_of(self, kind: Kind, row: int, step: int) -> int | None:
        """The next row of a kind from `row` on in the direction of `step` (1 or −1)."""
        kinds, code, row = self._positions.kinds, CODE[kind], row + step
        while 0 <= row < len(self._visible):
            if kinds[self._visible[row]] == code:
                return row
            row += step
        return None

    def next_open(self, row: int, step: int) -> int | None:
        """The next row of a call without result."""
        calls = [call for calls in list(self.transcript.pairing.open.values()) for call in calls]
        rows = sorted(
            row
            for call in calls
            if (row := bisect_left(self._visible, call.number - 1)) < len(self._visible)
            and self._visible[row] == call.number - 1
        )
        wanted = [r for r in rows if (r > row if step > 0 else r < row)]
        if not wanted:
            return None
        return wanted[0] if step > 0 else wanted[-1]

    def _read(self, index: int, link: int) -> Row:
        try:
            with self.transcript.reading() as read:
                event = read(index)
                other = read(link - 1) if link and event.stage else None
        except (OSError, IndexError, StopIteration) as error:
            reason = getattr(error, "strerror", None) or "the file has changed"
            return Row(
                self._positions.offsets[index], None, None, "damaged", None, f"not read: {reason}"
            )
        return row_of(event, other, self.alive)


def row_of(event: Event, other: Event | None, alive: bool) -> Row:
    """The row of an event; `other` is the result of a call, or its start where none came."""
    ended = other is not None and other.stage == "ended"
    text = event.text
    size = len(text) if event.kind in ("reasoning", "result") else None
    duration = None
    added = removed = None
    if ended and other is not None:
        size = len(other.text)
        duration = _between(event.at, other.at)
    if event.kind == "call" and (edit := edit_of(event.tool, event.args)):
        added, removed = lines_changed(edit)
    state = state_of(event, other, alive)
    return Row(
        offset=event.place.offset,
        number=event.place.number,
        event_id=event.event_id,
        kind=event.kind,
        at=event.at,
        text=text[:CUT],
        tool=event.tool,
        state=state,
        detail=_detail(event, other, state),
        duration=duration,
        size=size,
        added=added,
        removed=removed,
    )


def state_of(event: Event, other: Event | None, alive: bool) -> CallState:
    """The state of a call, or of a result that stands alone; "" for other events."""
    if event.stage == "ended":
        return "failed" if event.outcome == "failed" else "completed"
    if event.stage not in ("requested", "started"):
        return "failed" if event.outcome == "failed" else ""
    if other is not None and other.stage == "ended":
        return "failed" if other.outcome == "failed" else "completed"
    started = event.stage == "started" or other is not None
    if alive:
        return "running" if started else "pending"
    return "uncertain" if started else "pending"


def _detail(event: Event, other: Event | None, state: CallState) -> str:
    if state == "failed":
        return event.dialect.failure(other or event)
    return "no result" if state == "uncertain" else ""


def _between(start: int | None, end: int | None) -> int | None:
    return max(0, end - start) if start is not None and end is not None else None
