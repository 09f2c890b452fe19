"""Routes the feed's messages about the open session to the methods of `OpenSession`."""

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
"""A screen's method that handles a message."""


def of_the_open_session(method: Hearer) -> Hearer:
    """Register a screen's method as the handler of all messages about the open session."""
    for kind in TAKES:
        method = on(kind)(method)
    return method


def hear(reading: OpenSession, message: Message) -> None:
    """Pass a message to the open session."""
    TAKES[type(message)](reading, message)
