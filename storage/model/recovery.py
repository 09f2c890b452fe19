"""What a restart would restore of a session: the shapes that the folds of `recoveries/` fill."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from .action import Action
from .event import Event
from .integrity import Integrity

Message = dict[str, Any]
"""What the model is given: `role` and `content`, in MyCodeAgent's history `metadata` too."""

Snapshot = dict[str, Any]
"""A file as it was before an edit: `path` and `hash`."""

CUT_OFF = "the response was cut off while it was written; its calls may have run"
"""What is said of a dead session whose last response has no end on record."""

MAX_ITEMS = 1000
"""Events from whose end messages are restored, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What the records of a session come to. `None` stands where its dialect knows no such thing.

    Nothing of a runtime is among it: no client, lock, port or flag outlives a process.
    """

    total_events: int
    next_sequence: int | None
    """The number that the next record would bear."""
    messages: tuple[Message, ...]
    """Oldest first."""
    title: str | None = None
    reasoning_count: int = 0
    file_snapshots: tuple[Snapshot, ...] = ()
    pending: tuple[Action, ...] = ()
    """Calls that were asked for and not started, oldest first."""
    uncertain: tuple[Action, ...] = ()
    """Calls that were started and have no result, oldest first."""
    running: tuple[Action, ...] = ()
    """Started calls that may still get their result, `running` or `unknown`, oldest first."""
    effects: tuple[Action, ...] = ()
    """What a dead session may have changed by calls without a record."""
    response_cut: bool = False
    """Whether a dead session's last response was cut off while it was written."""
    completed: tuple[str, ...] = ()
    """Call ids, each once."""
    failed: tuple[str, ...] = ()
    checkpoint: dict[str, Any] | None = None
    terminal: dict[str, Any] | None = None
    run_id: str | None = None
    step: int | None = None
    turn_count: int | None = None


@dataclass(frozen=True, slots=True)
class Recovery:
    """A session's evidence and what can be restored from it."""

    session: str
    dialect: str
    integrity: Integrity = field(default_factory=Integrity)
    ignored_partial_tail: bool = False
    """Whether a last line that was cut was left out."""
    restored: Restored | None = None
    """None where the evidence cannot be trusted."""


class Fold(Protocol):
    """Takes the events of one session in file order, each at the same cost."""

    def add(self, event: Event) -> None:
        """Take in the next event."""
        ...

    def result(self) -> Restored:
        """What the events so far come to; more may be added afterwards."""
        ...
