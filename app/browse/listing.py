"""The contents of the list of sessions: the sessions, their bookmarks and their arrangement."""

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
    """The latest sessions from the feed, and how the user has arranged them."""

    def __init__(self) -> None:
        self.sessions: dict[Path, Session] = {}
        self.marks = ReadState({}, 0)
        """The bookmark of each session."""
        self.parts = PartPaths()
        self._arrangement = Arrangement()

    def told(self, message: SessionsChanged) -> None:
        """Replace the sessions and bookmarks."""
        self.sessions = {session.path: session for session in message.sessions}
        self.marks = message.bookmarks
        self.parts.know(message.sessions)

    def mark(self, path: Path) -> Bookmark | None:
        """Return the bookmark of a session."""
        session = self.sessions.get(path)
        return self.marks.mark(session) if session else None

    def group(self) -> None:
        """Toggle grouping by day and by workspace."""
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
        """Show only the sessions that match a filter."""
        self._arrangement = replace(self._arrangement, filter=filter)

    def moved(self, path: Path) -> Path | None:
        """Return the new path of a transcript that was moved; None if none or several match."""
        sessions = self.sessions.values()
        if path in self.sessions or any(path in one.paths for one in sessions):
            return None
        found = [one.path for one in sessions if path.name in {part.name for part in one.paths}]
        return found[0] if len(found) == 1 else None

    def entries(self, now: int, opened: Path | None) -> list[Entry]:
        """Return the list's entries at a time; the session `opened` never counts as unread."""
        sessions = list(self.sessions.values())
        unread = self.marks.unread(sessions) - {opened}
        pinned = frozenset(session.path for session in sessions if session.pinned)
        self._arrangement = replace(self._arrangement, unread=unread, pinned=pinned)
        return entries(sessions, self._arrangement, now)

    @property
    def empty(self) -> str:
        """The text to show if the list is empty."""
        why = " ".join(fault.sentence for fault in self._arrangement.filter.faults) or "No match."
        return f"{why} Escape shows all." if self.sessions else "No sessions."

    def read_all(self, now: int) -> dict[Path, Bookmark]:
        """Return bookmarks that mark all unread sessions as read."""
        return self.marks.read(self._arrangement.unread, now)
