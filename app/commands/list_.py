"""`sessions list`: print every session with its status, and why it has that status."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from ...storage.library.library import Library
from ...storage.library.surroundings import order
from ...storage.library.update import first_and_rest
from ...storage.model.session import Session, Status
from ...storage.text.folding import fold
from ...widgets.words.session_filter import moment
from ..output.lines import columns, session_lines, short_ids
from ..output.shapes import session_shape, to_json
from ..output.streams import say
from .scope import UsageError, library_of, look_around, report_unreadable, scope_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--workspace", metavar="TEXT", help="only sessions whose directory contains TEXT"
    )
    parser.add_argument(
        "--status",
        type=str.casefold,
        choices=get_args(Status),
        metavar="STATUS",
        help="only sessions with this status: " + ", ".join(get_args(Status)),
    )
    parser.add_argument(
        "--since",
        metavar="TIME",
        help="only sessions active since TIME (2h, 3d, today, yesterday, 2026-11-20)",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most N")
    parser.add_argument(
        "--why",
        action="store_true",
        help="explain each status",
    )
    parser.add_argument("--children", action="store_true", help="include sub-agents")
    parser.add_argument(
        "--all", action="store_true", help="include hidden, archived and deleted sessions"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print the sessions."""
    if options.limit is not None and options.limit < 0:
        raise UsageError("--limit takes a number of sessions, 0 or more.")
    now = int(time.time() * 1000)
    since = _since(options.since, now)
    scope = scope_of(options)
    with library_of(scope) as library:
        first, rest = first_and_rest(library)
        library.read_all(only=() if options.children else first)
        if lost := library.lost_responses(now):
            from ...storage.review.seen_effects import see_effects  # most lists do without it

            see_effects(library, lost, now)
        sessions = list(_wanted(library, options, since, now))
        ordered = _with_children(sorted(sessions, key=order))[: options.limit]
        if options.json:
            print(to_json(_document(ordered, library)))
        else:
            _print_lines(ordered, library, now, options.why)
            if not sessions and any(library.files()):
                say("No session matches.")
            look_around(scope, library)
        if rest and not options.children:
            count = f"{len(rest):,} older sub-agents"
            say(f"{count} were not read and do not count here; --children reads them all.")
        return report_unreadable(scope, library)


def _since(text: str | None, now: int) -> int | None:
    if text is None:
        return None
    since = moment(text.casefold(), now)
    if since is None:
        raise UsageError("Invalid value for --since. Use 2h, 3d, today, yesterday or 2026-11-20.")
    return since


def _wanted(
    library: Library, options: argparse.Namespace, since: int | None, now: int
) -> Iterator[Session]:
    workspace = fold(options.workspace or "")
    for session in library.sessions(now):
        if session.parent_path and not options.children:
            continue
        if session.hidden_by and not options.all:
            continue
        if options.status and session.status != options.status:
            continue
        if since is not None and (session.updated_at or 0) < since:
            continue
        if workspace in fold(session.workspace):
            yield session


def _with_children(sessions: list[Session]) -> list[Session]:
    """Return the sessions in printing order, sub-agents directly below their parents."""
    paths = {session.path for session in sessions}
    below: dict[Path | None, list[Session]] = {}
    for session in sessions:
        parent = session.parent_path if session.parent_path in paths else None
        below.setdefault(parent, []).append(session)

    def family(parent: Path | None) -> Iterator[Session]:
        for session in below.get(parent, ()):
            yield session
            yield from family(session.path)

    return list(family(None))


def _document(sessions: list[Session], library: Library) -> dict[str, object]:
    return {
        "sessions": [session_shape(session) for session in sessions],
        "unreadable": [
            {"path": str(problem.path), "reason": problem.reason}
            for problem in library.unreadable.values()
        ],
    }


def _print_lines(sessions: list[Session], library: Library, now: int, why: bool) -> None:
    # Shorten ids against those of all sessions, or they could not be passed to a command.
    ids = short_ids(file.session for file in library.files())
    for line in session_lines(sessions, ids, now, columns(), why):
        print(line)
