"""`sessions open`, or `sessions` alone: the screen."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from ...storage.stores.discovery import discover
from ..startup import garbage as collecting
from ..startup.early import Early
from ..startup.frames import quick_frames
from .scope import DONE, Scope, UsageError, files_named, find_path, say, scope_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("session", metavar="SESSION", nargs="?", help="the one to begin with")
    parser.add_argument(
        "--or-demo", action="store_true", help="the demo where there are no transcripts"
    )


def run(options: argparse.Namespace) -> int:
    """Show the screen until it is left."""
    scope, query = scope_of(options), getattr(options, "session", None)
    files = files_named(scope, [query]) if query else ()
    roots = replace(scope.roots, found=(*scope.roots.found, *files))
    found = [file for root in roots.found for file in discover(root).files] if query else []
    opened = find_path(query, [(file.session, file.path) for file in found]) if query else None
    if getattr(options, "or_demo", False) and not any(discover(r).files for r in roots.found):
        from . import demo_

        return demo_.run(options)
    code = show(replace(scope, roots=roots), opened)
    if code is None:
        from . import demo_

        return demo_.run(options)
    return code


def show(scope: Scope, opened: Path | None = None, about: str = "all roots") -> int | None:
    """Show the screen over a scope, beginning with a transcript if one is named.

    `about` says in a few words what is shown.

    The exit code, or None where the person asks for the demo instead.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("The screen needs a terminal; `sessions list` prints without one.")
    early = Early(scope.roots, scope.places, scope.config.review_days)
    collecting.rest()
    with quick_frames():
        from ..desk import Desk

        desk = Desk(
            scope.roots,
            scope.places,
            scope.config,
            opened=opened,
            about=about,
            early=early,
            started=collecting.take_up,
        )
    for problem in desk.problems:
        say(problem)
    wants_demo = desk.run()
    return None if wants_demo else desk.return_code or DONE
