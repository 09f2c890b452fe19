"""The memory of a session: six lists, each item with the events it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from .event import Event

ListName = Literal[
    "completed_work", "key_decisions", "failed_attempts", "todo_items", "verification_status"
]
MAYBE_RUNNING = "Unknown whether it is still running"
"""Prefix of the item for a call whose agent may or may not be alive."""

LISTS: tuple[ListName, ...] = get_args(ListName)


@dataclass(frozen=True, slots=True)
class Source:
    """The events an item comes from: a single one, or a call up to its start or result.

    Steps are None if the format does not count them, ids if the start of the transcript was not
    read.
    """

    start_event_id: str | None
    end_event_id: str | None
    start_step: int | None = None
    end_step: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One item of a memory. The text is foreign."""

    text: str
    """One line; goals, and the answers of MyCodeAgent, are complete."""
    source: Source
    """The events that state it."""
    at: int | None = None
    """Milliseconds since 1970."""
    offset: int = 0
    """Byte offset of the first source record in its file, for jumping to it in a timeline."""
    uncertain: bool = False
    """Whether it is about an action with an unknown outcome."""


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """The memory of one session. Lists are oldest first, except todo items, which are in order.

    In `todo_items`, actions with an unknown outcome precede the agent's own list.
    """

    session: str
    """Session id of one of its files."""
    current_goal: MemoryItem | None
    """The last prompt."""
    goal: str
    """The current goal as typed, without what the agent program added."""
    completed_work: tuple[MemoryItem, ...]
    """What tools did, and the last answer of each turn."""
    key_decisions: tuple[MemoryItem, ...]
    """Compactions, and the user's choices."""
    failed_attempts: tuple[MemoryItem, ...]
    """Failures of tools or of the model."""
    todo_items: tuple[MemoryItem, ...]
    """Uncertain actions to resolve, then the agent's plans."""
    verification_status: tuple[MemoryItem, ...]
    """Results of checks, and how turns ended or were interrupted."""
    event_count: int
    """Number of all events, including those that add nothing to the memory."""
    first_event_id: str | None
    """Id of the first event, if it has one."""
    last_event_id: str | None
    """Id of the last event, if it has one."""
    dropped: Mapping[ListName, int]
    """How many older items were dropped from each list."""

    def items(self, name: ListName) -> tuple[MemoryItem, ...]:
        """Return one of the lists by name."""
        found: tuple[MemoryItem, ...] = getattr(self, name)
        return found

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to remember."""
        return not self.goal and not any(self.items(name) for name in LISTS)


def item_of(text: str, event: Event) -> MemoryItem:
    """Return an item that comes from a single event."""
    source = Source(event.event_id, event.event_id, event.step, event.step)
    return MemoryItem(text, source, event.at, event.place.address)
