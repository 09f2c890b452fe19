"""The actions of a transcript, newest first.

Which calls are open is known without reading; each costs the reading of its own records. A call
that the session went on without has no result to wait for, whoever is alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .action import Action, action_of
from .event import Event
from .facts import Facts
from .pairing import Pairing
from .parts import Ties
from .positions import CODE
from .timeline import CallState
from .tools import QUESTIONS
from .transcript import Transcript


class _Call(NamedTuple):
    """The 0-based indexes of a call's records."""

    asked: int
    started: int | None = None
    ended: int | None = None


def actions_of(
    transcript: Transcript, alive: bool, all: bool = False, ties: Ties | None = None
) -> Iterator[Action]:
    """The uncertain and pending actions of a transcript that was read to its end.

    `alive`: somebody is there to bring results. With `all` running and ended ones too. Raises
    OSError where the file cannot be read. `ties` tell what belongs to its calls and stands in
    later parts of its session; a call that only began there is an action of that part.
    """
    ending = _Ending(transcript)
    expected = ending.expected(alive)
    directory = transcript.directory
    with transcript.reading() as read:
        for call in ending.calls() if all else ending.open_calls():
            late = ties.late(call.asked) if ties and call.ended is None else None
            if late is not None and late.stage != "ended":
                continue
            action = _action(call, ending.reader(read), call.asked in expected, directory, late)
            if all or action.state in ("pending", "uncertain"):
                yield action


def action_with(
    transcript: Transcript, event: Event, alive: bool, ties: Ties | None = None
) -> Action | None:
    """The action that an event of a whole transcript asked for, started or ended, if it is one.

    `alive`, `ties` and errors as for `actions_of`.
    """
    ending = _Ending(transcript)
    call = ending.call_with((event.place.number or 0) - 1)
    if call is None:
        return None
    with transcript.reading() as read:
        expected = call.asked in ending.expected(alive)
        late = ties.end(call.asked) if ties and call.ended is None else None
        return _action(call, ending.reader(read), expected, transcript.directory, late)


class _Ending:
    """A transcript's calls as they are with its unterminated last records."""

    def __init__(self, transcript: Transcript) -> None:
        self._positions = transcript.positions
        self._tail = transcript.tail()
        self._facts: Facts = transcript.facts
        self._links: dict[int, int] = {}
        """By index of a call, the index of its start or result in the tail."""
        if self._tail:
            self._add_tail(transcript)

    def _add_tail(self, transcript: Transcript) -> None:
        pairing = Pairing.from_json(transcript.pairing.as_json())
        self._facts = transcript.facts.copy()
        self._facts.open_calls = pairing.open
        for index, event in enumerate(self._tail, len(self._positions)):
            call, merged = pairing.add(event, index + 1)
            if merged and event.stage != "told":
                self._links[call - 1] = index
            self._facts.add(event)

    def expected(self, alive: bool) -> set[int]:
        """Indexes of the calls that somebody may bring a result for: a question, its person."""
        current = self._facts.current_calls()
        return {call.number - 1 for call in current if alive or call.tool in QUESTIONS}

    def open_calls(self) -> Iterator[_Call]:
        """Calls without a result, newest first."""
        numbers = [call.number for calls in self._facts.open_calls.values() for call in calls]
        for number in sorted(numbers, reverse=True):
            other = self._other(number - 1)
            yield _Call(number - 1, started=other)

    def calls(self) -> Iterator[_Call]:
        """All calls, newest first."""
        opened = {call.asked: call for call in self.open_calls()}
        for index in reversed(range(self._total())):
            if index in opened:
                yield opened[index]
            elif self._is_call(index):
                start = self._positions.start_of(index)
                yield _Call(index, start if start != index else None, self._other(index))

    def call_with(self, index: int) -> _Call | None:
        """The call that the record at an index belongs to."""
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
        """A function that reads the tail's events too."""
        first = len(self._positions)
        return lambda index: read(index) if index < first else self._tail[index - first]

    def _total(self) -> int:
        return len(self._positions) + len(self._tail)

    def _is_call(self, index: int) -> bool:
        return index < len(self._positions) and self._positions.kinds[index] == CODE["call"]

    def _other(self, index: int) -> int | None:
        """The index of a call's result, or of its start while there is none."""
        if index in self._links:
            return self._links[index]
        link = self._positions.links[index] if index < len(self._positions) else 0
        return link - 1 if link else None


def _action(
    call: _Call,
    read: Callable[[int], Event],
    expected: bool,
    directory: str | None,
    late: Event | None = None,
) -> Action:
    event = _event_of(call, read)
    ended = late if call.ended is None else read(call.ended)
    return action_of(event, _state(event, ended, expected), directory)


def _event_of(call: _Call, read: Callable[[int], Event]) -> Event:
    """The record by which a call started; told by its request where it does not tell itself."""
    if call.started is None:
        return read(call.asked)
    started = read(call.started)
    if started.tool and started.args is not None:
        return started
    own = {key: getattr(started, key) for key in ("event_id", "place", "at", "stage")}
    return read(call.asked)._replace(**own)


def _state(event: Event, ended: Event | None, expected: bool) -> CallState:
    if ended is not None and ended.stage == "ended":
        return "failed" if ended.outcome == "failed" else "completed"
    if event.stage == "requested":
        return "pending"
    return "running" if expected else "uncertain"
