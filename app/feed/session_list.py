"""The list of sessions that the feed tells: what is in it, and how the first one gets on screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event

from ...storage.private.bookmarks import Bookmark, Bookmarks
from .context import Context
from .messages import Progress, ReadState, SessionsChanged

PATIENCE = 0.1
"""Seconds that screen and feed wait for one another while the program starts, at most."""


class LatestList:
    """The list that was told last, on which screen and feed wait while the program starts.

    Used by both threads: the feed replaces the list, which nobody changes, and the rest is events.
    """

    def __init__(self) -> None:
        self._list: SessionsChanged | None = None
        self._is_told, self._is_shown = Event(), Event()

    def replace(self, message: SessionsChanged) -> bool:
        """Take the list as it is now; whether it differs from the one before."""
        if message == self._list:
            return False
        self._list = message
        self._is_told.set()
        return True

    def wait(self) -> SessionsChanged | None:
        """The list where it is there soon."""
        self._is_told.wait(PATIENCE)
        return self._list

    def set_shown(self) -> None:
        """The first list is on screen."""
        self._is_shown.set()

    def wait_until_shown(self) -> None:
        """Leave the screen some time for the first list."""
        self._is_shown.wait(PATIENCE)


class SessionLists:
    """Makes lists of all sessions, and keeps where the user was in each."""

    def __init__(self, context: Context, data: Path) -> None:
        self._library, self._decisions, self._now = context.library, context.decisions, context.now
        self._bookmarks = Bookmarks(data, self._now())
        self._marks = self._bookmarks.all()

    def open(self) -> None:
        """Make the database of bookmarks where there is none, which takes a while."""
        self._bookmarks.open()

    def close(self) -> None:
        """Close the database."""
        self._bookmarks.close()

    def keep(self, marks: Mapping[Path, Bookmark]) -> None:
        """Remember where the user was."""
        self._marks.update(marks)
        self._bookmarks.keep(marks.items())

    def make(self, progress: Progress, problems: Sequence[str], trouble: str) -> SessionsChanged:
        """The list now; `problems` are those of watching, `trouble` is what went wrong last."""
        sessions = self._library.sessions(self._now())  # first: it may meet problems
        unreadable = [f"{p.path}: {p.reason}" for p in self._library.unreadable.values()]
        notices = (self._library.notice, self._decisions.notice, self._bookmarks.notice, trouble)
        return SessionsChanged(
            sessions,
            progress,
            ReadState(dict(self._marks), self._bookmarks.first_run_at),
            [*unreadable, *problems, *filter(None, notices)],
        )
