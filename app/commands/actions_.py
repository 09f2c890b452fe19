"""`sessions actions`: calls that were interrupted or never started, of one session or of all.

With them stand the effects without a record: files that a dead session changed, or may have.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ...storage.case import Case
from ...storage.library import Library
from ...storage.parts import Parts
from ...storage.reviewing import judged_actions
from ...widgets.agent_note import agent_note
from ..action_lines import action_lines
from ..action_shapes import action_shape
from ..lines import columns
from ..scope import (
    DONE,
    PARTIAL,
    desk_of,
    effects_found,
    is_alive,
    look_around,
    parts_of,
    read_parts,
    report_decisions,
    report_unreadable,
    say,
    scope_of,
)
from ..shapes import to_json

Judged = Callable[[Parts, int], Iterator[Case]]
"""The cases of one part of a session."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("session", metavar="SESSION", nargs="?", help="all when none is named")
    parser.add_argument("--all", action="store_true", help="running and ended ones too")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON document")
    form.add_argument(
        "--for-agent",
        action="store_true",
        help="a note for the agent: what you found out of each, and what is not checked yet",
    )


def run(options: argparse.Namespace) -> int:
    """Print the actions, newest first; 6 when a transcript cannot be read."""
    scope, named = scope_of(options), options.session
    with desk_of(scope, [named] if named else []) as (library, decisions):

        def judged(parts: Parts, part: int) -> Iterator[Case]:
            transcript = parts.transcripts[part]
            alive, path = is_alive(library, transcript.path), transcript.path
            effects = effects_found(library, transcript)
            for action in judged_actions(
                transcript,
                alive,
                options.all,
                decisions,
                _now(),
                others=library.namesakes(path),
                ties=parts.ties(part),
                effects=effects,
            ):
                yield Case(action, path, "", "", directory=transcript.directory)

        if named:
            cases = _of_one(read_parts(library, named), judged)
            code = DONE
        else:
            cases, code = _of_all(library, options.all, judged)
            code = code or report_unreadable(scope, library)
            look_around(scope, library)
        code = code or report_decisions(decisions)
    _print(cases, options)
    return code


def _of_one(parts: Parts, judged: Judged) -> list[Case]:
    integrity = parts.integrity()
    if integrity.state != "ok":
        say(f"The transcript is {integrity.state}: {integrity.detail}.")
    newest_first = reversed(range(len(parts.transcripts)))
    return [case for part in newest_first for case in judged(parts, part)]


def _of_all(library: Library, all: bool, judged: Judged) -> tuple[list[Case], int]:
    library.read_all()
    found: list[Case] = []
    code = DONE
    for path in library.newest_first():
        if not (all or _may_be_open(library, path)):
            continue
        try:
            parts = parts_of(library, path)
            found += judged(parts, parts.paths.index(path))
        except OSError as error:
            say(f"{path} cannot be read: {error.strerror or error}.")
            code = PARTIAL
    return sorted(found, key=lambda case: case.action.at or 0, reverse=True), code


def _may_be_open(library: Library, path: Path) -> bool:
    """Whether a transcript has open calls or effects, or an unterminated record that may be one."""
    known = library.known(path)
    if known is None:
        return False
    facts = known.facts
    if facts.open_calls or facts.responses.cut:
        return True
    return known.foothold.size > known.foothold.offset


def _print(cases: list[Case], options: argparse.Namespace) -> None:
    if options.json:
        print(to_json([action_shape(case.action) for case in cases]))
    elif not cases:
        say("There are no calls." if options.all else "No call is uncertain or pending.")
    elif options.for_agent:
        uncertain = [case for case in cases if case.action.state == "uncertain"]
        if uncertain:
            print(agent_note(uncertain, _now()))
    else:
        for case in cases:
            print("\n".join(action_lines(case.action, columns())))


def _now() -> int:
    return int(time.time() * 1000)
