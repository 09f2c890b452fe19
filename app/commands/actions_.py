"""`sessions actions`: calls that were interrupted or never started, of one session or of all."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ...storage.action import Action
from ...storage.library import Library
from ...storage.reviewing import judged_actions
from ...storage.transcript import Transcript
from ..action_lines import action_lines
from ..action_shapes import action_shape
from ..lines import columns
from ..scope import (
    DONE,
    PARTIAL,
    desk_of,
    is_alive,
    look_around,
    read_session,
    report_unreadable,
    say,
    scope_of,
)
from ..shapes import to_json

Judged = Callable[[Transcript], Iterator[Action]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("session", metavar="SESSION", nargs="?", help="all when none is named")
    parser.add_argument("--all", action="store_true", help="running and ended ones too")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print the actions, newest first; 6 when a transcript cannot be read."""
    scope, named = scope_of(options), options.session
    with desk_of(scope, [named] if named else []) as (library, decisions):

        def judged(transcript: Transcript) -> Iterator[Action]:
            alive, now = is_alive(library, transcript.path), int(time.time() * 1000)
            return judged_actions(transcript, alive, options.all, decisions, now)

        if named:
            actions = _of_one(read_session(library, named), judged)
            code = DONE
        else:
            actions, code = _of_all(library, options.all, judged)
            code = code or report_unreadable(scope, library)
            look_around(scope, library)
    _print(actions, options.json)
    return code


def _of_one(transcript: Transcript, judged: Judged) -> list[Action]:
    integrity = transcript.integrity()
    if integrity.state != "ok":
        say(f"The transcript is {integrity.state}: {integrity.detail}.")
    return list(judged(transcript))


def _of_all(library: Library, all: bool, judged: Judged) -> tuple[list[Action], int]:
    library.read_all()
    found: list[Action] = []
    code = DONE
    for path in library.newest_first():
        if not (all or _may_be_open(library, path)):
            continue
        try:
            library.read(path)
            found += judged(library.transcript(path))
        except OSError as error:
            say(f"{path} cannot be read: {error.strerror or error}.")
            code = PARTIAL
    return sorted(found, key=lambda action: action.at or 0, reverse=True), code


def _may_be_open(library: Library, path: Path) -> bool:
    """Whether a transcript has open calls, or an unterminated record that may be one."""
    known = library.known(path)
    if known is None:
        return False
    return bool(known.facts.open_calls) or known.foothold.size > known.foothold.offset


def _print(actions: list[Action], as_json: bool) -> None:
    if as_json:
        print(to_json([action_shape(action) for action in actions]))
        return
    for action in actions:
        print("\n".join(action_lines(action, columns())))
