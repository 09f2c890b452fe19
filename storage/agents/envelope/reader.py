"""The envelope format, schema version 1, and legacy logs without envelopes.

Every record may carry its own id and sequence; these are checked by `integrity`, not here.
"""

from __future__ import annotations

from typing import Any, Final

from ...folds.titles import is_placeholder
from ...model.event import (
    Event,
    Kind,
    Outcome,
    Place,
    Record,
    Stage,
    Title,
)
from ...records.fields import arguments, lapse, milliseconds, scalar, string
from ...records.prose import label, named_output, prose
from ...records.typed import is_summary, typed_text
from ...text.paths import named_path
from ..defaults import blocks as blocks
from ..defaults import continues_by_name
from ..defaults import response as response
from ..defaults import snapshot as snapshot
from ..defaults import usage as usage
from . import AGENT

strict: Final = True
several: Final = False
has_ids: Final = False
continues = continues_by_name

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
    """Return whether the record has an envelope."""
    event_id = record.get("event_id")
    if type(event_id) is str and event_id.startswith("transcript:"):
        return True
    return "sequence" in record and "schema_version" in record


def read(record: Record, place: Place) -> Event:
    """Return the event of a record; if a known type lacks a field, it is marked `malformed`."""
    type_of = record.get("type")
    name = type_of if type(type_of) is str else ""
    role = record.get("role") if name == "message" else None
    kind = _kind(name, role)
    if kind == "prompt":
        kind = _user_kind(record.get("content"))
    return Event(
        kind,
        place,
        AGENT,
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
    """Return the kind of a user message: typed, a compaction, or wrappers only."""
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
    """Return the readable text; for a call its one-line label."""
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
    """Return the arguments of a call, parsed if possible; None for other events."""
    return arguments(event.record.get("arguments")) if event.kind == "call" else None


def file_of(event: Event) -> str | None:
    """Return the file that a call's arguments name, or that a snapshot records."""
    if event.kind == "snapshot":
        return string(event.record.get("path"))
    return named_path(event.args)


def title(event: Event) -> Title | None:
    """Return the title in a record; None for a placeholder, which must not hide an older one."""
    words = string(event.record.get("title")) if event.kind == "title" else None
    return None if words is None or is_placeholder(words) else Title(words, "ai-title")


def type_of(record: Record) -> str:
    """Return the type of a record as written."""
    return string(record.get("type")) or ""


def session_in(record: Record) -> str | None:
    """Return the session id in a record."""
    return string(record.get("session_id"))


def duration(call: Event, result: Event) -> int | None:
    """Return the milliseconds from call to result: each record has the time it was written."""
    return lapse(call.at, result.at)


def output_file(event: Event) -> str:
    """Return the name of the file with the full output; "" if the record contains it."""
    return named_output(text(event)) if event.kind == "result" else ""


def with_output(event: Event, text: str) -> Event:
    """Return the result event with `text` as its output."""
    return event._replace(record=event.record | {"output": text})


def failure(event: Event) -> str:
    """Return in one word why a result failed; "" if it did not."""
    return "error" if event.outcome == "failed" else ""


def cwd(record: Record) -> str | None:
    """Return the working directory named in a record."""
    return string(record.get("cwd"))


def model(record: Record) -> str | None:
    """Return the model named in a record; the envelope itself has no field for it."""
    return string(record.get("model"))
