"""The memory of a session as a fold over its events, in constant time per event.

Pure: events in, frozen data out. Its state can be saved as plain data and restored.
"""

from __future__ import annotations

from typing import Any

from ..folds.repeats import REPEAT
from ..model.agent import Agent
from ..model.event import FOREIGN, Event
from ..model.memory import LISTS, SessionMemory
from ..model.timeline import Alive
from .notes import KEPT, Notes
from .rules import ActionRules


class MemoryFold:
    """Folds the events of one session; keeps the newest items per list, or all with `keep_all`."""

    def __init__(self, session: str, agent: Agent, keep_all: bool = False) -> None:
        self.session = session
        self._notes = Notes(None if keep_all else KEPT)
        self._rules = agent.rules(self._notes) if agent.rules else ActionRules(self._notes)
        self._count = 0
        self._first: str | None = None
        self._last: str | None = None

    def add(self, event: Event) -> None:
        """Process the next event."""
        if event.kind != "damaged" and event.problem not in (FOREIGN, REPEAT):
            if not self._count:
                self._first = event.event_id
            self._count += 1
            self._last = event.event_id
        self._rules.add(event)

    def interrupt(self) -> None:
        """Mark the open calls as uncertain for good: the agent that made them is gone."""
        self._rules.interrupt()

    def memory(self, alive: Alive = False, since: int = 0) -> SessionMemory:
        """Return the current memory.

        If `alive`, an agent may deliver the results of calls open at the end, so they are running
        rather than uncertain; if None, they are `unknown`. In a fork, calls before the offset
        `since` belong to its source.
        """
        standing = self._rules.standing(alive, since)
        lists = {name: self._notes.kept(name, standing.get(name, ())) for name in LISTS}
        goal = self._notes.goal
        return SessionMemory(
            session=self.session,
            current_goal=goal,
            goal=self._rules.typed(goal.text) if goal else "",
            event_count=self._count,
            first_event_id=self._first,
            last_event_id=self._last,
            dropped={name: dropped for name, (_, dropped) in lists.items()},
            **{name: items for name, (items, _) in lists.items()},
        )

    def as_json(self) -> dict[str, Any]:
        """Return plain data from which the fold can be restored."""
        return {
            "session": self.session,
            "keep_all": self._notes.keep is None,
            "count": self._count,
            "first": self._first,
            "last": self._last,
            "notes": self._notes.as_json(),
            "rules": self._rules.as_json(),
        }

    @classmethod
    def from_json(cls, agent: Agent, data: dict[str, Any]) -> MemoryFold:
        """Restore from the result of `as_json`."""
        fold = cls(data["session"], agent, data["keep_all"])
        fold._count, fold._first, fold._last = data["count"], data["first"], data["last"]
        fold._notes.restore(data["notes"])
        fold._rules.restore(data["rules"])
        return fold
