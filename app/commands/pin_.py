"""`sessions pin`: pin a session to the top of the list, or unpin it."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...storage.decisions.decisions import Decisions
from .personal import decide


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument("--undo", action="store_true", help="unpin")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Pin or unpin the session, then print it."""
    done = "Unpinned." if options.undo else "Pinned to the top."
    return decide(
        options, lambda kept, *about: _keep(kept, not options.undo, *about), done, options.undo
    )


def _keep(kept: Decisions, pinned: bool, session: str, path: Path, now: int) -> None:
    kept.set_pinned(session, path, pinned, now)
