"""Navigation between the open session and its family: sub-agents, forks, and origins.

Going back from a sub-agent returns to its call, at any depth. Opening another session in a
different way starts a new trail.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from ...storage.model.session import Session
from ...widgets.timeline.timeline import Timeline
from ..notify.toast import say

if TYPE_CHECKING:
    from .screen import BrowseScreen

Way = Literal["up", "down"]

NOWHERE: dict[Way, str] = {
    "up": "This session has no parent",
    "down": "Nothing to open: no sub-agent or follow-up session",
}


class Step(NamedTuple):
    """One step of the trail: the session entered, and the session and row it was entered from."""

    into: Path
    path: Path
    offset: int | None


class FamilyTrail:
    """Finds relatives of the shown session, and remembers how the user got there."""

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self._sessions: Mapping[Path, Session] = {}
        self._doors: dict[Path, dict[int, Path]] = {}
        """For each parent and offset of a call, the sub-agent that works for that call."""
        self._trail: list[Step] = []

    def know(self, sessions: Mapping[Path, Session]) -> None:
        """Replace the sessions."""
        self._sessions = sessions
        self._doors = {}
        for session in sessions.values():
            if session.parent_path and session.calls:
                doors = self._doors.setdefault(session.parent_path, {})
                doors.update(dict.fromkeys(session.calls, session.path))
        self.show_doors()

    def show_doors(self) -> None:
        """Mark the calls of the open session that have a sub-agent to enter."""
        path = self._screen.reading.path
        for timeline in self._screen.query(Timeline):
            timeline.set_doors(self._doors.get(path, {}) if path else {})

    def enter(self, offset: int) -> bool:
        """Open the sub-agent of the call at an offset; return whether there is one."""
        path = self._screen.reading.path
        if path is None or (child := self._doors.get(path, {}).get(offset)) is None:
            return False
        self._go(child, path, offset)
        return True

    def back(self) -> bool:
        """Go back to the row from which the session was entered; return False if there is none."""
        screen = self._screen
        if not self._trail or screen.parts.newest(self._trail[-1].into) != screen.reading.path:
            self._trail.clear()
            return False
        step = self._trail.pop()
        screen.show_event(step.path, step.offset)
        return True

    def go(self, way: Way) -> None:
        """Go to the parent or origin (`up`), or to a child or continuation (`down`)."""
        session = self._screen.session
        if session is None or not (self._up(session) if way == "up" else self._down(session)):
            say(self._screen.app, NOWHERE[way])

    def _up(self, session: Session) -> bool:
        if session.parent_path is not None:
            self._trail.clear()
            self._screen.show_event(session.parent_path, next(iter(session.calls), None))
            return True
        if session.origin is None:
            return False
        if session.origin.path is None:
            say(self._screen.app, f"Session {session.origin.session} is not there any more")
        else:
            self._go(session.origin.path, session.path, self._row_of(session))
        return True

    def _down(self, session: Session) -> bool:
        row = self._row_of(session)
        if row is not None and self.enter(row):
            return True
        after = [one for one in self._sessions.values() if _comes_from(one, session.path)]
        if not after:
            return False
        latest = max(after, key=lambda one: (one.updated_at or 0, one.path))
        self._go(latest.path, session.path, row)
        return True

    def _row_of(self, session: Session) -> int | None:
        """Return the address of the row under the cursor if the session is open, else None."""
        current = self._screen.query_one(Timeline).current
        return current.offset if current and session.path == self._screen.reading.path else None

    def _go(self, into: Path, path: Path, offset: int | None) -> None:
        if self._trail and self._trail[-1].into != path:
            self._trail.clear()
        self._trail.append(Step(into, path, offset))
        self._screen.show_event(into, None)


def _comes_from(session: Session, path: Path) -> bool:
    return session.origin is not None and session.origin.path == path
