"""The memory of a session as a fold over its events: each costs the same, however many came before.

Pure: events in, frozen data out. It can be put away as plain data and taken up again.
"""

from __future__ import annotations

from typing import Any, Protocol

from ..agents.mycodeagent.memory import MyCodeAgentRules
from ..agents.mycodeagent.reader import FOREIGN
from ..folds.repeats import REPEAT
from ..model.event import Event
from ..model.memory import LISTS, ListName, MemoryItem, SessionMemory
from ..model.timeline import Alive
from .notes import KEPT, Notes
from .rules import ActionRules


class Rules(Protocol):
    """What a dialect's events tell to remember."""

    def add(self, event: Event) -> None:
        """Take in the next event, damaged ones included."""
        ...

    def typed(self, goal: str) -> str:
        """What was typed of a goal."""
        ...

    def interrupt(self) -> None:
        """Nobody brings results any more of the calls that are open now."""
        ...

    def standing(self, alive: Alive, since: int) -> dict[ListName, list[MemoryItem]]:
        """What stands as long as nothing more comes; `alive`: an agent may bring results.

        Calls before the offset `since` are not this session's.
        """
        ...

    def as_json(self) -> dict[str, Any]:
        """Plain data from which `restore` goes on."""
        ...

    def restore(self, data: dict[str, Any]) -> None:
        """Go on from what `as_json` gave."""
        ...


class MemoryFold:
    """Folds the events of one session; keeps the newest of each list, or all with `keep_all`."""

    def __init__(self, session: str, dialect: str, keep_all: bool = False) -> None:
        self.session = session
        self.dialect = dialect
        self._notes = Notes(None if keep_all else KEPT)
        self._rules = _rules_of(dialect, self._notes)
        self._count = 0
        self._first: str | None = None
        self._last: str | None = None

    def add(self, event: Event) -> None:
        """Take in the next event."""
        if event.kind != "damaged" and event.problem not in (FOREIGN, REPEAT):
            if not self._count:
                self._first = event.event_id
            self._count += 1
            self._last = event.event_id
        self._rules.add(event)

    def interrupt(self) -> None:
        """Whoever was at work is gone: what is open now is uncertain, whoever is alive later."""
        self._rules.interrupt()

    def memory(self, alive: Alive = False, since: int = 0) -> SessionMemory:
        """The memory as it is now.

        With `alive`, an agent is there to bring the results of the calls that are open at the
        end: those are running, not uncertain. Where nobody can tell, they are `unknown`. Of a fork,
        calls before the offset `since` are its source's.
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
        """Plain data from which the fold can be taken up again."""
        return {
            "session": self.session,
            "dialect": self.dialect,
            "keep_all": self._notes.keep is None,
            "count": self._count,
            "first": self._first,
            "last": self._last,
            "notes": self._notes.as_json(),
            "rules": self._rules.as_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> MemoryFold:
        """What `as_json` gave."""
        fold = cls(data["session"], data["dialect"], data["keep_all"])
        fold._count, fold._first, fold._last = data["count"], data["first"], data["last"]
        fold._notes.restore(data["notes"])
        fold._rules.restore(data["rules"])
        return fold


def _rules_of(dialect: str, notes: Notes) -> Rules:
    return MyCodeAgentRules(notes) if dialect == "mycodeagent" else ActionRules(notes)
