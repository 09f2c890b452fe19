"""`sessions check`: check transcripts for corruption, file by file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ...storage.library.library import Library
from ...storage.model.integrity import Integrity, IntegrityState
from ...storage.model.store import SUFFIX
from ...storage.text.printed_name import unquoted
from ...storage.text.safe_text import exact_name
from ...widgets.words.amounts import count
from ..output.shapes import integrity_shape, to_json
from ..output.streams import printable
from .scope import DONE, PARTIAL, TROUBLE, find_file, library_of, look_around, scope_of

SIGNS: dict[IntegrityState, str] = {
    "ok": "✓",
    "partial-tail": "…",
    "damaged": "⚠",
    "corrupt": "✗",
    "unreadable": "✗",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """The result for one file."""

    path: Path
    session: str
    dialect: str | None
    integrity: Integrity
    events: int
    tail_bytes: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("session", metavar="SESSION", nargs="*", help="default: all sessions")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(options: argparse.Namespace) -> int:
    """Check the files; exit code 1 if one is corrupt or damaged, 6 if one cannot be read."""
    scope = scope_of(options)
    with library_of(scope, options.session) as library:
        paths = [path for query in options.session for path in _meant(library, query)]
        paths = paths or sorted(file.path for file in library.files())
        checked = [check(library, path) for path in dict.fromkeys(paths)]
        if not options.session:
            checked += [
                Checked(
                    problem.path, "", None, Integrity("unreadable", detail=problem.reason), 0, 0
                )
                for problem in library.unreadable.values()
                if problem.path not in paths
            ]
        if options.json:
            print(to_json([_shape(one) for one in checked]))
        else:
            for one in checked:
                print(_line(one))
            if checked:
                sys.stdout.flush()  # no summary if the reader is gone
                print(_summary(checked), file=sys.stderr)
            if not options.session:
                look_around(scope, library)
        return _code(checked)


def _meant(library: Library, query: str) -> list[Path]:
    """Return the exact file for a path; for an id, all files of the session."""
    path = find_file(library, query)
    is_path = unquoted(query).endswith(SUFFIX) or path.name == query
    return [path] if is_path else library.parts(path)


def check(library: Library, path: Path) -> Checked:
    """Read a transcript completely and check it."""
    library.read(path)
    if path in library.unreadable:
        return _unreadable(path, library.unreadable[path].reason)
    transcript = library.transcript(path)
    integrity, tail = transcript.ending()
    return Checked(
        path,
        transcript.session,
        transcript.agent.name,
        integrity,
        transcript.facts.records + sum(event.kind != "damaged" for event in tail),
        transcript.tail_bytes(),
    )


def _unreadable(path: Path, reason: str) -> Checked:
    return Checked(path, path.stem, None, Integrity("unreadable", detail=reason), 0, 0)


def _code(checked: list[Checked]) -> int:
    states = {one.integrity.state for one in checked}
    if states & {"corrupt", "damaged"}:
        return TROUBLE
    return PARTIAL if "unreadable" in states else DONE


def _shape(one: Checked) -> dict[str, object]:
    return {
        "path": str(one.path),
        "session": one.session,
        "dialect": one.dialect,
        "integrity": integrity_shape(one.integrity),
        "events": one.events,
        "tail_bytes": one.tail_bytes,
    }


def _line(one: Checked) -> str:
    state = one.integrity.state
    detail = "" if state == "ok" else f"  {printable(one.integrity.detail)}"
    events = count(one.events, "event")
    return f"{SIGNS[state]} {state:<12} {events:>14}  {exact_name(str(one.path))}{detail}"


def _summary(checked: list[Checked]) -> str:
    """Return the number of files per state: `16 transcripts: 15 ok, 1 damaged.`"""
    found = Counter(one.integrity.state for one in checked)
    parts = [f"{found[state]:,} {state}" for state in SIGNS if found[state]]
    return f"{count(len(checked), 'transcript')}: {', '.join(parts)}."
