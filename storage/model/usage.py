"""Usage: tokens, calls, edits and sessions, within a period and over the life of a session.

Types only, so that widgets can import them; `storage/usage` computes the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import NamedTuple

from .event import Usage

PERIODS = (7, 30, 90, 0)
"""Periods of usage reports in days up to today; 0 is all time."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Usage totals. `tokens.input` excludes cached tokens."""

    tokens: Usage = field(default_factory=Usage)
    responses: int = 0
    """Model responses that report their tokens."""
    calls: int = 0
    edits: int = 0
    """Number of calls that change a file."""
    sessions: frozenset[Path] = frozenset()
    """Transcripts of the sessions involved; a sub-agent counts as its session."""

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
    """Usage on one local day."""

    day: date
    totals: Totals


class Share(NamedTuple):
    """Usage of one workspace, model or tool; `name` is foreign text, "" if unknown."""

    name: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Usage within a period that ends today."""

    first: date
    last: date
    totals: Totals
    """For all time, includes records without a time, as do the shares."""
    files: int
    """Number of distinct files whose last edit is within the period."""
    days: tuple[Day, ...]
    """Days with any usage, in order."""
    workspaces: tuple[Share, ...]
    models: tuple[Share, ...]
    """Tokens per model; calls are not counted by model."""
    tools: tuple[Share, ...]
    """Calls per tool; tokens are not counted by tool."""


Reports = Mapping[int, UsageReport]
"""Reports by the length of the period in days, see `PERIODS`."""


class Moment(NamedTuple):
    """Usage of a session during one step, starting `at` (milliseconds since 1970)."""

    at: int
    tokens: Usage
    calls: int


@dataclass(frozen=True, slots=True)
class Course:
    """Usage over the life of a session in steps of equal length, without the empty ones."""

    step: int
    """Milliseconds."""
    moments: tuple[Moment, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionUse:
    """Usage of one session including its sub-agents: for all time, and over time."""

    report: UsageReport
    course: Course
