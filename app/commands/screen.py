"""The screen over a scope, as the commands that open it show it."""

from __future__ import annotations

import sys
from pathlib import Path

from ..output.streams import say
from ..startup import garbage
from ..startup.early import Early
from ..startup.frames import quick_frames
from .scope import DONE, Scope, UsageError


def show(scope: Scope, opened: Path | None = None, about: str = "all sources") -> int | None:
    """Show the screen over a scope, beginning with a transcript if one is named.

    `about` says in a few words what is shown.

    The exit code, or None where the person asks for the demo instead.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("Not a terminal. Use `sessions list` for plain output.")
    early = Early(scope.roots, scope.places, scope.config.review_days)
    garbage.rest()
    with quick_frames():
        from ..desk import Desk

        desk = Desk(
            scope.roots,
            scope.places,
            scope.config,
            opened=opened,
            about=about,
            early=early,
            started=garbage.take_up,
        )
    for problem in desk.problems:
        say(problem)
    wants_demo = desk.run()
    return None if wants_demo else desk.return_code or DONE
