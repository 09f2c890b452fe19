"""What the writers of all agents share: lines, moments, and the pace of a made-up session."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson

PAUSE_MS = 4_000
"""The longest time between two records of a made-up session."""


def line(record: dict[str, Any], option: int = 0) -> bytes:
    """A record as one line, with its end."""
    return orjson.dumps(record, option=option | orjson.OPT_APPEND_NEWLINE)


def utc(milliseconds: int) -> datetime:
    """A moment given in milliseconds since 1970."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
