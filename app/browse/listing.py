"""What the list of sessions shows: what is known of them, and how the person wants them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...storage.model.session import Session
from ...storage.private.bookmarks import Bookmark
from ...widgets.sessions.grouping import Arrangement, Entry, entries
from ...widgets.words.session_filter import SessionFilter
from ..feed.messages import ReadState, SessionsChanged
from ..selection.part_paths import PartPaths


class Listing:
    """The sessions that the feed told last, and their arrangement."""

    def __init__(self) -> None:
        self.sessions: dict[Path, Session] = {}
        self.marks = ReadState({}, 0)
        """Where the person was in each."""
        self.parts = PartPaths()
        self._arrangement = Arrangement()

    def told(self, message: SessionsChanged) -> None:
        """Take the sessions as they are now."""
        self.sessions = {session.path: session for session in message.sessions}
        self.marks = message.bookmarks
        self.parts.know(message.sessions)

    def mark(self, path: Path) -> Bookmark | None:
        """Where the person was in a session."""
        session = self.sessions.get(path)
        return self.marks.mark(session) if session else None

    def group(self) -> None:
        """Group by day, or by workspace."""
        by_day = self._arrangement.group_by == "day"
        group_by = "workspace" if by_day else "day"
        self._arrangement = replace(self._arrangement, group_by=group_by)  # type: ignore[arg-type]

    def fold(self, path: Path, unfolded: bool) -> None:
        """Show or hide the sub-agents of a session."""
        before = self._arrangement.unfolded
        paths = self.sessions[path].paths if path in self.sessions else (path,)
        changed = before | {path} if unfolded else before.difference(paths)
        self._arrangement = replace(self._arrangement, unfolded=changed)

    def filter(self, filter: SessionFilter) -> None:
        """Show only the sessions that meet a filter."""
        self._arrangement = replace(self._arrangement, filter=filter)

    def moved(self, path: Path) -> Path | None:
        """Where a transcript lies now that is not where it was; None where nobody can tell."""
        sessions = self.sessions.values()
        if path in self.sessions or any(path in one.paths for one in sessions):
            return None
        found = [one.path for one in sessions if path.name in {part.name for part in one.paths}]
        return found[0] if len(found) == 1 else None

    def entries(self, now: int, opened: Path | None) -> list[Entry]:
        """The list at a moment, while a session is open."""
        sessions = list(self.sessions.values())
        unread = self.marks.unread(sessions) - {opened}
        pinned = frozenset(session.path for session in sessions if session.pinned)
        self._arrangement = replace(self._arrangement, unread=unread, pinned=pinned)
        return entries(sessions, self._arrangement, now)

    @property
    def empty(self) -> str:
        """Why there is nothing in the list, where that is so."""
        why = " ".join(fault.sentence for fault in self._arrangement.filter.faults) or "No match."
        return f"{why} Escape shows all." if self.sessions else "No sessions."

    def read_all(self, now: int) -> dict[Path, Bookmark]:
        """Where the person is once all that was unread counts as read."""
        return self.marks.read(self._arrangement.unread, now)
