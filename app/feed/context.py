"""What all that the feed's thread does has in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from ...storage.decisions.decisions import Decisions
from ...storage.library.library import Library


@dataclass(frozen=True, slots=True)
class Context:
    """What a worker reads and whom it tells; only the feed's thread uses library and decisions."""

    library: Library
    decisions: Decisions
    review_days: int
    post: Callable[[Message], object]
    """Sends the screen a message."""
    now: Callable[[], int]
    """Milliseconds since 1970."""
