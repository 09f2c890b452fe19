"""The events of a transcript in file order, each with its action and branch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..folds.branches import Tree
from ..model.event import Event
from ..model.timeline import Alive, CallState
from ..transcript.outputs import with_output
from ..transcript.parts import Ties
from ..transcript.transcript import Transcript
from .rows import state_of

Read = Callable[[int], Event]


@dataclass(frozen=True, slots=True)
class AnnotatedEvent:
    """An event with facts that require its whole transcript."""

    event: Event
    action: str | None
    """Event id of the call it belongs to; None for other events, and for calls themselves."""
    state: CallState
    """State of a call; "" for other events."""
    active: bool
    """Whether it is on the active branch."""
    inherited: bool = False
    """Whether it was copied from another session, where it is counted."""


class Annotator:
    """Annotates the events of one transcript; `alive`: its agent may deliver open results.

    `ties`: records in other parts of the session that belong to its calls.
    """

    def __init__(self, transcript: Transcript, alive: Alive, ties: Ties | None = None) -> None:
        self._ties = ties
        self._transcript = transcript
        self._alive = alive
        self._left: frozenset[int] = frozenset()
        self._left_at = 0

    def events(self, first: int = 0, last: int | None = None) -> Iterator[AnnotatedEvent]:
        """Yield the events with 0-based indexes from `first` up to, but excluding, `last`.

        If `last` is None, yield all remaining ones, including an unterminated last one.
        """
        end = len(self._transcript.positions) if last is None else last
        if first < end:
            with self._transcript.reading() as read:
                for index in range(first, end):
                    yield self._told(read, index)
        if last is None:
            for event in self._transcript.tail()[max(0, first - end) :]:
                yield self._told_of_tail(event)

    def _told(self, read: Read, index: int) -> AnnotatedEvent:
        event, positions = read(index), self._transcript.positions
        event = with_output(self._transcript.path, event)
        call = positions.call_of(index)
        own = event.kind == "call"
        action = self._action(read, call) if call is not None and not own else None
        inherited = event.place.offset < self._transcript.inherited_before
        if self._ties and call is None and (before := self._ties.call(event.place.address)):
            action = before.event_id
        state: CallState = ""
        if own:
            other = positions.links[index if call is None else call]
            asked = index if call is None else call
            awaited = self._ties is None or self._ties.is_awaited
            current = awaited and self._transcript.facts.is_current(asked + 1)
            late = self._ties.end(asked) if self._ties else None
            state = state_of(
                event, late or (read(other - 1) if other else None), self._alive, current
            )
            if inherited and state not in ("completed", "failed"):
                state = ""  # known only in its source
        inherited = inherited or bool(self._transcript.facts.ancestry.source_of(event))
        active = index not in self._left_records()
        return AnnotatedEvent(event, action, state, active, inherited)

    def _told_of_tail(self, event: Event) -> AnnotatedEvent:
        """Annotate an unterminated record; its call remains open until the line ends."""
        if event.kind == "call":
            return AnnotatedEvent(
                event, None, state_of(event, None, self._alive, True), active=True
            )
        action, call = None, self._transcript.folds.pairing.call_of(event) if event.stage else 0
        if call:
            with self._transcript.reading() as read:
                action = self._action(read, call - 1)
        return AnnotatedEvent(event, action, "", active=True)

    def _action(self, read: Read, call: int) -> str | None:
        return read(self._transcript.positions.start_of(call)).event_id

    def _left_records(self) -> frozenset[int]:
        if self._left_at != self._transcript.facts.branchings:
            self._left_at = self._transcript.facts.branchings
            self._left = left_records(self._transcript)
        return self._left


def left_records(transcript: Transcript) -> frozenset[int]:
    """Return the 0-based indexes of records on abandoned branches.

    Notices are excluded: they mark where one branch ends and another begins.
    """
    rule = transcript.agent.branches
    if rule is None or not transcript.facts.branchings:
        return frozenset()
    tree = transcript.caches.tree = transcript.caches.tree or Tree(rule)
    with transcript.reading() as read:
        for index in range(len(tree), len(transcript.positions)):
            tree.add(read(index))
    left = tree.abandoned()
    return frozenset(index for index in left if transcript.positions.kind(index) != "notice")
