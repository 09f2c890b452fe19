"""`sessions title`: set a session's title, or restore the agent's."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...storage.decisions.decisions import Decisions
from .personal import decide


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", help="without it, restore the agent's title"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Set or restore the title, then print the session."""
    text = " ".join((options.text or "").split()) or None
    done = "Title saved." if text else "Restored the agent's title."
    return decide(options, lambda kept, *about: _keep(kept, text, *about), done, not text)


def _keep(kept: Decisions, text: str | None, session: str, path: Path, now: int) -> None:
    kept.set_title(session, path, text, now)
