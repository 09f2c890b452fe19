"""What a restart would restore of a session: the types that the agents' recovery folds return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from .action import Action
from .event import Event
from .integrity import Integrity

Message = dict[str, Any]
"""A message to the model: `role` and `content`, in MyCodeAgent's history also `metadata`."""

Snapshot = dict[str, Any]
"""A file as it was before an edit: `path` and `hash`."""

CUT_OFF = "the response was cut off while it was written; its calls may have run"
"""Shown for a dead session whose last response has no recorded end."""

MAX_ITEMS = 1000
"""Default number of events, from the end, of which messages are restored."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What the records of a session add up to; None for what its format does not have.

    Contains no runtime state: clients, locks, ports and flags do not outlive a process.
    """

    total_events: int
    next_sequence: int | None
    """The number that the next record would get."""
    messages: tuple[Message, ...]
    """Oldest first."""
    title: str | None = None
    reasoning_count: int = 0
    file_snapshots: tuple[Snapshot, ...] = ()
    pending: tuple[Action, ...] = ()
    """Calls that were requested but not started, oldest first."""
    uncertain: tuple[Action, ...] = ()
    """Calls that were started and have no result, oldest first."""
    running: tuple[Action, ...] = ()
    """Started calls that may still get their result, `running` or `unknown`, oldest first."""
    effects: tuple[Action, ...] = ()
    """What a dead session may have changed by calls that are not on record."""
    response_cut: bool = False
    """Whether a dead session's last response was cut off while being written."""
    completed: tuple[str, ...] = ()
    """Call ids, without duplicates."""
    failed: tuple[str, ...] = ()
    checkpoint: dict[str, Any] | None = None
    terminal: dict[str, Any] | None = None
    run_id: str | None = None
    step: int | None = None
    turn_count: int | None = None


@dataclass(frozen=True, slots=True)
class Recovery:
    """The integrity of a session and what can be restored from it."""

    session: str
    dialect: str
    integrity: Integrity = field(default_factory=Integrity)
    ignored_partial_tail: bool = False
    """Whether an incomplete last line was ignored."""
    restored: Restored | None = None
    """None if the transcript cannot be trusted."""


class Fold(Protocol):
    """Consumes the events of one session in file order, in constant time per event."""

    def add(self, event: Event) -> None:
        """Process the next event."""
        ...

    def result(self) -> Restored:
        """Return the result for the events so far; more may be added afterwards."""
        ...
