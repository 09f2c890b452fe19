"""What was used: tokens, calls, edits and sessions, in a period and over the life of a session.

Shapes alone, so that the screen may know them; `counting` and `course_fold` make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import NamedTuple

from .event import Usage

PERIODS = (7, 30, 90, 0)
"""Days up to today that are looked at together; 0 is all there is."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What was used. `input` of the tokens leaves out the cached ones."""

    tokens: Usage = field(default_factory=Usage)
    responses: int = 0
    """Answers of the model that told their tokens."""
    calls: int = 0
    edits: int = 0
    """Those of the calls that change a file."""
    sessions: frozenset[Path] = frozenset()
    """The transcripts of the sessions that took part; sub-agents stand for their session."""

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.tokens + other.tokens,
            self.responses + other.responses,
            self.calls + other.calls,
            self.edits + other.edits,
            self.sessions | other.sessions,
        )

    def __bool__(self) -> bool:
        return bool(self.sessions or self.calls or self.responses)


class Day(NamedTuple):
    """What was used on one local day."""

    day: date
    totals: Totals


class Share(NamedTuple):
    """What one workspace, model or tool had of the whole; foreign text, "" where unknown."""

    name: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What was used in a period that ends today."""

    first: date
    last: date
    totals: Totals
    """Records without a time count here, and in the shares, where all there is is looked at."""
    files: int
    """Different files whose last edit lies in the period."""
    days: tuple[Day, ...]
    """Days on which something happened, in order."""
    workspaces: tuple[Share, ...]
    models: tuple[Share, ...]
    """With the tokens of each; calls are not told by model."""
    tools: tuple[Share, ...]
    """With the calls of each; tokens are not told by tool."""


Reports = Mapping[int, UsageReport]
"""By the days of the period, see `PERIODS`."""


class Moment(NamedTuple):
    """What a session used from a moment on (milliseconds since 1970), for one step."""

    at: int
    tokens: Usage
    calls: int


@dataclass(frozen=True, slots=True)
class Course:
    """The life of a session in steps of equal length, those left out in which nothing was used."""

    step: int
    """Milliseconds."""
    moments: tuple[Moment, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionUse:
    """What one session used, its sub-agents with it: of all its time, and in its course."""

    report: UsageReport
    course: Course
