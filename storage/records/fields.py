"""Fields whose types may be wrong, for all formats: strings, times, arguments."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from ..model.event import Record

NOTHING: Record = {}
"""Stands in for a missing object; never modified."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_FIRST_IN_MILLISECONDS = 100_000_000_000
"""Smaller numbers are seconds: as milliseconds they would all be before March 1973."""
_LATEST = 253_402_300_800_000
"""The year 10000, which no calendar function can represent."""


def string(value: Any) -> str | None:
    """Return the value if it is a non-empty string, else None."""
    return value if value and type(value) is str else None


def scalar(value: Any) -> str | None:
    """Return a string, number, boolean or null as `str` gives it; None for anything else."""
    if type(value) is str:
        return value
    return str(value) if value is None or isinstance(value, int | float) else None


def mapping(value: Any) -> Record:
    """Return the value if it is an object, else an empty one."""
    return value if type(value) is dict else NOTHING


def milliseconds(value: Any) -> int | None:
    """Return a time in milliseconds since 1970; None if it is invalid.

    Accepts ISO 8601 (UTC if naive), milliseconds and seconds.
    """
    if type(value) is str:
        return _from_iso(value)
    if type(value) not in (int, float) or not 0 < value < _LATEST:
        return None
    return int(value if value >= _FIRST_IN_MILLISECONDS else value * 1000)


def lapse(start: int | None, end: int | None) -> int | None:
    """Return the milliseconds between two times; None if one is missing or the clock went back."""
    return end - start if start is not None and end is not None and end >= start else None


def _from_iso(value: str) -> int | None:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    since = (moment - _EPOCH) // _MILLISECOND
    return since if 0 < since < _LATEST else None


def arguments(value: Any) -> Any:
    """Return the arguments of a call: an object, parsed if need be; else the value unchanged."""
    if type(value) is not str:
        return value
    try:
        parsed = orjson.loads(value)
    except orjson.JSONDecodeError:
        parsed = _lenient(value)
    return parsed if type(parsed) is dict else value


def _lenient(value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
