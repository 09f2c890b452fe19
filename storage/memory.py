"""What is remembered of a session: six lists, each item with the events that it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from .event import Event

ListName = Literal[
    "completed_work", "key_decisions", "failed_attempts", "todo_items", "verification_status"
]
LISTS: tuple[ListName, ...] = get_args(ListName)


@dataclass(frozen=True, slots=True)
class Source:
    """The events that an item comes from: one, or a call up to its start or result.

    Steps are None where a dialect counts none, ids where the transcript's start was not read.
    """

    start_event_id: str | None
    end_event_id: str | None
    start_step: int | None = None
    end_step: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One thing to remember. The text is foreign."""

    text: str
    source: Source
    at: int | None = None
    """Milliseconds since 1970."""
    offset: int = 0
    """Of the first source record in its file: where a timeline finds it."""
    uncertain: bool = False
    """Whether it tells of an action that nobody knows the end of."""


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """The memory of one session; the lists stand oldest first, todo items as they are to be done.

    Of `todo_items`, actions without an end stand before the agent's own list.
    """

    session: str
    current_goal: MemoryItem | None
    goal: str
    """The current goal as it was typed, without what the agent's own program added to it."""
    completed_work: tuple[MemoryItem, ...]
    key_decisions: tuple[MemoryItem, ...]
    failed_attempts: tuple[MemoryItem, ...]
    todo_items: tuple[MemoryItem, ...]
    verification_status: tuple[MemoryItem, ...]
    event_count: int
    first_event_id: str | None
    last_event_id: str | None
    dropped: Mapping[ListName, int]
    """How many older items each list has left out."""

    def items(self, name: ListName) -> tuple[MemoryItem, ...]:
        """One of the lists by its name."""
        found: tuple[MemoryItem, ...] = getattr(self, name)
        return found

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to remember."""
        return not self.goal and not any(self.items(name) for name in LISTS)


def item_of(text: str, event: Event) -> MemoryItem:
    """An item that comes from a single event."""
    source = Source(event.event_id, event.event_id, event.step, event.step)
    return MemoryItem(text, source, event.at, event.place.offset)
