"""Opens the terminal UI, for the commands that do so."""

from __future__ import annotations

import sys
from pathlib import Path

from ..output.streams import say
from ..startup import garbage
from ..startup.early import Early
from ..startup.frames import quick_frames
from .scope import DONE, Scope, UsageError


def show(scope: Scope, opened: Path | None = None, about: str = "all sources") -> int | None:
    """Run the terminal UI on a scope, opening a transcript first if one is given.

    `about` describes the scope in a few words. Returns the exit code, or None if the user asked for
    the demo.
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
