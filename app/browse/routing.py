"""What the feed says of the open transcript, given to the method of `OpenSession` that takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from textual import on
from textual.message import Message

from ..feed.messages import (
    CandidatesChanged,
    CasesChanged,
    InsightChanged,
    MatchesFound,
    ReadingProgress,
    TranscriptGrew,
    TranscriptLost,
    TranscriptOpened,
)
from .open_session import OpenSession

TAKES: Mapping[type[Message], Callable[[OpenSession, Any], None]] = {
    TranscriptOpened: OpenSession.opened,
    TranscriptGrew: OpenSession.grew,
    TranscriptLost: OpenSession.lost,
    ReadingProgress: OpenSession.ahead,
    MatchesFound: OpenSession.found,
    InsightChanged: OpenSession.understood,
    CasesChanged: OpenSession.told,
    CandidatesChanged: OpenSession.told,
}


Hearer = Callable[[Any, Message], None]
"""A method of a screen."""


def of_the_open_session(method: Hearer) -> Hearer:
    """Have a screen's method called with each message that concerns the open session."""
    for kind in TAKES:
        method = on(kind)(method)
    return method


def hear(reading: OpenSession, message: Message) -> None:
    """Have the open session take a message."""
    TAKES[type(message)](reading, message)
