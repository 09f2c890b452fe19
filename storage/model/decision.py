"""Decisions of a person as plain data: one row of their history, and what stands in the end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .evidence import Evidence
from .timeline import Verdict

DecisionKind = Literal["verdict", "candidate", "title", "pin", "hide"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, never changed once it is made: to undo one is a decision too."""

    id: int
    """1, 2, 3 … in the order in which they were made; 0 before it is kept."""
    at: int
    """Milliseconds since 1970."""
    by: str
    """The person's `user@host`."""
    kind: DecisionKind
    session: str
    subject: str
    """What it is about: the event id of a verdict, the id of a candidate, else ""."""
    path: Path
    """Of the transcript at the time."""
    sha256: str
    """Of the record's bytes; "" where it is about a session."""
    undoes: int | None
    """The decision that is taken back by this one."""
    value: Any
    """What was decided, as JSON; None where one is taken back."""


@dataclass(frozen=True, slots=True)
class RecordKey:
    """What a verdict is about: one record of a session, by its id and its bytes."""

    session: str
    event_id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said of an uncertain action."""

    verdict: Verdict
    note: str | None
    decided_at: int
    """Milliseconds since 1970."""
    evidence: Evidence | None
    """On which it was based."""


@dataclass(frozen=True, slots=True)
class Personal:
    """What a person made of a session."""

    title: str | None = None
    pinned: bool = False
    hidden: bool = False
