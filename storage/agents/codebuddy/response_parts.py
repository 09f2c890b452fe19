"""How the product shows that a model response is whole, and which files its snapshots name.

It appends the records of one response one by one, the text before the calls, and runs the calls
without waiting for their records. Only the last record of a response tells its tokens (a stream
that was cut tells zeros): measured in CodeBuddy 2.117, without exception. So a response whose last
record tells none is missing its end.
"""

from __future__ import annotations

from typing import Any

from ...model.event import FileBackup, FileSnapshot, Record, ResponsePart
from ...records.fields import mapping, milliseconds, string

_WRITERS = frozenset({"reasoning", "function_call"})
_USAGE = ("rawUsage", "usage")
_OWN = ("model", "conversationRequestId", "requestModelId")
"""Fields beside `messageId` that the product's own programs write, and that copies leave out."""


def response(record: Record) -> ResponsePart | None:
    """The record as part of a model response; None where it is none, or names no response.

    The program's own words (a stop, an error) are `incomplete` and no part of one.
    """
    is_message = record.get("type") == "message" and record.get("role") == "assistant"
    if not is_message and string(record.get("type")) not in _WRITERS:
        return None
    extra = mapping(record.get("providerData"))
    id = string(extra.get("messageId"))
    if id is None or record.get("status") == "incomplete" or extra.get("skipRun"):
        return None
    is_last = "message" in record or any(key in extra for key in _USAGE)
    return ResponsePart(id, is_last, all(string(extra.get(key)) for key in _OWN))


def snapshot(record: Record) -> FileSnapshot | None:
    """The files that a `file-history-snapshot` names, of all that was tracked so far."""
    if record.get("type") != "file-history-snapshot":
        return None
    tracked = mapping(mapping(record.get("snapshot")).get("trackedFileBackups"))
    files = (_backup(path, entry) for path, entry in tracked.items() if path)
    return FileSnapshot(record.get("isSnapshotUpdate") is not False, tuple(files))


def _backup(path: str, entry: Any) -> FileBackup:
    fields = mapping(entry)
    return FileBackup(
        path, string(fields.get("backupFileName")), milliseconds(fields.get("backupTime"))
    )
