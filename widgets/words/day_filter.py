"""The condition `day:` of the session filter: sessions that were at work on some local days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from ...storage.model.session import Session
from .ages import local

BETWEEN = ".."


def day(value: str) -> Callable[[Session], bool]:
    """Of `2026-11-20`, or of both days and all between them in `2026-11-16..2026-11-22`.

    What is not a day, as while one types, asks for nothing.
    """
    first, _, last = value.partition(BETWEEN)
    try:
        start = date.fromisoformat(first)
        end = date.fromisoformat(last) if last else start
    except ValueError:
        return lambda session: True
    return lambda session: _was_at_work(session, start, end)


def _was_at_work(session: Session, first: date, last: date) -> bool:
    """Whether its time, from first to last record, lies on these days at least in part."""
    if session.started_at is None or session.updated_at is None:
        return False
    return local(session.started_at).date() <= last and local(session.updated_at).date() >= first
