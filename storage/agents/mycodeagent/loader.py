"""Records that MyCodeAgent's own loader rejects: a single one prevents the file from being resumed.

These are the observed rules of its reader and its fold; `sessions` itself keeps reading.
"""

from __future__ import annotations

from typing import Any

from ...model.event import Record

_REQUIRED = frozenset({"event_id", "timestamp", "run_id", "step", "event_type"})
_TYPES = ("message", "state_transition", "tool_lifecycle", "checkpoint", "terminal")


def refusal(record: Record) -> str | None:
    """Return why the loader rejects a record of its session, as a predicate; None if it loads."""
    if not record.keys() >= _REQUIRED:
        return f"has no {min(_REQUIRED - record.keys())}"
    if not _is_number(record["step"]):
        return "has a step that is not a number"
    if record["event_type"] not in _TYPES:
        return "has an event_type that is not known"
    if not _is_number(record.get("schema_version") or 1):
        return "has a schema_version that is not a number"
    payload = _dictionary(record.get("payload"))
    return "has a payload that is not an object" if payload is None else _payload(record, payload)


def _payload(record: Record, payload: Record) -> str | None:
    if record["event_type"] == "message":
        return _message(payload)
    if record["event_type"] == "state_transition" and _dictionary(payload.get("details")) is None:
        return "has details that are not an object"
    return None


def _message(payload: Record) -> str | None:
    metadata = _dictionary(payload.get("metadata"))
    if metadata is None:
        return "has metadata that is not an object"
    calls = metadata.get("tool_calls")
    if payload.get("role", "assistant") != "assistant" or not calls:
        return None
    if type(calls) is list and all(type(call) is dict or not call for call in calls):
        return None
    return "has tool calls that are not objects"


def _is_number(value: Any) -> bool:
    """Return whether Python's `int` accepts a value, which is the loader's own check."""
    if type(value) is int:
        return True
    try:
        int(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _dictionary(value: Any) -> Record | None:
    """Return the result of `dict`, with a false value as an empty one; None if it fails."""
    if type(value) is dict:
        return value
    try:
        return dict(value or ())
    except (TypeError, ValueError):
        return None
