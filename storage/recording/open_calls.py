"""The calls of a MyCodeAgent recording that have no end, each by itself.

Its own loader tells calls apart by run and id, so that one of a later step that has the same id, as
with providers that count from `call_0` in every response, hides one that was interrupted.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..folds.pairing import Pairing
from ..model.action import Action, action_of
from ..model.event import Event
from ..model.timeline import CallState


class OpenCalls:
    """`directory` is what the paths of calls are relative to."""

    def __init__(self, directory: str | None) -> None:
        self._directory = directory
        self._pairing = Pairing()
        self._events = 0
        self._calls: dict[int, Event] = {}
        """The open ones by the number of their first record: their start, else their request."""

    def add(self, event: Event) -> None:
        """Take in the next event."""
        self._events += 1
        call = self._pairing.add(event, self._events).call
        if event.stage in ("requested", "started"):
            self._calls[call or self._events] = event
        elif event.stage == "ended":
            self._calls.pop(call, None)

    def with_hidden(self, known: Iterable[Action], state: CallState) -> tuple[Action, ...]:
        """These actions, which the loader knows, and those in that state which it does not."""
        stage = "started" if state == "uncertain" else "requested"
        found = tuple(known)
        ids = {action.action for action in found}
        hidden = (
            action_of(event, state, self._directory)
            for event in self._calls.values()
            if event.stage == stage and event.event_id not in ids
        )
        return found + tuple(hidden)
