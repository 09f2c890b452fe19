"""A memory candidate: a reference to one event that the user finds worth remembering.

It never contains the event's content, and is only ever created by the user.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CandidateStatus = Literal["proposed", "approved", "rejected"]

SOURCE_TYPE = "transcript"

SUMMARY_MOST, REASON_MOST = 2_000, 1_000
"""Maximum length of a summary and of a reason, in characters."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The current state of a candidate. Times are milliseconds since 1970."""

    candidate: str
    """Derived from what is proposed, so that proposing the same again gives the same candidate."""
    source_id: str
    """Id of the event."""
    session_id: str
    sequence: int
    """Number of the event."""
    event_type: str
    """Type of the record, as written in the transcript."""
    captured_at: int
    """Time of the event."""
    summary: str
    selection_reason: str
    status: CandidateStatus
    created_at: int
    decided_at: int | None
    """When it was approved or rejected; None if neither."""
    path: Path
    """Path of the transcript when the candidate was proposed."""
    source_sha256: str
    """Hash of the record's bytes."""


Source = Literal["there", "changed", "gone", "corrupt"]
"""Whether the source record is still the one the candidate was proposed for."""


@dataclass(frozen=True, slots=True)
class Sourced:
    """A candidate with the current state of its source."""

    candidate: Candidate
    source: Source
    is_numbered: bool = False
    """Whether the event's id is nothing but its position in the file."""
    title: str = ""
    """Title of the session; "" if it is gone."""
    text: str = ""
    """Text of the event, truncated; read from the transcript and not stored."""
    offset: int | None = None
    """Byte offset of the record in its file."""
    file: Path | None = None
    """Current path of the transcript; None if it is gone."""


def candidate_id(session: str, event_id: str, sha256: str, summary: str, reason: str) -> str:
    """Return the id of a candidate; the same event with the same wording gives the same id."""
    parts = (session, event_id, sha256, summary, reason)
    told = "\0".join(parts).encode("utf-8", "surrogatepass")
    return "c-" + hashlib.sha256(told).hexdigest()[:12]
