"""The evidence envelope, schema version 1, and the legacy logs without one.

Every record may carry its own id and sequence; `integrity` checks them, reading does not.
"""

from __future__ import annotations

import sys
from typing import Any, Final, cast

from ...folds.titles import is_placeholder
from ...model.event import (
    Dialect,
    Event,
    FileSnapshot,
    Kind,
    Outcome,
    Place,
    Record,
    ResponsePart,
    Stage,
    Title,
    Usage,
)
from ...records.fields import arguments, lapse, milliseconds, scalar, string
from ...records.prose import label, named_output, prose
from ...records.typed import is_summary, typed_text

NAME: Final = "envelope"
STRICT: Final = True

_SELF = cast("Dialect", sys.modules[__name__])
_KINDS: dict[str, Kind] = {
    "reasoning": "reasoning",
    "function_call": "call",
    "function_call_result": "result",
    "file-history-snapshot": "snapshot",
    "ai-title": "title",
}
_ROLES: dict[str, Kind] = {
    "user": "prompt",
    "assistant": "answer",
    "system": "injected",
    "developer": "injected",
}
_STAGES: dict[str, Stage] = {"call": "started", "result": "ended"}
_REQUIRED = {
    "message": ("role", "content"),
    "reasoning": ("content",),
    "function_call": ("name", "arguments", "callId"),
    "function_call_result": ("callId", "output"),
    "file-history-snapshot": ("path", "hash"),
    "ai-title": ("title",),
}


def recognises(record: Record) -> bool:
    """Whether the record carries an envelope."""
    event_id = record.get("event_id")
    if type(event_id) is str and event_id.startswith("transcript:"):
        return True
    return "sequence" in record and "schema_version" in record


def read(record: Record, place: Place) -> Event:
    """The event of a record; one of a known type that lacks a field is marked `malformed`."""
    type_of = record.get("type")
    name = type_of if type(type_of) is str else ""
    role = record.get("role") if name == "message" else None
    kind = _kind(name, role)
    if kind == "prompt":
        kind = _user_kind(record.get("content"))
    return Event(
        kind,
        place,
        _SELF,
        record,
        string(record.get("event_id")) or _positional_id(place),
        milliseconds(record.get("recorded_at")) or milliseconds(record.get("timestamp")),
        string(role),
        tool=string(record.get("name")) if kind in _STAGES else None,
        call_id=_call_id(record) if kind in _STAGES else None,
        stage=_STAGES.get(kind, ""),
        outcome=_outcome(record) if kind == "result" else "",
        problem=_problem(name, record),
    )


def _kind(name: str, role: Any) -> Kind:
    if name == "message":
        return _ROLES.get(role, "meta") if type(role) is str else "meta"
    return _KINDS.get(name, "unknown")


def _user_kind(content: Any) -> Kind:
    """What a user message is: typed, a compaction's text, or nothing but wrappers."""
    text = prose(content)
    if "<" not in text:
        return "prompt"
    if is_summary(text):
        return "summary"
    return "prompt" if typed_text(content) else "injected"


def _positional_id(place: Place) -> str | None:
    return None if place.number is None else f"transcript:{place.session}:{place.number}"


def _call_id(record: Record) -> str | None:
    call_id = record.get("callId")
    return None if call_id is None else scalar(call_id)


def _outcome(record: Record) -> Outcome:
    output = record.get("output")
    return "failed" if type(output) is dict and output.get("is_error") else ""


def _problem(name: str, record: Record) -> str:
    for key in _REQUIRED.get(name, ()):
        if key not in record:
            return f"malformed: the {name} has no {key}"
    return ""


def text(event: Event) -> str:
    """What a person would read; of a call its one-line label."""
    record = event.record
    match event.kind:
        case "prompt":
            content = record.get("content")
            return typed_text(content) or prose(content)
        case "call":
            return label(arguments(record.get("arguments")))
        case "result":
            return prose(record.get("output"))
        case "snapshot":
            return prose(record.get("path"))
        case "title":
            return prose(record.get("title"))
        case _:
            return prose(record.get("content"))


def args(event: Event) -> Any:
    """The arguments of a call, parsed where they parse; None for other events."""
    return arguments(event.record.get("arguments")) if event.kind == "call" else None


def title(event: Event) -> Title | None:
    """The title that a record gives; None for a placeholder, which must not hide an older one."""
    words = string(event.record.get("title")) if event.kind == "title" else None
    return None if words is None or is_placeholder(words) else Title(words, "ai-title")


def inner_session(record: Record) -> str | None:
    """The session id that a record carries."""
    return string(record.get("session_id"))


def duration(call: Event, result: Event) -> int | None:
    """Milliseconds from a call to its result: each record has the time at which it was written."""
    return lapse(call.at, result.at)


def output_file(event: Event) -> str:
    """The name of the file that holds the whole output; "" where the record holds it."""
    return named_output(text(event)) if event.kind == "result" else ""


def with_output(event: Event, text: str) -> Event:
    """A result whose output is this text."""
    return event._replace(record=event.record | {"output": text})


def failure(event: Event) -> str:
    """In a word or two what went wrong with a result; "" where nothing did."""
    return "error" if event.outcome == "failed" else ""


def cwd(record: Record) -> str | None:
    """The working directory that a record names."""
    return string(record.get("cwd"))


def model(record: Record) -> str | None:
    """The model that a record names; the envelope has no field of its own for it."""
    return string(record.get("model"))


def usage(record: Record) -> tuple[str, Usage] | None:
    """None: the envelope counts no tokens."""
    return None


def response(record: Record) -> ResponsePart | None:
    """None: the envelope writes one record a response."""
    return None


def snapshot(record: Record) -> FileSnapshot | None:
    """None: no record names the backups of files."""
    return None
