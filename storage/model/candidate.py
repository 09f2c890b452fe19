"""A memory candidate: a reference to one event that a person finds worth remembering.

It never holds the event's body, and nothing becomes one by itself.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CandidateStatus = Literal["proposed", "approved", "rejected"]

SOURCE_TYPE = "transcript"

SUMMARY_MOST, REASON_MOST = 2_000, 1_000
"""Characters that a summary and a reason may have."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate as it is now. Times are milliseconds since 1970."""

    candidate: str
    """Its id, told by what it was proposed as: proposing the same again is the same candidate."""
    source_id: str
    """The event id."""
    session_id: str
    sequence: int
    """The event's number."""
    event_type: str
    """The record's type as it is written."""
    captured_at: int
    """When the event was recorded."""
    summary: str
    selection_reason: str
    status: CandidateStatus
    created_at: int
    decided_at: int | None
    """When it was approved or rejected."""
    path: Path
    """Of the transcript when it was proposed."""
    source_sha256: str
    """Of the record's bytes."""


Source = Literal["there", "changed", "gone", "corrupt"]
"""Whether the record that a candidate refers to is still the one it was proposed for."""


@dataclass(frozen=True, slots=True)
class Sourced:
    """A candidate beside its source as it is now."""

    candidate: Candidate
    source: Source
    dialect: str = ""
    title: str = ""
    """Of the session; "" where it is gone."""
    text: str = ""
    """What the event says, cut; read from the transcript and kept nowhere."""
    offset: int | None = None
    """Where the record begins in its file."""
    file: Path | None = None
    """The transcript as it lies now; None where it is gone."""


def candidate_id(session: str, event_id: str, sha256: str, summary: str, reason: str) -> str:
    """The id of what is proposed: the same event with the same words is the same candidate."""
    parts = (session, event_id, sha256, summary, reason)
    told = "\0".join(parts).encode("utf-8", "surrogatepass")
    return "c-" + hashlib.sha256(told).hexdigest()[:12]
