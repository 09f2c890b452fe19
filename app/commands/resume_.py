"""`sessions resume`: resume a session in its agent, after showing the command."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from ...storage.model.session import Session
from ...storage.resume.probe import circumstances_of
from ...storage.resume.resumption import Resumption, resumption
from ..output.resumption_lines import resumption_lines
from ..output.shapes import to_json
from ..output.streams import say
from ..terminal.run import run_here
from .scope import DONE, TROUBLE, Refusal, UsageError, find_session, library_of, scope_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION")
    parser.add_argument("--dry-run", action="store_true", help="only print what would run")
    parser.add_argument("--yes", action="store_true", help="run it without asking")
    parser.add_argument("--json", action="store_true", help="with --dry-run: one JSON document")
    parser.epilog = (
        "The exit code is that of the agent's command, 128 plus the signal number if a signal "
        "ended it, 1 if it is refused or cannot be started."
    )


def run(options: argparse.Namespace) -> int:
    """Show what will run, ask, and run it; return the command's exit code."""
    if options.json and not options.dry_run:
        raise UsageError("--json requires --dry-run.")
    session, wanted = _look(options)
    if options.json:
        print(to_json(_shape(session, wanted)))
    elif not wanted.refusal:
        # Standard output is reserved for the agent's own output.
        out = sys.stdout if options.dry_run else sys.stderr
        print("\n".join(resumption_lines(wanted)), file=out, flush=True)
    if wanted.refusal:
        raise Refusal(wanted.refusal)
    if options.dry_run or not (options.yes or _agreed(wanted)):
        return DONE
    ended = run_here(wanted.command, wanted.cwd, wanted.environment)
    if ended.problem:
        say(f"{wanted.command[0]} {ended.problem}.")
    return ended.code if ended.started else TROUBLE


def _look(options: argparse.Namespace) -> tuple[Session, Resumption]:
    now, scope = int(time.time() * 1000), scope_of(options)
    with library_of(scope, [options.session]) as library:
        path = find_session(library, options.session)
        library.read(path)
        session = library.session(path, now)
    if session is None:
        raise UsageError(f"{path} cannot be read: {library.unreadable[path].reason}.")
    around = circumstances_of(session, scope.config.resume, os.environ, Path.home(), now)
    return session, resumption(session, around)


def _agreed(wanted: Resumption) -> bool:
    """Ask the user whether to run it; plain enter means yes unless there are warnings."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("Not interactive: pass --yes to run it.")
    print("Run it? [y/N] " if wanted.warnings else "Run it? [Y/n] ", end="", file=sys.stderr)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        return False
    return line.strip().casefold() in (("y", "yes") if wanted.warnings else ("", "y", "yes"))


def _shape(session: Session, wanted: Resumption) -> Mapping[str, object]:
    return {
        "session": session.session,
        "path": os.fspath(session.path),
        "command": list(wanted.command),
        "cwd": wanted.cwd or None,
        "environment": dict(wanted.environment),
        "warnings": list(wanted.warnings),
        "refusal": wanted.refusal or None,
    }
