"""The actions of a transcript, newest first.

Open calls are known without reading; each action costs reading its own records. A call that the
session moved past will get no result, even if the agent is running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..folds.facts import Facts, OpenCall
from ..folds.pairing import Pairing
from ..model.action import Action, action_of
from ..model.event import CODE, Event
from ..model.timeline import Alive, CallState, asks, open_state
from ..transcript.parts import Ties
from ..transcript.transcript import Transcript


class _Call(NamedTuple):
    """0-based indexes of a call's records."""

    asked: int
    started: int | None = None
    ended: int | None = None


def actions_of(
    transcript: Transcript, alive: Alive, all: bool = False, ties: Ties | None = None
) -> Iterator[Action]:
    """Yield the pending, uncertain and unknown actions of a fully read transcript.

    `alive`: whether an agent is running that can still deliver results. `all` includes running and
    finished actions. `ties` hold the records of these calls in later parts of the session; a call
    whose start is in a later part is an action of that part. Raises OSError if the file cannot be
    read.
    """
    ending = _Ending(transcript)
    current = ending.current(ties)
    directory = transcript.directory
    with transcript.reading() as read:
        for call in ending.calls() if all else ending.open_calls():
            late = ties.late(call.asked) if ties and call.ended is None else None
            if late is not None and late.stage != "ended":
                continue
            event, ended = _records(call, ending.reader(read), late)
            state = _state(event, ended, call.asked in current, alive)
            action = action_of(event, state, directory)
            if all or action.state in ("pending", "uncertain", "unknown"):
                yield action


def action_with(
    transcript: Transcript, event: Event, alive: Alive, ties: Ties | None = None
) -> Action | None:
    """Return the action that an event requested, started or ended; None if it belongs to none.

    `alive`, `ties` and errors are as for `actions_of`.
    """
    ending = _Ending(transcript)
    call = ending.call_with(transcript.index_of(event))
    if call is None:
        return None
    with transcript.reading() as read:
        late = ties.end(call.asked) if ties and call.ended is None else None
        found, ended = _records(call, ending.reader(read), late)
        state = _state(found, ended, call.asked in ending.current(ties), alive)
        return action_of(found, state, transcript.directory)


def awaited_offsets(transcript: Transcript, ties: Ties | None = None) -> set[int]:
    """Return the offsets of the open calls that could still get a result from a running agent."""
    ending = _Ending(transcript)
    current = ending.current(ties)
    return {call.offset for call in ending.opened() if call.number - 1 in current}


class _Ending:
    """The calls of a transcript, including its unterminated last records."""

    def __init__(self, transcript: Transcript) -> None:
        self._positions = transcript.positions
        self._tail = transcript.tail()
        self._facts: Facts = transcript.facts
        self._inherited_before = transcript.inherited_before
        self._links: dict[int, int] = {}
        """Index of a call to the index of its start or result in the tail."""
        if self._tail:
            self._add_tail(transcript)

    def _add_tail(self, transcript: Transcript) -> None:
        pairing = Pairing.from_json(transcript.folds.pairing.as_json())
        self._facts = transcript.facts.copy()
        self._facts.open_calls = pairing.open
        for index, event in enumerate(self._tail, len(self._positions)):
            call, merged = pairing.add(event, index + 1)
            if merged and event.stage != "told":
                self._links[call - 1] = index
            self._facts.add(event)

    def current(self, ties: Ties | None) -> set[int]:
        """Return the indexes of the calls that could still get a result from a running agent."""
        if ties is not None and not ties.is_awaited:
            return set()
        return {call.number - 1 for call in self._facts.current_calls()}

    def opened(self) -> list[OpenCall]:
        """Return the calls without a result."""
        return self._facts.calls_from(self._inherited_before)

    def open_calls(self) -> Iterator[_Call]:
        """Yield the calls without a result, newest first."""
        for number in sorted((call.number for call in self.opened()), reverse=True):
            other = self._other(number - 1)
            yield _Call(number - 1, started=other)

    def calls(self) -> Iterator[_Call]:
        """Yield all calls, newest first."""
        opened = {call.asked: call for call in self.open_calls()}
        for index in reversed(range(self._total())):
            if index in opened:
                yield opened[index]
            elif self._is_call(index) and not self._is_open_at_source(index):
                start = self._positions.start_of(index)
                yield _Call(index, start if start != index else None, self._other(index))

    def call_with(self, index: int) -> _Call | None:
        """Return the call that the record at an index belongs to."""
        for call in self.open_calls():
            if index in (call.asked, call.started):
                return call
        linked = self._positions.call_of(index) if 0 <= index < len(self._positions) else None
        asked = index if linked is None else linked
        if not 0 <= asked < len(self._positions) or not self._is_call(asked):
            return None
        start = self._positions.start_of(asked)
        return _Call(asked, start if start != asked else None, self._other(asked))

    def reader(self, read: Callable[[int], Event]) -> Callable[[int], Event]:
        """Return a reader that also covers the tail's events."""
        first = len(self._positions)
        return lambda index: read(index) if index < first else self._tail[index - first]

    def _total(self) -> int:
        return len(self._positions) + len(self._tail)

    def _is_open_at_source(self, index: int) -> bool:
        """Return whether a call was copied without a result: the original session owns it."""
        return self._positions.offsets[index] < self._inherited_before and not self._other(index)

    def _is_call(self, index: int) -> bool:
        return index < len(self._positions) and self._positions.kinds[index] == CODE["call"]

    def _other(self, index: int) -> int | None:
        """Return the index of a call's result, or of its start if it has no result."""
        if index in self._links:
            return self._links[index]
        link = self._positions.links[index] if index < len(self._positions) else 0
        return link - 1 if link else None


def _records(
    call: _Call, read: Callable[[int], Event], late: Event | None
) -> tuple[Event, Event | None]:
    """Return the record that started a call, and its result, which may be a `late` one."""
    return _event_of(call, read), late if call.ended is None else read(call.ended)


def _event_of(call: _Call, read: Callable[[int], Event]) -> Event:
    """Return the record that started a call, with fields it lacks taken from its request."""
    if call.started is None:
        return read(call.asked)
    started = read(call.started)
    if started.tool and started.args is not None:
        return started
    own = {key: getattr(started, key) for key in ("event_id", "place", "at", "stage")}
    return read(call.asked)._replace(**own)


def _state(event: Event, ended: Event | None, current: bool, alive: Alive) -> CallState:
    if ended is not None and ended.stage == "ended":
        return "failed" if ended.outcome == "failed" else "completed"
    return open_state(event.stage, asks(event), current, alive)
