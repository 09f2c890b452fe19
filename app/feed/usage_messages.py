"""What the feed tells of usage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from .messages import Subject

if TYPE_CHECKING:
    from ...storage.model.usage import Reports, SessionUse


@dataclass
class UsageTold(Message):
    """What was used in each period, in all sessions that are known."""

    subject: Subject
    reports: Reports
    uncounted: int = 0
    """Transcripts that are not counted, or not whole: the index is behind."""

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, UsageTold)


@dataclass
class SessionUseTold(Message):
    """What the session at a path used."""

    subject: Subject
    use: SessionUse

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, SessionUseTold)
