"""Tasks that the screen creates and the feed's thread carries out: decisions and help in resuming.

They are frozen, and so are their fields, except for a `Future` and an `Event`, which are
thread-safe.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path
    from threading import Event

    from ...storage.candidates.export import Form
    from ...storage.model.candidate import Candidate, Sourced
    from ...storage.model.case import Case
    from ...storage.model.session import Session
    from ...storage.model.timeline import Verdict
    from .messages import EligibleEvent
    from .requests import Subject


@dataclass(frozen=True, slots=True)
class Judge:
    """Give a verdict on cases as they were shown; a note of "" is none."""

    cases: tuple[Case, ...]
    verdict: Verdict
    note: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last verdict on each case."""

    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class CheckEligibility:
    """Check which of the records at some addresses in a session may be remembered."""

    path: Path
    addresses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Propose:
    """Propose an event as a memory candidate."""

    event: EligibleEvent
    summary: str
    reason: str


@dataclass(frozen=True, slots=True)
class Settle:
    """Approve or reject candidates."""

    items: tuple[Sourced, ...]
    status: Literal["approved", "rejected"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Change the summary and reason of a candidate."""

    candidate: Candidate
    summary: str
    reason: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last decision on each candidate."""

    items: tuple[Sourced, ...]


@dataclass(frozen=True, slots=True)
class ExportApproved:
    """Export the approved candidates to a file; with a path of None, post them as text."""

    subject: Subject
    form: Form
    path: Path | None


@dataclass(frozen=True, slots=True)
class SetTitle:
    """Give a session a title; None restores the agent's."""

    path: Path
    title: str | None


@dataclass(frozen=True, slots=True)
class Pin:
    """Pin a session to the top of the list, or unpin it."""

    path: Path
    pinned: bool


@dataclass(frozen=True, slots=True)
class Hide:
    """Take a session out of the list, or put it back."""

    path: Path
    hidden: bool


@dataclass(frozen=True, slots=True)
class WriteNote:
    """Write the note that tells a session's agent about its calls without a result."""

    session: Session
    note: Future[str]
    """Receives the note; "" if it could not be written."""


@dataclass(frozen=True, slots=True)
class PauseReading:
    """Pause reading until the event is set, while another program has the terminal."""

    until: Event


Task = (
    Judge
    | TakeBack
    | CheckEligibility
    | Propose
    | Settle
    | Edit
    | Undo
    | ExportApproved
    | SetTitle
    | Pin
    | Hide
    | WriteNote
    | PauseReading
)
