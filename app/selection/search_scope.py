"""What a query is to be looked for in: which transcripts, and which kinds of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ...storage.model.event import Kind
from ...storage.model.session import Session
from ...storage.search.query import SAID, Query
from ...widgets.words.session_filter import parse
from .visible import in_sight


def kinds_of(query: Query, more: frozenset[Kind]) -> frozenset[Kind]:
    """What is searched: prompts, answers and `more`; a kind that the query names is enough.

    With the outputs of calls go the calls: somebody who looks for a command means either.
    """
    more |= {"call"} if "result" in more else frozenset()
    kinds = SAID | more | (query.kinds - SAID)
    return kinds & query.kinds if query.kinds else kinds


def faults_of(query: Query, now: int) -> list[str]:
    """Why nothing can be found, a sentence each that holds what was typed."""
    faults = (*query.faults, *parse(query.sessions, now).faults)
    return [fault.sentence for fault in faults]


def wanted(
    paths: Sequence[Path], sessions: Iterable[Session], query: Query, now: int
) -> list[Path]:
    """Of some transcripts those of the sessions that the query is about.

    Hidden sessions are left out, as in the list, unless they are asked for.
    """
    asked = parse(query.sessions, now)
    if query.sessions:
        met = {path for one in sessions if asked.matches(one) for path in one.paths}
        return [path for path in paths if path in met]
    known = list(sessions)
    seen = {session.path for session in in_sight(known)}
    hidden = {path for one in known if one.path not in seen for path in one.paths}
    return [path for path in paths if path not in hidden]
