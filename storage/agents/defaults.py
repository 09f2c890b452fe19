"""Reader functions for agents whose records hold no tokens, response parts or backups."""

from __future__ import annotations

from ..model.event import FileSnapshot, Record, ResponsePart, Usage


def usage(record: Record) -> tuple[str, Usage] | None:
    """Return None: records do not hold tokens."""
    return None


def response(record: Record) -> ResponsePart | None:
    """Return None: a response is a single record."""
    return None


def snapshot(record: Record) -> FileSnapshot | None:
    """Return None: no record lists backups of files."""
    return None
