"""Which sessions are in sight: what is hidden is counted and searched nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..storage.session import Session


def in_sight(sessions: Iterable[Session]) -> list[Session]:
    """The sessions that are not hidden, without the sub-agents of those that are."""
    known = {session.path: session for session in sessions}
    return [session for session in known.values() if not _is_hidden(session, known)]


def _is_hidden(session: Session, known: dict[Path, Session]) -> bool:
    seen: set[Path] = set()
    above: Session | None = session
    while above is not None and above.path not in seen:
        if above.hidden_by:
            return True
        seen.add(above.path)
        above = known.get(above.parent_path) if above.parent_path else None
    return False
