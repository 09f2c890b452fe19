"""What the top line says of all sessions."""

from __future__ import annotations

from collections.abc import Sequence

from ...storage.files.working_directory import working_directory
from ...widgets.sessions.status_line import Summary, nothing_found
from ..feed.messages import SessionsChanged


def summary_of(message: SessionsChanged, scope: str) -> Summary:
    """The sessions that are told, counted; `scope` says in a few words which they are.

    Sub-agents are no sessions, and what is hidden is not counted.
    """
    tops = [s for s in message.sessions if not s.parent_path and not s.hidden_by]
    return Summary(
        sessions=len(tops),
        working=sum(session.family_works for session in tops),
        need_you=sum(session.family_needs_you for session in tops),
        maybe_crashed=sum(session.status == "unknown" for session in tops),
        indexing=message.progress.percent,
        left=message.progress.left,
        scope=scope,
    )


def absence_of(looked: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Title and lines to show where there are no sessions in the places that were looked at."""
    return nothing_found(looked, str(working_directory()))
