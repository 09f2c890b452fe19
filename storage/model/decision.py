"""The user's decisions as plain data: one row of their history, and the decisions in effect."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .evidence import Evidence
from .timeline import Verdict

DecisionKind = Literal["verdict", "candidate", "title", "pin", "hide"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, never modified: undoing a decision is a decision too."""

    id: int
    """1, 2, 3 … in the order of decisions; 0 before it is stored."""
    at: int
    """Milliseconds since 1970."""
    by: str
    """The user, as `user@host`."""
    kind: DecisionKind
    session: str
    subject: str
    """Event id for a verdict, candidate id for a candidate, else ""."""
    path: Path
    """Path of the transcript at the time."""
    sha256: str
    """Hash of the record's bytes; "" for a decision about a session."""
    undoes: int | None
    """Id of the decision that this one undoes."""
    value: Any
    """What was decided, as JSON; None if this one undoes another."""


@dataclass(frozen=True, slots=True)
class RecordKey:
    """Identifies the record a verdict is about: session, event id and hash of its bytes."""

    session: str
    event_id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The user's verdict on an uncertain action."""

    verdict: Verdict
    note: str | None
    decided_at: int
    """Milliseconds since 1970."""
    evidence: Evidence | None
    """The evidence shown when the verdict was given."""


@dataclass(frozen=True, slots=True)
class Personal:
    """The user's settings for a session."""

    title: str | None = None
    pinned: bool = False
    hidden: bool = False
