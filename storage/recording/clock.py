"""The times that records bear: in UTC, as ISO 8601."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import orjson

from .errors import RecordRefused

Clock = Callable[[], datetime]
"""Tells the time, in any zone; one without is local."""


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def in_utc(at: datetime) -> datetime:
    """A time in UTC; one without a zone is local."""
    return at if at.tzinfo is UTC else at.astimezone(UTC)


def time_by(clock: Clock) -> datetime:
    """What a clock tells, in UTC; RecordRefused where that is no time, or none that UTC has."""
    try:
        return in_utc(clock())
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise RecordRefused(f"The clock tells no time: {error}.") from error


def iso(at: datetime) -> str:
    """What `isoformat` makes of a time in UTC, in a third of the time."""
    return orjson.dumps(at, default=datetime.isoformat)[1:-1].decode()
