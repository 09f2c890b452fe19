"""Calls the person to a session that needs them: in passing, by bell, in the terminal's title."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual.app import App

from ..storage.session import Session
from .notices import Lookout
from .saying import announce
from .terminal import keep_title, set_title

NAME = "sessions"


class Attention:
    """Tells what happens to sessions. `rings`: also where the screen cannot be seen."""

    def __init__(self, app: App[Any], rings: bool) -> None:
        self._app = app
        self._rings = rings
        self._lookout = Lookout()
        self._title = ""

    def begin(self) -> None:
        """The terminal's title is to be given back."""
        if self._rings:
            keep_title(self._app)

    def end(self) -> None:
        """Give it back."""
        if self._rings:
            set_title(self._app, None)

    def look(self, sessions: Sequence[Session], now: int, shown: Path | None) -> None:
        """Tell what changed in the sessions; `shown` is the one that is open."""
        notices = self._lookout.look(sessions, now)
        announce(self._app, notices, shown)
        if not self._rings:
            return
        if notices and not (self._app.app_focus and all(one.path == shown for one in notices)):
            self._app.bell()
        need_you = sum(session.family_needs_you and not session.parent_path for session in sessions)
        title = (
            f"{NAME}: {need_you} {'needs' if need_you == 1 else 'need'} you" if need_you else NAME
        )
        if title != self._title:
            self._title = title
            set_title(self._app, title)
