"""The outcome of the calls of a session being restored."""

from __future__ import annotations

from ..folds.pairing import Pairing
from ..model.action import Action, action_of
from ..model.event import Event


class Calls:
    """Collects open calls in full, ended ones by id; `directory` is where they ran."""

    def __init__(self, directory: str | None) -> None:
        self._directory = directory
        self._pairing = Pairing()
        self._number = 0
        self._open: dict[int, Event] = {}
        # Dictionaries for their order: a repeated id is listed once, where it last ended.
        self._completed: dict[str, None] = {}
        self._failed: dict[str, None] = {}

    def add(self, event: Event, left: bool = False) -> None:
        """Process the next event; results on an abandoned branch (`left`) are not restored.

        Calls that started there without ending are uncertain nevertheless: abandoning a branch
        undoes nothing in the outside world.
        """
        self._number += 1
        call, merged = self._pairing.add(event, self._number)
        if event.kind == "call" and not merged:
            self._open[self._number] = event
        elif event.stage == "ended" and merged:
            del self._open[call]
            if not left and event.call_id is not None:
                self._end(event.call_id, event.outcome == "failed")

    def _end(self, call_id: str, failed: bool) -> None:
        now, before = self._completed, self._failed
        if failed:
            now, before = before, now
        before.pop(call_id, None)
        now[call_id] = None

    def uncertain(self) -> tuple[Action, ...]:
        """Return the calls without a result, oldest first."""
        return tuple(
            action_of(event, "uncertain", self._directory) for event in self._open.values()
        )

    def completed(self) -> tuple[str, ...]:
        """Return the ids of the calls that succeeded."""
        return tuple(self._completed)

    def failed(self) -> tuple[str, ...]:
        """Return the ids of the calls that failed."""
        return tuple(self._failed)
