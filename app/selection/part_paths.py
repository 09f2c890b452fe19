"""Which transcripts belong to which session, for sessions that have several."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...storage.model.session import Session
from ...storage.transcript.continuations import address


class PartPaths:
    """Maps any transcript of a session to its newest one, which represents the session."""

    def __init__(self) -> None:
        self._parts: dict[Path, tuple[Path, int]] = {}

    def know(self, sessions: Iterable[Session]) -> None:
        """Replace the known sessions."""
        self._parts = {
            path: (session.path, number)
            for session in sessions
            if session.parts
            for number, path in enumerate(session.paths)
        }

    def newest(self, path: Path) -> Path:
        """Return the newest transcript of the session that a transcript belongs to."""
        return self._parts.get(path, (path, 0))[0]

    def address(self, path: Path, offset: int) -> int:
        """Return the address, in its session, of the record at an offset of a transcript."""
        return address(self._parts.get(path, (path, 0))[1], offset)
