"""The timestamps of records: UTC, in ISO 8601."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import orjson

from .errors import RecordRefused

Clock = Callable[[], datetime]
"""Returns the current time in any time zone; a naive one is local time."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def in_utc(at: datetime) -> datetime:
    """Return a time in UTC; a naive one is local time."""
    return at if at.tzinfo is UTC else at.astimezone(UTC)


def time_by(clock: Clock) -> datetime:
    """Return a clock's time in UTC. Raises RecordRefused if it is not a time, or out of range."""
    try:
        return in_utc(clock())
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise RecordRefused(f"The clock tells no time: {error}.") from error


def iso(at: datetime) -> str:
    """Return `at.isoformat()` for a time in UTC, in a third of the time."""
    return orjson.dumps(at, default=datetime.isoformat)[1:-1].decode()
