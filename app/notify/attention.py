"""Draws attention to sessions: by notification, by bell, in the terminal's title."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App
from textual.timer import Timer

from ...storage.model.session import Session
from ...widgets.words.safe import safe
from ..feed.messages import SessionsChanged
from ..terminal.terminal import keep_title, set_title
from .notices import REST, Lookout
from .toast import announce

NAME = "sessions"


class Attention:
    """Announces changes of sessions. `rings`: also by the bell and the terminal's title."""

    def __init__(self, app: App[Any], rings: bool) -> None:
        self._app = app
        self._rings = rings
        self._lookout = Lookout()
        self._said: frozenset[str] = frozenset()
        """The problems already reported."""
        self._title = ""
        self._again: Timer | None = None
        """Triggers another look when nothing else changes."""

    def begin(self) -> None:
        """Save the terminal's title."""
        if self._rings:
            keep_title(self._app)

    def end(self) -> None:
        """Restore the terminal's title."""
        if self._rings:
            set_title(self._app, None)

    def look(self, message: SessionsChanged, now: int, shown: Path | None) -> None:
        """Announce what changed in the sessions; `shown` is the open one."""
        self._tell_problems(message.problems)
        self._look(message.sessions, now, shown)
        title = title_for(message.sessions)
        if self._rings and title != self._title:
            self._title = title
            set_title(self._app, title)

    def _look(self, sessions: Sequence[Session], now: int, shown: Path | None) -> None:
        notices = self._lookout.look(sessions, now)
        if self._again is not None:
            self._again.stop()
        again = partial(self._look, sessions, now + REST, shown)
        self._again = self._app.set_timer(REST / 1000, again) if self._lookout.waits else None
        announce(self._app, notices, shown)
        is_seen = self._app.app_focus and all(one.path == shown for one in notices)
        if self._rings and notices and not is_seen:
            self._app.bell()

    def _tell_problems(self, problems: Iterable[str]) -> None:
        """Report each problem once."""
        for problem in sorted(set(problems) - self._said):
            self._app.notify(safe(problem, 300).plain, severity="warning", markup=False)
        self._said |= set(problems)


def title_for(sessions: Iterable[Session]) -> str:
    """Return the terminal's title for these sessions."""
    need_you = sum(one.family_needs_you and not one.parent_path for one in sessions)
    if not need_you:
        return NAME
    return f"{NAME}: {need_you} {'needs' if need_you == 1 else 'need'} you"
