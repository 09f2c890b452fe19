"""What a query searches: which transcripts, and which kinds of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ...storage.model.event import Kind
from ...storage.model.session import Session
from ...storage.search.query import SAID, Query
from ...widgets.words.session_filter import parse
from .visible import in_sight


def kinds_of(query: Query, more: frozenset[Kind]) -> frozenset[Kind]:
    """Return the kinds to search: prompts, answers and `more`, or those the query names.

    Searching outputs includes the calls: someone who looks for a command means either.
    """
    more |= {"call"} if "result" in more else frozenset()
    kinds = SAID | more | (query.kinds - SAID)
    return kinds & query.kinds if query.kinds else kinds


def faults_of(query: Query, now: int) -> list[str]:
    """Return why nothing can be found, in sentences that contain what was typed."""
    faults = (*query.faults, *parse(query.sessions, now).faults)
    return [fault.sentence for fault in faults]


def wanted(
    paths: Sequence[Path], sessions: Iterable[Session], query: Query, now: int
) -> list[Path]:
    """Return the paths of the sessions that the query applies to.

    Hidden sessions are excluded, as in the list, unless requested.
    """
    asked = parse(query.sessions, now)
    if query.sessions:
        met = {path for one in sessions if asked.matches(one) for path in one.paths}
        return [path for path in paths if path in met]
    known = list(sessions)
    seen = {session.path for session in in_sight(known)}
    hidden = {path for one in known if one.path not in seen for path in one.paths}
    return [path for path in paths if path not in hidden]
