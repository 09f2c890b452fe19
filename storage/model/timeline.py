"""Rows of a timeline: what one line of the screen says of one event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .event import Kind

Verdict = Literal["verified", "not-applied", "partial", "dismissed"]
"""A person's judgement of an uncertain action; `verified`: it was applied."""

CallState = Literal["", "pending", "running", "completed", "failed", "uncertain", "unknown"]
"""`unknown`: nobody can tell whether its agent is running; JSON has `running` for it."""

Alive = bool | None
"""Whether an agent is there to bring results of open calls; None where nobody can tell."""

ASKS_YOU = "asks you"
"""The detail of a running call that waits for its person to answer."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the timeline; a call and its result share one.

    `text` and `tool` are foreign and are cut to what a wide line can hold.
    """

    offset: int
    """Of the record in its file: the row's identity while numbers are not known yet."""
    number: int | None
    event_id: str | None
    kind: Kind
    at: int | None
    """Milliseconds since 1970."""
    text: str
    tool: str | None = None
    state: CallState = ""
    detail: str = ""
    """In a word or two what became of it: `exit 1`, `no result`, `+3 −1`."""
    duration: int | None = None
    """Milliseconds from call to result."""
    size: int | None = None
    """Characters of the output, or of a thought."""
    added: int | None = None
    removed: int | None = None
    """Lines that an edit adds and takes away."""
    verdict: Verdict | None = None
    """What its person decided on a call without a result."""
    abandoned: bool = False
    """On a branch that was left when a prompt was resent."""
