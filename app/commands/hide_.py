"""`sessions hide`: hide a session from the list, or show it again."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...storage.decisions.decisions import Decisions
from .personal import decide


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument("--undo", action="store_true", help="show it again")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Hide or show the session, then print it."""
    done = "Shown again." if options.undo else "Hidden; list --all shows it."
    return decide(
        options, lambda kept, *about: _keep(kept, not options.undo, *about), done, options.undo
    )


def _keep(kept: Decisions, hidden: bool, session: str, path: Path, now: int) -> None:
    kept.set_hidden(session, path, hidden, now)
