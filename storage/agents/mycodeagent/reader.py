"""The format of MyCodeAgent: typed events with a payload, and a lifecycle for every call.

Call ids are unique only within a run. Records of another session are skipped by MyCodeAgent's own
loader and are of kind `unknown` here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...folds.titles import one_line
from ...model.event import (
    FOREIGN,
    Event,
    Kind,
    Outcome,
    Place,
    Record,
    Stage,
    Title,
)
from ...records.fields import arguments, lapse, mapping, milliseconds, scalar, string
from ...records.prose import label, prose
from ...records.typed import typed_text
from ..defaults import blocks as blocks
from ..defaults import continues_by_name
from ..defaults import file_of as file_of
from ..defaults import response as response
from ..defaults import snapshot as snapshot
from ..defaults import usage as usage
from . import AGENT

strict: Final = True
several: Final = False
has_ids: Final = True
continues = continues_by_name

_STATUSES: dict[str, tuple[Kind, Stage, Outcome]] = {
    "requested": ("call", "requested", ""),
    "started": ("call", "started", ""),
    "completed": ("result", "ended", ""),
    "failed": ("result", "ended", "failed"),
}
_ROLES: dict[str, Kind] = {
    "user": "prompt",
    "assistant": "answer",
    "tool": "meta",
    "summary": "summary",
    "system": "injected",
    "developer": "injected",
}
_FINAL = ("final", "final_unverified")
_STEPS = 1 << 63
_WORDS = 60
"""Maximum length of an error's own text, in characters: what fits on a row."""
_OUTPUTS = ("content", "stdout", "stderr", "diff_preview", "recap")
"""Keys of a result's data that hold readable text, besides `text`, which summarises it."""


def recognises(record: Record) -> bool:
    """Return whether the record is an event with a payload."""
    return "event_type" in record and "payload" in record


def type_of(record: Record) -> str:
    """Return the type of a record as written."""
    return string(record.get("event_type")) or ""


def session_in(record: Record) -> str | None:
    """Return the session id in a record; that of the first record identifies the transcript."""
    session = record.get("session_id")
    return scalar(session) if session else None


def payload_of(record: Record) -> Record:
    """Return the payload as MyCodeAgent's loader reads it: if missing, empty; pairs make a dict."""
    return _dictionary(record.get("payload"))


def metadata_of(payload: Record) -> Record:
    """Return a message's metadata, read as tolerantly as a payload."""
    return _dictionary(payload.get("metadata"))


def _dictionary(value: Any) -> Record:
    if type(value) is dict:
        return value
    try:
        return {str(key): item for key, item in dict(value or ()).items()}
    except (TypeError, ValueError):
        return {}


def read(record: Record, place: Place) -> Event:
    """Return the event of a record; kind `unknown` if it is foreign or not understood."""
    if place.inner is not None and record.get("session_id") != place.inner:
        return _event("unknown", record, place, problem=FOREIGN)
    name = record.get("event_type")
    reader = _READERS.get(name) if type(name) is str else None
    return reader(record, place) if reader else _event("unknown", record, place)


def _event(
    kind: Kind,
    record: Record,
    place: Place,
    role: str | None = None,
    tool: str | None = None,
    call_id: str | None = None,
    stage: Stage = "",
    outcome: Outcome = "",
    problem: str = "",
) -> Event:
    return Event(
        kind,
        place,
        AGENT,
        record,
        _event_id(record, place),
        milliseconds(record.get("timestamp")),
        role,
        tool,
        call_id,
        scalar(record.get("run_id")),
        _bounded(step_of(record)),
        stage,
        outcome,
        problem,
    )


def step_of(record: Record) -> int | None:
    """Return the step as MyCodeAgent's loader reads it, however large."""
    step: Any = record.get("step")
    if type(step) is int:
        return step
    try:
        return int(step)
    except (TypeError, ValueError, OverflowError):
        return None


def _bounded(step: int | None) -> int | None:
    """Return a step that fits the index's 64-bit integers; None for a larger one."""
    return step if step is None or -_STEPS <= step < _STEPS else None


def _event_id(record: Record, place: Place) -> str | None:
    own = scalar(record["event_id"]) if "event_id" in record else None
    if own is not None or place.number is None:
        return own
    return f"transcript:{place.session}:{place.number}"


def _read_message(record: Record, place: Place) -> Event:
    payload = payload_of(record)
    metadata = metadata_of(payload)
    role = string(payload.get("role", "assistant"))
    kind = _ROLES.get(role, "meta") if role else "meta"
    if role == "tool":
        tool, call_id = string(metadata.get("tool_name")), _call_id(metadata)
        return _event(kind, record, place, role, tool, call_id, "told")
    if kind == "prompt" and metadata.get("source") == "completion_gate":
        kind = "injected"
    final = kind == "answer" and metadata.get("action_type") in _FINAL
    return _event(kind, record, place, role, outcome="final" if final else "")


def _read_lifecycle(record: Record, place: Place) -> Event:
    payload = payload_of(record)
    tool, call_id = string(payload.get("tool_name")), _call_id(payload)
    status = payload.get("status")
    facts = _STATUSES.get(status) if type(status) is str else None
    if facts is None:
        problem = "malformed: the lifecycle has a status that is not known"
        return _event("unknown", record, place, tool=tool, call_id=call_id, problem=problem)
    kind, stage, outcome = facts
    role = "assistant" if kind == "call" else "tool"
    return _event(kind, record, place, role, tool, call_id, stage, outcome)


def _call_id(facts: Record) -> str | None:
    call_id = facts.get("tool_call_id")
    return scalar(call_id) if call_id else None


def _read_terminal(record: Record, place: Place) -> Event:
    reason = payload_of(record).get("reason")
    return _event("terminal", record, place, outcome=_terminal_outcome(reason))


def _terminal_outcome(reason: Any) -> Outcome:
    if type(reason) is not str or not reason:
        return ""
    if reason.startswith("completed"):
        return "final"
    return "interrupted" if reason == "interrupted" else "failed"


def _read_transition(record: Record, place: Place) -> Event:
    return _event("transition", record, place)


def _read_checkpoint(record: Record, place: Place) -> Event:
    return _event("checkpoint", record, place)


_READERS: dict[str, Callable[[Record, Place], Event]] = {
    "message": _read_message,
    "tool_lifecycle": _read_lifecycle,
    "terminal": _read_terminal,
    "state_transition": _read_transition,
    "checkpoint": _read_checkpoint,
}


def text(event: Event) -> str:
    """Return the readable text: for a result the full output, for a call its one-line label."""
    payload = payload_of(event.record)
    match event.kind:
        case "prompt":
            content = payload.get("content")
            return typed_text(content) or prose(content)
        case "call":
            return label(arguments(payload.get("args")))
        case "result":
            return _result_text(payload)
        case "transition" | "terminal":
            return prose(payload.get("reason"))
        case "checkpoint":
            return prose(payload.get("summary"))
        case _:
            return prose(payload.get("content"))


def _result_text(payload: Record) -> str:
    result = payload.get("result", payload.get("result_text"))
    if type(result) is not dict:
        return prose(result) or prose(payload.get("error"))
    data = mapping(result.get("data"))
    outputs = [data.get(key) for key in _OUTPUTS]
    error = mapping(result.get("error")).get("message")
    parts: list[str] = []
    for part in (result.get("text"), *outputs, _found(data), error):
        if type(part) is str and part.strip() and not any(part in said for said in parts):
            parts.append(part)
    return "\n".join(parts) or prose(result)


def _found(data: Record) -> str:
    """Return what a search found: paths, or lines of files."""
    paths, matches = data.get("paths"), data.get("matches")
    lines = [prose(path) for path in paths] if type(paths) is list else []
    for match in matches if type(matches) is list else []:
        if type(match) is dict:
            where = f"{prose(match.get('file'))}:{prose(match.get('line'))}"
            lines.append(f"{where}: {prose(match.get('text'))}")
    return "\n".join(lines)


def args(event: Event) -> Any:
    """Return the arguments of a call; None for other events."""
    return arguments(payload_of(event.record).get("args")) if event.kind == "call" else None


def title(event: Event) -> Title | None:
    """Return None: MyCodeAgent's sessions have no titles."""
    return None


def duration(call: Event, result: Event) -> int | None:
    """Return the milliseconds from call to result: each record has the time it was written."""
    return lapse(call.at, result.at)


def output_file(event: Event) -> str:
    """Return "": full outputs are not kept in a folder of the session."""
    return ""


def with_output(event: Event, text: str) -> Event:
    """Return the event unchanged: it is never called, as `output_file` is always empty."""
    return event


def failure(event: Event) -> str:
    """Return in one or two words why a result or terminal failed; "" if it did not."""
    payload = payload_of(event.record)
    if event.kind == "terminal":
        return prose(payload.get("reason")) if event.outcome != "final" else ""
    if event.outcome != "failed":
        return ""
    error = mapping(payload.get("result")).get("error")
    code = error.get("code") if type(error) is dict else payload.get("error")
    return one_line(code, _WORDS) if type(code) is str and code else "failed"


def cwd(record: Record) -> str | None:
    """Return None: paths are relative to a project root that the records do not name."""
    return None


def model(record: Record) -> str | None:
    """Return None: the model is named only in MyCodeAgent's traces."""
    return None
