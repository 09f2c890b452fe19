"""The session filter's condition `day:`: sessions that were active on some local days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from ...storage.model.session import Session
from .ages import local

BETWEEN = ".."


def day(value: str) -> Callable[[Session], bool]:
    """Return the condition for `2026-11-20`, or the range `2026-11-16..2026-11-22`, both included.

    Anything else, such as an unfinished date while typing, matches every session.
    """
    first, _, last = value.partition(BETWEEN)
    try:
        start = date.fromisoformat(first)
        end = date.fromisoformat(last) if last else start
    except ValueError:
        return lambda session: True
    return lambda session: _was_at_work(session, start, end)


def _was_at_work(session: Session, first: date, last: date) -> bool:
    """Return whether the time from first to last record overlaps these days."""
    if session.started_at is None or session.updated_at is None:
        return False
    return local(session.started_at).date() <= last and local(session.updated_at).date() >= first
