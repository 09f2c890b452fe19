"""Builds the list of sessions that the feed posts, and hands over the first one at startup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event

from ...storage.private.bookmarks import Bookmark, Bookmarks
from .context import Context
from .messages import Progress, ReadState, SessionsChanged

PATIENCE = 0.1
"""Maximum seconds that screen and feed wait for each other at startup."""


class LatestList:
    """The latest list, on which screen and feed wait during startup.

    Used by both threads: the feed replaces the list, which is never modified, and the rest are
    events.
    """

    def __init__(self) -> None:
        self._list: SessionsChanged | None = None
        self._is_told, self._is_shown = Event(), Event()

    def replace(self, message: SessionsChanged) -> bool:
        """Store a new list; return whether it differs from the previous one."""
        if message == self._list:
            return False
        self._list = message
        self._is_told.set()
        return True

    def wait(self) -> SessionsChanged | None:
        """Return the latest list, waiting at most `PATIENCE` seconds for the first."""
        self._is_told.wait(PATIENCE)
        return self._list

    def set_shown(self) -> None:
        """Signal that the first list is on screen."""
        self._is_shown.set()

    def wait_until_shown(self) -> None:
        """Wait until the first list is on screen, at most `PATIENCE` seconds."""
        self._is_shown.wait(PATIENCE)


class SessionLists:
    """Build lists of all sessions, and store the bookmarks of each."""

    def __init__(self, context: Context, data: Path) -> None:
        self._library, self._decisions, self._now = context.library, context.decisions, context.now
        self._bookmarks = Bookmarks(data, self._now())
        self._marks = self._bookmarks.all()

    def open(self) -> None:
        """Open the database of bookmarks, creating it if necessary, which takes a while."""
        self._bookmarks.open()

    def close(self) -> None:
        """Close the database."""
        self._bookmarks.close()

    def keep(self, marks: Mapping[Path, Bookmark]) -> None:
        """Save bookmarks."""
        self._marks.update(marks)
        self._bookmarks.keep(marks.items())

    def make(self, progress: Progress, problems: Sequence[str], trouble: str) -> SessionsChanged:
        """Return the current list.

        `problems` are those of the watchers; `trouble` is the last error of the feed, or "".
        """
        sessions = self._library.sessions(self._now())  # first, as it may add to `unreadable`
        unreadable = [f"{p.path}: {p.reason}" for p in self._library.unreadable.values()]
        notices = (self._library.notice, self._decisions.notice, self._bookmarks.notice, trouble)
        return SessionsChanged(
            sessions,
            progress,
            ReadState(dict(self._marks), self._bookmarks.first_run_at),
            [*unreadable, *problems, *filter(None, notices)],
        )
