"""The rows of a transcript at a level of detail: which records have a row, and its content.

A row is read from the file on demand and cached; nothing is created for records that are not on
screen.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..folds.facts import OpenCall
from ..model.edits import lines_changed
from ..model.event import CODE, KINDS, Event
from ..model.timeline import ASKS_YOU, Alive, CallState, Row, Verdict, asks, open_state
from ..transcript.continuations import address
from ..transcript.parts import Ties
from ..transcript.positions import MADE_UP, MERGED_META, REPEATED, SILENT_ANSWER
from ..transcript.transcript import Transcript

KEPT = 2048
"""Maximum number of rows in the cache."""

CUT = 600
"""Maximum length of a row's text, in characters: more than the widest line shows."""

ASKED = frozenset({CODE["prompt"], CODE["answer"], CODE["damaged"]})
_ENDS = {CODE[kind] for kind in ("call", "result", "summary", "checkpoint", "terminal")}
DONE = ASKED | _ENDS | {MADE_UP}
THOUGHT = DONE | {CODE[kind] for kind in ("reasoning", "notice", "unknown")}
EVERYTHING = frozenset(range(len(KINDS))) | {SILENT_ANSWER, MERGED_META, REPEATED, MADE_UP}
DEPTHS = (ASKED, DONE, THOUGHT, EVERYTHING)
"""Record kinds at level 1 (prompts and answers), 2 (calls), 3 (thinking) and 4 (all records)."""


class Rows:
    """The visible rows of one transcript, by 0-based index; grows with it.

    `part` is the transcript's index among the parts of its session. Offsets in rows include it:
    they are addresses in the session. Offsets in arguments are offsets in the transcript.
    """

    def __init__(
        self, transcript: Transcript, depth: int = 3, alive: Alive = False, part: int = 0
    ) -> None:
        self.transcript = transcript
        self.part = part
        self.ties: Ties | None = None
        """Records in other parts that belong to its calls; None if there are no other parts."""
        self.depth = depth
        self.alive = alive
        """Whether an agent may deliver the results of open calls; None if unknown."""
        self.is_awaited = True
        """Whether its last calls may still get results; False if a later part moved past them."""
        self.matches: Sequence[int] = ()
        """Indexes of the records found by a search, in order."""
        self._codes = DEPTHS[depth - 1]
        self._seen = 0
        self._visible: array[int] = array("I")
        self._kept: OrderedDict[tuple[int, int, Alive, bool, bool], Row] = OrderedDict()
        self._left: frozenset[int] = frozenset()
        self._verdicts: Mapping[str, Verdict] = {}
        self._positions = transcript.positions
        self._moved_on = self._moved_to()
        self.grow()

    def __len__(self) -> int:
        return len(self._visible)

    def __getitem__(self, row: int) -> Row:
        index = self._visible[row]
        link = self._positions.links[index]
        current = self.is_awaited and self.transcript.facts.is_current(index + 1)
        inherited = self._positions.offsets[index] < self.transcript.inherited_before
        key = (index, link, self.alive, current, inherited)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._read(index, current, inherited)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def renew(self, index: int) -> int | None:
        """Drop the cached row of a record that changed; return its row, if it has one."""
        for key in [key for key in self._kept if key[0] == index]:
            del self._kept[key]
        return self._row_of(index)

    def leave(self, indexes: frozenset[int]) -> None:
        """Mark the records with these indexes as being on abandoned branches."""
        if indexes != self._left:
            self._left = indexes
            self._kept.clear()

    def settle(self, verdicts: Mapping[str, Verdict]) -> bool:
        """Show the verdicts on calls without a result; return whether they changed."""
        if verdicts == self._verdicts:
            return False
        self._verdicts = verdicts
        self._kept.clear()
        return True

    def grow(self) -> list[int]:
        """Add the records read since; return the rows whose content changed."""
        if self.transcript.positions is not self._positions:
            self._positions = self.transcript.positions
            self._seen = 0
            self._left = frozenset()
            del self._visible[:]
            self._kept.clear()
        first, total = self._seen, len(self._positions)
        rows = len(self._visible)
        self._visible.extend(self._positions.having(self._codes, first, total))
        self._seen = total
        if not rows:
            return []
        calls = {self._positions.call_of(index) for index in range(first, total)}
        if self._moved_on != (moved_on := self._moved_to()):
            self._moved_on = moved_on
            calls |= {call.number - 1 for calls in self._open_calls() for call in calls}
        touched = {self._row_of(call) for call in calls if call is not None}
        return sorted(row for row in touched if row is not None and row < rows)

    def _moved_to(self) -> tuple[int, int]:
        """Return a value that changes whenever the set of calls that may still get results does."""
        return self.transcript.facts.moved_on, self.transcript.folds.pairing.batch

    def _row_of(self, index: int) -> int | None:
        row = bisect_left(self._visible, index)
        shown = row < len(self._visible) and self._visible[row] == index
        return row if shown else None

    def record_index(self, row: int) -> int:
        """Return the 0-based index of the record that a row begins with."""
        return self._visible[row]

    @property
    def complete(self) -> bool:
        """Whether the rows start at the beginning of the transcript."""
        return self.transcript.origin == 0

    def place_of(self, offset: int) -> int | None:
        """Return the row of the record at a byte offset, or the next one; None after the last."""
        index = self._positions.index_at(offset)
        if index < 0 or self._positions.offsets[index] < offset:
            index += 1
        row = bisect_left(self._visible, index)
        return row if row < len(self._visible) else None

    def row_showing(self, offset: int) -> int | None:
        """Return the row that shows the record at a byte offset, if any at this level."""
        index = self._positions.index_at(offset)
        if index < 0:
            return None
        call = self._positions.call_of(index)
        return self._row_of(index) if call is None else self._row_of(call)

    def late(self, index: int) -> Event | None:
        """Return the result of the open call at an index, if it is in another part."""
        is_tied = self.ties is not None and self.ties.answers(index + 1)
        return self.ties.end(index) if self.ties and is_tied else None

    def open_numbers(self) -> list[int]:
        """Return the 1-based numbers of the calls without a result."""
        return [call.number for calls in self._open_calls() for call in calls]

    def match(self, indexes: Sequence[int]) -> None:
        """Set the records that `next_of` finds; for a result, that is its call."""
        calls = ((index, self._positions.call_of(index)) for index in indexes)
        self.matches = sorted({index if call is None else call for index, call in calls})

    def is_match(self, row: int) -> bool:
        """Return whether a row shows one of the records found by a search."""
        return self._visible[row] in self.matches

    def next_of(self, jump: str, start: int, step: int) -> int | None:
        """Return the nearest row beyond `start` that is a `prompt`, `uncertain`, or a `match`.

        The search wraps around, except for prompts. `step` is 1 or -1.
        """
        found = self.next_beyond(jump, start, step)
        if found is None and jump != "prompt":
            return self.next_beyond(jump, -1 if step > 0 else len(self), step)
        return found

    def next_beyond(self, jump: str, start: int, step: int) -> int | None:
        """Like `next_of`, without wrapping around."""
        if jump == "prompt":
            return self._next_prompt(start, step)
        if jump == "uncertain":
            return self._next_among(self._undecided(), start, step)
        return self._next_among(self.matches, start, step)

    def _undecided(self) -> list[int]:
        """Return the indexes of the calls without a result and without a verdict."""
        return sorted(
            call.number - 1
            for calls in self._open_calls()
            for call in calls
            if call.event_id not in self._verdicts
            and call.offset >= self.transcript.inherited_before
            and not (self.ties and self.ties.answers(call.number))
        )

    def _open_calls(self) -> list[list[OpenCall]]:
        """Return a snapshot, because the reading thread may add calls at the same time."""
        return [*self.transcript.folds.pairing.open.values()]

    def _next_prompt(self, start: int, step: int) -> int | None:
        kinds, row = self._positions.kinds, start + step
        while 0 <= row < len(self._visible):
            if kinds[self._visible[row]] == CODE["prompt"]:
                return row
            row += step
        return None

    def _next_among(self, indexes: Sequence[int], start: int, step: int) -> int | None:
        """Return the nearest row that shows one of the records with these sorted indexes."""
        here = self._index_beside(start)
        at = bisect_right(indexes, here) if step > 0 else bisect_left(indexes, here) - 1
        while 0 <= at < len(indexes):
            if (row := self._row_of(indexes[at])) is not None:
                return row
            at += step
        return None

    def _index_beside(self, row: int) -> int:
        """Return the index of the record that a row begins with; -1 or the end if out of range."""
        if row < 0 or not len(self._visible):
            return -1
        return self._visible[row] if row < len(self._visible) else len(self._positions)

    def _read(self, index: int, current: bool, inherited: bool) -> Row:
        try:
            event, other = self.transcript.with_other(index)
            if other is None or other.stage != "ended":
                other = self.late(index) or other
        except (OSError, IndexError, StopIteration) as error:
            reason = getattr(error, "strerror", None) or "the file has changed"
            return Row(
                self._positions.offsets[index], None, None, "damaged", None, f"not read: {reason}"
            )
        row = row_of(event, other, self.alive, current)
        if inherited and row.state not in ("completed", "failed"):
            row = replace(row, state="", detail="")  # known only in its source, where it is shown
        row = self._settled(replace(row, abandoned=index in self._left), other)
        if self.part:
            row = replace(row, offset=address(self.part, row.offset))
        if (
            index != self.transcript.folds.fault
            or event.kind == "damaged"
            or not event.agent.reader.strict
        ):
            return row
        detail = self.transcript.folds.chain.verdict().detail
        return replace(row, kind="damaged", text=f"{detail} · {row.text}"[:CUT])

    def _settled(self, row: Row, other: Event | None) -> Row:
        """Return the row with the verdict on its call; `other` is the call's start, if any."""
        if row.state != "uncertain" or not self._verdicts:
            return row
        started = row.event_id if other is None else other.event_id
        return replace(row, verdict=self._verdicts.get(started or ""))


def row_of(event: Event, other: Event | None, alive: Alive, current: bool) -> Row:
    """Return the row of an event; `other` is the result of a call, or its start if there is none.

    `alive` and `current` determine the state of a call without a result, see `open_state`.
    """
    ended = other is not None and other.stage == "ended"
    text = event.text
    size = len(text) if event.kind in ("reasoning", "result") else None
    duration = None
    added = removed = None
    if ended and other is not None:
        size = len(other.text)
        duration = event.agent.reader.duration(event, other)
    if event.kind == "call" and (edit := event.agent.tools.edit_of(event.tool, event.args)):
        added, removed = lines_changed(edit)
    state = state_of(event, other, alive, current)
    return Row(
        offset=event.place.address,
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


def state_of(event: Event, other: Event | None, alive: Alive, current: bool) -> CallState:
    """Return the state of a call, or of a result without its call; "" for other events.

    `alive` and `current` as in `open_state`.
    """
    if event.stage == "ended":
        return "failed" if event.outcome == "failed" else "completed"
    if event.stage not in ("requested", "started"):
        return "failed" if event.outcome == "failed" else ""
    if other is not None and other.stage == "ended":
        return "failed" if other.outcome == "failed" else "completed"
    stage = event.stage if other is None else "started"
    return open_state(stage, asks(event), current, alive)


def _detail(event: Event, other: Event | None, state: CallState) -> str:
    if state == "failed":
        return event.agent.reader.failure(other or event)
    if state == "running" and asks(event):
        return ASKS_YOU
    if state == "unknown":
        return "unknown"
    if event.outcome == "interrupted":
        words = event.agent.reader.failure(event)
        return "" if words in event.text[:CUT].casefold() else words
    return "no result" if state == "uncertain" else ""
