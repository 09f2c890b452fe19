"""How CodeBuddy marks a complete model response, and which files its snapshots name.

It appends the records of a response one by one, the text before the calls, and runs the calls
without waiting for their records to be written. Only the last record of a response reports tokens
(zeros if the stream was cut off): measured in CodeBuddy 2.117, without exception. So if the last
record of a response has no tokens, its end is missing.
"""

from __future__ import annotations

from typing import Any

from ...model.event import FileBackup, FileSnapshot, Record, ResponsePart
from ...records.fields import mapping, milliseconds, string

_WRITERS = frozenset({"reasoning", "function_call"})
_USAGE = ("rawUsage", "usage")
_OWN = ("model", "conversationRequestId", "requestModelId")
"""Fields besides `messageId` that CodeBuddy itself writes, and that copies omit."""


def response(record: Record) -> ResponsePart | None:
    """Return a record's part in a model response; None if it has none, or names no response.

    Messages of the program itself (an interruption, an error) are `incomplete` and not part of one.
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
    """Return the files listed in a `file-history-snapshot`: all files tracked so far."""
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
