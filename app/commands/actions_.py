"""`sessions actions`: interrupted and unstarted calls of one session or all.

Also lists unrecorded effects: files that a crashed session changed, or may have.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heapreplace
from math import inf
from pathlib import Path

from ...storage.library.library import Library
from ...storage.library.update import UpdateProgress
from ...storage.model.case import Case
from ...storage.review.cases import judged_actions
from ...storage.transcript.parts import Parts
from ...widgets.words.agent_note import agent_note
from ...widgets.words.amounts import count
from ..output.action_lines import action_lines
from ..output.action_shapes import action_shape
from ..output.lines import columns
from ..output.progress import Reporter
from ..output.shapes import print_list
from ..output.streams import say
from .scope import (
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
    scope_of,
)

OPEN = 64
"""Maximum number of transcripts kept open; the cases of any others are read all at once."""

Judged = Callable[[Parts, int], Iterator[Case]]
"""Yields the cases of one part of a session."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION", nargs="?", help="default: all sessions")
    parser.add_argument("--all", action="store_true", help="include running and finished actions")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON document")
    form.add_argument(
        "--for-agent",
        action="store_true",
        help="print a note for the agent: your findings, and what is still unchecked",
    )


def run(options: argparse.Namespace) -> int:
    """Print the actions, newest first; exit code 6 if a transcript cannot be read."""
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

        reporter, unread = Reporter(), list[Path]()
        if named:
            cases = _of_one(read_parts(library, named), judged)
        else:
            library.read_all(lambda progress: reporter.report(lambda: _reading(progress)))
            cases = _of_all(library, options.all, judged, unread)
        _print(reporter.counted(cases, _found), options)
        code = DONE
        if not named:
            code = PARTIAL if unread else report_unreadable(scope, library)
            look_around(scope, library)
        return code or report_decisions(decisions)


def _of_one(parts: Parts, judged: Judged) -> Iterator[Case]:
    integrity = parts.integrity()
    if integrity.state != "ok":
        say(f"The transcript is {integrity.state}: {integrity.detail}.")
    for part in reversed(range(len(parts.transcripts))):
        yield from judged(parts, part)


def _of_all(library: Library, all: bool, judged: Judged, unread: list[Path]) -> Iterator[Case]:
    """Yield the cases of all transcripts, newest first; unreadable ones are added to `unread`."""

    def cases(path: Path) -> Iterator[Case]:
        try:
            parts = parts_of(library, path)
            yield from judged(parts, parts.paths.index(path))
        except OSError as error:
            say(f"{path} cannot be read: {error.strerror or error}.")
            unread.append(path)

    paths = [path for path in library.newest_first() if all or _may_be_open(library, path)]
    return newest_first((_newest(library, path), cases(path)) for path in paths)


def _newest(library: Library, path: Path) -> float:
    """Return a time no earlier than any call of a transcript."""
    overview = library.overview(path)
    if overview is None or overview.fingerprint.size > overview.fingerprint.offset:
        return inf
    return overview.facts.newest_at or 0


def newest_first(sources: Iterable[tuple[float, Iterator[Case]]]) -> Iterator[Case]:
    """Merge several sources of cases, each newest first and none later than its time.

    A source is only read when its time is reached, so that the first case is available quickly.
    """
    heap: list[tuple[float, int, Case | None, Iterator[Case]]] = [
        (-newest, order, None, cases) for order, (newest, cases) in enumerate(sources)
    ]
    heapify(heap)
    begun = 0
    while heap:
        _, order, case, cases = heap[0]
        if case is not None:
            yield case
        else:
            begun += 1
        following = next(cases, None)
        if following is None:
            heappop(heap)
            begun -= 1
            continue
        if case is None and begun > OPEN:
            cases = iter(list(cases))
        heapreplace(heap, (-(following.action.at or 0), order, following, cases))


def _reading(progress: UpdateProgress) -> str:
    read = progress.files - progress.files_left
    return f"Read {read:,} of {count(progress.files, 'file')} …"


def _found(found: int) -> str:
    return f"Found {count(found, 'call')} so far …"


def _may_be_open(library: Library, path: Path) -> bool:
    """Return whether a transcript may have open calls or effects, judging by its overview."""
    overview = library.overview(path)
    if overview is None:
        return False
    facts = overview.facts
    if facts.open_calls or facts.responses.cut:
        return True
    return overview.fingerprint.size > overview.fingerprint.offset


def _print(cases: Iterator[Case], options: argparse.Namespace) -> None:
    """Print each case as soon as it is known."""
    if options.json:
        print_list(action_shape(case.action) for case in cases)
        return
    width, is_empty = columns(), True
    for case in cases:
        is_empty = False
        if not options.for_agent:
            print("\n".join(action_lines(case.action, width)))
        elif case.action.state == "uncertain":
            print(agent_note([case], _now()))
    if is_empty:
        say("There are no calls." if options.all else "No call is uncertain or pending.")


def _now() -> int:
    return int(time.time() * 1000)
