"""`sessions search`: search the conversations of all sessions, newest first."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.cells import cell_len

from ...storage.library.library import Library
from ...storage.model.event import Kind
from ...storage.model.session import Session
from ...storage.search.query import parse_query
from ...storage.search.search import FoundHit, Search
from ...widgets.words.ages import clock, day_short
from ...widgets.words.folders import folder_name
from ...widgets.words.kinds import LABELS
from ...widgets.words.safe import exact_name, fit, one_line
from ...widgets.words.session_filter import moment
from ..output.lines import columns, short_ids
from ..output.shapes import time_shape, to_json
from ..output.streams import say
from ..selection.search_scope import faults_of, kinds_of, wanted
from .scope import (
    DONE,
    PARTIAL,
    TROUBLE,
    UsageError,
    find_session,
    library_of,
    look_around,
    report_unreadable,
    scope_of,
)

NAMED = 20
"""Maximum number of unsearched transcripts that are named; the others are counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "query",
        nargs="+",
        metavar="QUERY",
        help='words that one event must contain; "a phrase"; prefix*; '
        "kind: since: file: tool: status: workspace: model: has:",
    )
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="at most N (default 50)")
    parser.add_argument("--session", metavar="SESSION", help="search only this session")
    parser.add_argument("--thoughts", action="store_true", help="also search the agent's thinking")
    parser.add_argument("--outputs", action="store_true", help="also search tool calls and output")
    parser.add_argument("--json", action="store_true", help="JSON Lines")


def run(options: argparse.Namespace) -> int:
    """Print the hits."""
    if options.limit < 1:
        raise UsageError("--limit takes a number of hits, at least 1.")
    now = int(time.time() * 1000)
    query = parse_query(" ".join(options.query), lambda text: moment(text, now))
    if not query:
        raise UsageError("Empty query.")
    scope = scope_of(options)
    if faults := faults_of(query, now):
        say(" ".join(faults))
        return TROUBLE
    named = [] if options.session is None else [options.session]
    with library_of(scope, named) as library:
        read = _read(library, named)
        known = {session.path: session for session in library.sessions(now)}
        is_named = bool(named and not query.sessions)  # a session that is named may be hidden
        paths = read if is_named else wanted(read, known.values(), query, now)
        search = Search(library, query, paths, kinds_of(query, _more(options)))
        found = _print_all(library, search, known, options)
        is_whole = _report_unsearched(search)
        if not found:
            say(_no_match(options.query) if is_whole else "No match in the rest.")
            look_around(scope, library)
        code = report_unreadable(scope, library) or (DONE if is_whole else PARTIAL)
        return code or (DONE if found else TROUBLE)


def _no_match(words: Sequence[str]) -> str:
    """Return what may help: words of the query match whole, unless a * follows."""
    last = words[-1].split()[-1] if words[-1].split() else ""
    hint = f" (try {one_line(last, 40)}*)" if last.isalnum() else ""
    return f"No match. Words match whole{hint}."


def _report_unsearched(search: Search) -> bool:
    """Print what was not searched; return whether everything was."""
    for path in search.unsearched[:NAMED]:
        say(f"{path}: not all of it was searched.")
    if len(search.unsearched) > NAMED:
        say(f"{len(search.unsearched) - NAMED:,} more were not searched, or not whole.")
    for path in search.too_long:
        say(f"{path}: a line in it is too long to be searched.")
    return not search.unsearched and not search.too_long


def _read(library: Library, named: list[str]) -> list[Path]:
    """Return the selected transcripts, fully read."""
    if not named:
        library.read_all()
        return library.newest_first()
    paths = library.parts(find_session(library, named[0]))
    for path in paths:
        library.read(path)
    return paths


def _more(options: argparse.Namespace) -> frozenset[Kind]:
    """Return the kinds to search in addition to prompts and answers."""
    asked: dict[Kind, bool] = {"reasoning": options.thoughts, "result": options.outputs}
    return frozenset(kind for kind, is_asked in asked.items() if is_asked)


def _print_all(
    library: Library, search: Search, known: Mapping[Path, Session], options: argparse.Namespace
) -> int:
    """Print the hits as they are found, and whether there are more; return their number."""
    ids, width = short_ids(file.session for file in library.files()), columns()
    count, before = 0, None
    for found in _told(library, search, options.limit + 1):
        if count == options.limit:
            say(f"Showing {count:,}; more results exist: raise --limit.")
            break
        count += 1
        if options.json:
            print(to_json(_hit(found)))
            continue
        if found.hit.path != before and (session := known.get(found.hit.path)):
            print(_heading(session, width))
        before = found.hit.path
        print(_line(found, ids, width))
    return count


def _told(library: Library, search: Search, limit: int) -> Iterator[FoundHit]:
    """Yield the hits, printing the progress of scanning on standard error."""
    total = sum(file.stat.st_size for file in library.files())
    said = 0
    for slice in search.run(limit):
        percent = min(100, 100 * search.progress.bytes // max(1, total))
        if percent > said and sys.stderr.isatty():
            said = percent
            print(f"\rsearched {percent} %\r", end="", file=sys.stderr, flush=True)
        yield from slice


def _hit(found: FoundHit) -> dict[str, Any]:
    """Return the JSON object of a hit."""
    event, snippet = found.quotation
    return {
        "session": event.place.session,
        "event_id": event.event_id,
        "number": event.place.number,
        "kind": event.kind,
        "at": time_shape(event.at),
        "snippet": snippet.text,
        "match": [snippet.start, snippet.end],
        "path": str(found.hit.path),
    }


def _heading(session: Session, width: int) -> str:
    """Return the heading for a session's hits: its title and workspace."""
    workspace = one_line(folder_name(session.workspace), 80)
    title = one_line(session.title, 200) or "untitled"
    room = max(20, width - cell_len(workspace) - 3)
    return f"{fit(title, min(cell_len(title), room))} · {workspace}"


def _line(found: FoundHit, ids: dict[str, str], width: int) -> str:
    event, snippet = found.quotation
    when = f"{day_short(event.at)} {clock(event.at)}" if event.at is not None else "-"
    session = ids.get(event.place.session) or exact_name(event.place.session)
    name = fit(session, max(8, cell_len(session)))
    start = f"{when:<16}  {name}  {fit(LABELS[event.kind], 8)}  "
    return (start + fit(one_line(snippet.text), max(20, width - len(start)))).rstrip()
