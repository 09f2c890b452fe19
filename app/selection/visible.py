"""Which sessions are visible: hidden ones are not counted or searched anywhere."""

from __future__ import annotations

from collections.abc import Iterable

from ...storage.model.session import Session


def in_sight(sessions: Iterable[Session]) -> list[Session]:
    """Return the sessions that the list shows by default, and their sub-agents."""
    known = list(sessions)
    hidden = {session.path for session in known if session.hidden_by}
    while below := {s.path for s in known if s.parent_path in hidden} - hidden:
        hidden |= below
    return [session for session in known if session.path not in hidden]
