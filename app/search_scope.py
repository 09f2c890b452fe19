"""What a query is to be looked for in: which transcripts, and which kinds of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..storage.event import Kind
from ..storage.query import SAID, Query
from ..storage.session import Session
from ..widgets.session_filter import parse


def kinds_of(query: Query, more: frozenset[Kind]) -> frozenset[Kind]:
    """What is searched: prompts, answers and `more`; a kind that the query names is enough."""
    kinds = SAID | more | (query.kinds - SAID)
    return kinds & query.kinds if query.kinds else kinds


def wanted(
    paths: Sequence[Path], sessions: Iterable[Session], query: Query, now: int
) -> list[Path]:
    """Of some transcripts those of the sessions that the query is about."""
    if not query.sessions:
        return list(paths)
    asked = parse(query.sessions, now)
    met = {session.path for session in sessions if asked.matches(session)}
    return [path for path in paths if path in met]
