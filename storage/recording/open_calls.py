"""The unfinished calls of a MyCodeAgent recording, each on its own.

MyCodeAgent's loader identifies calls by run and id. A call in a later step with the same id, common
with providers that count from `call_0` in every response, therefore hides an interrupted one.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..folds.pairing import Pairing
from ..model.action import Action, action_of
from ..model.event import Event
from ..model.timeline import CallState


class OpenCalls:
    """`directory`: base of relative paths in calls."""

    def __init__(self, directory: str | None) -> None:
        self._directory = directory
        self._pairing = Pairing()
        self._events = 0
        self._calls: dict[int, Event] = {}
        """The start, or else the request, of open calls by the number of their first record."""

    def add(self, event: Event) -> None:
        """Take in the next event."""
        self._events += 1
        call = self._pairing.add(event, self._events).call
        if event.stage in ("requested", "started"):
            self._calls[call or self._events] = event
        elif event.stage == "ended":
            self._calls.pop(call, None)

    def with_hidden(self, known: Iterable[Action], state: CallState) -> tuple[Action, ...]:
        """Return the actions known to the loader, and those in the given state that it hides."""
        stage = "started" if state == "uncertain" else "requested"
        found = tuple(known)
        ids = {action.action for action in found}
        hidden = (
            action_of(event, state, self._directory)
            for event in self._calls.values()
            if event.stage == stage and event.event_id not in ids
        )
        return found + tuple(hidden)
