"""The objects that all parts of the feed's thread share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from ...storage.decisions.decisions import Decisions
from ...storage.library.library import Library


@dataclass(frozen=True, slots=True)
class Context:
    """What a worker reads and posts to; only the feed's thread uses library and decisions."""

    library: Library
    decisions: Decisions
    review_days: int
    post: Callable[[Message], object]
    """Posts a message to the screen."""
    now: Callable[[], int]
    """Returns milliseconds since the Unix epoch."""
