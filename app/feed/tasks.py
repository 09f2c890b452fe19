"""What the feed's thread carries out for the screen: decisions of the user, and help in resuming.

Each is data that the screen makes and `DecisionWorker` carries out. All are frozen, and so is what
they hold but for a `Future` and an `Event`, which are made to be shared by threads.
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
    """Give a verdict on some cases, as they were shown; "" is no note."""

    cases: tuple[Case, ...]
    verdict: Verdict
    note: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last verdict on each case."""

    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class CheckEligibility:
    """Tell which of the records at some addresses in a session may be remembered."""

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
    """Change summary and reason of a candidate."""

    candidate: Candidate
    summary: str
    reason: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last decision on each candidate."""

    items: tuple[Sourced, ...]


@dataclass(frozen=True, slots=True)
class ExportApproved:
    """ExportApproved the approved candidates to a file; with None, tell them as a text."""

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
    """Write for the agent of a session what it should know of calls without a result."""

    session: Session
    note: Future[str]
    """Gets the note; "" if it could not be written."""


@dataclass(frozen=True, slots=True)
class PauseReading:
    """Read nothing until the event is set: another program has the terminal."""

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
