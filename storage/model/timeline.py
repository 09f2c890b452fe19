"""Rows of a timeline: one event as one line on screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .event import Event, Kind, Stage

Verdict = Literal["verified", "not-applied", "partial", "dismissed"]
"""The user's judgement of an uncertain action; `verified`: it was applied."""

CallState = Literal["", "pending", "running", "completed", "failed", "uncertain", "unknown"]
"""`unknown`: cannot tell whether the agent is running; `running` in JSON."""

Alive = bool | None
"""Whether the agent is alive to deliver the results of open calls; None if unknown."""

ASKS_YOU = "asks you"
"""The detail of a running call that waits for the user's answer."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the timeline; a call and its result share one.

    `text` and `tool` are foreign text, truncated to what a wide line can show.
    """

    offset: int
    """Byte offset of the record in its file: identifies the row while numbers are unknown."""
    number: int | None
    event_id: str | None
    kind: Kind
    at: int | None
    """Milliseconds since 1970."""
    text: str
    tool: str | None = None
    state: CallState = ""
    detail: str = ""
    """The outcome in a word or two: `exit 1`, `no result`, `+3 −1`."""
    duration: int | None = None
    """Milliseconds from call to result."""
    size: int | None = None
    """Characters of the output or of the thinking."""
    added: int | None = None
    removed: int | None = None
    """Lines that an edit adds and removes."""
    verdict: Verdict | None = None
    """The user's verdict on a call without a result."""
    abandoned: bool = False
    """Whether it is on a branch that was abandoned when a prompt was resent."""


def open_state(stage: Stage, asks: bool, current: bool, alive: Alive) -> CallState:
    """Return the state of a call without a result; `current`: the session has not moved past it.

    An open question (`asks`) awaits the user's answer, whether or not its agent is alive.
    """
    if stage == "requested":
        return "pending"
    if not current:
        return "uncertain"
    if alive or asks:
        return "running"
    return "unknown" if alive is None else "uncertain"


def asks(event: Event) -> bool:
    """Return whether a call asks the user a question."""
    return event.tool in event.agent.tools.questions
