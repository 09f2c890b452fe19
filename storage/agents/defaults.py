"""Reader functions that suit most agents: files as arguments name them; no tokens, no backups."""

from __future__ import annotations

from ..model.event import CONTINUES, Event, FileSnapshot, Record, ResponsePart, Usage
from ..text.paths import named_path


def file_of(event: Event) -> str | None:
    """Return the file that the arguments of a call name."""
    return named_path(event.args)


def blocks(record: Record) -> int:
    """Return 1: a record is one event."""
    return 1


def continues(record: Record) -> str | None:
    """Return None: a file holds all records of its session."""
    return None


def continues_by_name(record: Record) -> str | None:
    """Return the session that a first record names in the field `CONTINUES`."""
    said = record.get(CONTINUES)
    return said if isinstance(said, str) and said else None


def usage(record: Record) -> tuple[str, Usage] | None:
    """Return None: records do not hold tokens."""
    return None


def response(record: Record) -> ResponsePart | None:
    """Return None: a response is a single record."""
    return None


def snapshot(record: Record) -> FileSnapshot | None:
    """Return None: no record lists backups of files."""
    return None
