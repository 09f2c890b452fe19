"""What the screen asks of a search in all sessions, and what the feed tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from ...storage.model.event import Kind
from .messages import Subject

if TYPE_CHECKING:
    from ...widgets.search.hit_rows import FoundEvent


@dataclass(frozen=True, slots=True)
class Sought:
    """What is searched for in all sessions; nothing where the text is empty."""

    text: str = ""
    """A query."""
    limit: int = 0
    """How many hits are wanted."""
    kinds: frozenset[Kind] = frozenset()
    """What is searched besides prompts and answers."""

    def is_alike(self, other: Sought) -> bool:
        """Whether both find the same, if perhaps not as much of it."""
        return (self.text, self.kinds) == (other.text, other.kinds)


@dataclass
class HitsTold(Message):
    """The hits so far, newest first, and how far the search is."""

    sought: Sought
    hits: Sequence[FoundEvent]
    finished: bool
    """Whether nothing more is looked for: there is nothing, or enough was found."""
    more: bool
    """Whether there are more hits than were wanted."""
    looked_at: int
    sessions: int
    """How many of the sessions were looked at, and how many there are to look at."""
    percent: int | None
    """How much was read of what the index does not hold; None where that is not asked for."""
    unsearched: int
    """Sessions that were not searched, or not whole: the index is behind."""
    too_long: int = 0
    """Sessions with lines that are too long to be searched."""
    subject: Subject = "all"

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, HitsTold)
