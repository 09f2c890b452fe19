"""Which transcripts belong to which session, for sessions that have several."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...storage.model.session import Session
from ...storage.transcript.continuations import address


class PartPaths:
    """Leads from any transcript of a session to its newest, which stands for it."""

    def __init__(self) -> None:
        self._parts: dict[Path, tuple[Path, int]] = {}

    def know(self, sessions: Iterable[Session]) -> None:
        """The sessions as they are now."""
        self._parts = {
            path: (session.path, number)
            for session in sessions
            if session.parts
            for number, path in enumerate(session.paths)
        }

    def newest(self, path: Path) -> Path:
        """The newest transcript of the session that one belongs to."""
        return self._parts.get(path, (path, 0))[0]

    def address(self, path: Path, offset: int) -> int:
        """The address, in its session, of the record at an offset of a transcript."""
        return address(self._parts.get(path, (path, 0))[1], offset)
