"""What is remembered of a session: six lists, each item with the events that it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from .event import Event

ListName = Literal[
    "completed_work", "key_decisions", "failed_attempts", "todo_items", "verification_status"
]
MAYBE_RUNNING = "Unknown whether it is still running"
"""Begins an item of a call whose agent nobody can tell to be alive or dead."""

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
    """A line; a goal and MyCodeAgent's answers are whole."""
    source: Source
    """The events that tell it."""
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
    """The session id of one of its files."""
    current_goal: MemoryItem | None
    """The last prompt."""
    goal: str
    """The current goal as it was typed, without what the agent's own program added to it."""
    completed_work: tuple[MemoryItem, ...]
    """What tools did, and the last answer of each turn."""
    key_decisions: tuple[MemoryItem, ...]
    """Compactions, and what the person chose."""
    failed_attempts: tuple[MemoryItem, ...]
    """What tools or the model could not do."""
    todo_items: tuple[MemoryItem, ...]
    """Uncertain actions to resolve, then what the agent means to do."""
    verification_status: tuple[MemoryItem, ...]
    """What checks, ends and interruptions tell of the work."""
    event_count: int
    """Of all events, those that nothing is remembered of included."""
    first_event_id: str | None
    """The first event's id, if it has one."""
    last_event_id: str | None
    """The last event's id, if it has one."""
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
