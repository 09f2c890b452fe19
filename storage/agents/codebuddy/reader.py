"""The format of WorkBuddy and CodeBuddy: flat records, joined by `callId`, times in milliseconds.

The format is undocumented, so every field may be missing or of another type.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import orjson

from ...folds.titles import is_placeholder
from ...model.event import Event, Kind, Outcome, Place, Record, Title
from ...records.fields import arguments, mapping, milliseconds, string
from ...records.prose import label, named_output, prose
from ...records.tokens import usage_of as usage
from ...records.typed import is_summary, task_of, typed_text
from ...text.paths import named_path
from ..defaults import blocks, continues
from . import AGENT
from .outcomes import (
    answer_outcome,
    duration,
    failure,
    first_text,
    has_failed,
    is_cut_off,
    output_text,
)
from .response_parts import response, snapshot

__all__ = [
    "args",
    "blocks",
    "compaction",
    "continues",
    "cwd",
    "duration",
    "failure",
    "file_of",
    "has_ids",
    "model",
    "output_file",
    "read",
    "recognises",
    "response",
    "session_in",
    "several",
    "snapshot",
    "strict",
    "text",
    "title",
    "type_of",
    "usage",
    "with_output",
]

strict: Final = False
several: Final = False
has_ids: Final = False

_SYNTHETIC = ("skipRun", "isMeta", "isCompactInternal", "isSummary", "compactType")
_COMPACTED = ("isCompacted", "isSummary", "compactType")
_TITLE_KEYS = {
    "ai-title": ("aiTitle",),
    "custom-title": ("customTitle", "title"),
    "topic": ("topic",),
    "summary": ("summary",),
}
_NOTICES = (
    "Your previous response was truncated due to output length limits.",
    "Please continue with the conversation based on the summarized context above.",
)
"""Prefixes of notices that the program writes in the user's name, without any flag."""

_ASSIGNED = "Initial task assignment for "
"""Prefix of a summary that says nothing about a member's task."""

_PATH_FIRST = re.compile(r'\s*\{\s*"(?:file_path|notebook_path)"\s*:\s*("(?:[^"\\]|\\.)*")')
"""The beginning of an edit's arguments, which can be long."""

_PERSISTED = "<persisted-output>"
_PICTURE = '"image_blob_ref"'
_HEAD = 80
"""Characters within which a list of images has named its first one."""


def recognises(record: Record) -> bool:
    """Return whether the time is in milliseconds and one of CodeBuddy's own fields is present."""
    at = record.get("timestamp")
    if type(at) is not int or at < 100_000_000_000:
        return False
    return "providerData" in record or "sessionId" in record or type(record.get("content")) is list


def read(record: Record, place: Place) -> Event:
    """Return the event of a record; its id is based on the position, as `id` is not unique."""
    kind = record.get("type")
    reader = _READERS.get(kind) if type(kind) is str else None
    if reader is not None:
        return reader(record, place)
    return _event(_OTHERS.get(kind, "unknown") if type(kind) is str else "unknown", record, place)


def _event(
    kind: Kind,
    record: Record,
    place: Place,
    role: str | None = None,
    outcome: Outcome = "",
) -> Event:
    return Event(
        kind,
        place,
        AGENT,
        record,
        _event_id(place),
        milliseconds(record.get("timestamp")),
        role,
        outcome=outcome,
    )


def _event_id(place: Place) -> str | None:
    return None if place.number is None else f"transcript:{place.session}:{place.number}"


def _read_message(record: Record, place: Place) -> Event:
    role = string(record.get("role"))
    extra = mapping(record.get("providerData"))
    if role == "user":
        return _event(_user_kind(record, extra), record, place, role)
    if role == "assistant":
        kind: Kind = "summary" if _is_compaction(record, extra) else "answer"
        is_whole = record.get("status") != "incomplete" and not is_cut_off(record)
        outcome = "" if is_whole else answer_outcome(record)
        return _event(kind, record, place, role, outcome)
    return _event("injected" if role else "meta", record, place, role)


def _user_kind(record: Record, extra: Record) -> Kind:
    if _is_compaction(record, extra):
        return "summary"
    if any(extra.get(flag) for flag in _SYNTHETIC) or extra.get("agent") == "compact":
        return "injected"
    if mapping(extra.get("teammateMessage")).get("from") and not _task(record):
        return "injected"
    if first_text(record).startswith(_NOTICES):
        return "injected"
    return "prompt" if typed_text(record.get("content")) else "injected"


def _task(record: Record) -> tuple[str, str] | None:
    """Return the task that a team's lead gave a member, with its summary: the member's prompt."""
    return task_of(first_text(record))


def _is_compaction(record: Record, extra: Record) -> bool:
    if any(extra.get(flag) for flag in _COMPACTED):
        return True
    return is_summary(first_text(record))


def compaction(event: Event) -> str:
    """Return how the compaction that a summary records was started: `manual`, `auto`."""
    return string(mapping(event.record.get("providerData")).get("compactType")) or ""


def _read_reasoning(record: Record, place: Place) -> Event:
    outcome: Outcome = "interrupted" if is_cut_off(record) else ""
    return _event("reasoning", record, place, "assistant", outcome)


def _read_call(record: Record, place: Place) -> Event:
    return Event(
        "call",
        place,
        AGENT,
        record,
        _event_id(place),
        milliseconds(record.get("timestamp")),
        "assistant",
        string(record.get("name")),
        string(record.get("callId")),
        stage="started",
    )


def _read_result(record: Record, place: Place) -> Event:
    return Event(
        "result",
        place,
        AGENT,
        record,
        _event_id(place),
        milliseconds(record.get("timestamp")),
        "tool",
        string(record.get("name")),
        string(record.get("callId")),
        stage="ended",
        outcome="failed" if has_failed(record) else "",
    )


def _read_snapshot(record: Record, place: Place) -> Event:
    return _event("snapshot", record, place)


def _read_title(record: Record, place: Place) -> Event:
    return _event("title", record, place)


_READERS: dict[str, Callable[[Record, Place], Event]] = {
    "message": _read_message,
    "reasoning": _read_reasoning,
    "function_call": _read_call,
    "function_call_result": _read_result,
    "file-history-snapshot": _read_snapshot,
    **dict.fromkeys(_TITLE_KEYS, _read_title),
}
_OTHERS: dict[str, Kind] = {
    "resend-fork-notice": "notice",
    **dict.fromkeys(
        (
            "session-meta",
            "turn-metrics",
            "goal-progress",
            "goal-result",
            "acp-terminal-state",
            "model-usage",
            "credit-usage",
            "runtime-config",
            "attachment",
            "system",
            "progress",
        ),
        "meta",
    ),
}


def text(event: Event) -> str:
    """Return the readable text: for a result the full output, for a call its one-line label."""
    reader = _TEXTS.get(event.kind)
    return reader(event.record) if reader else prose(event.record.get("content"))


def _prompt_text(record: Record) -> str:
    return typed_text(record.get("content"))


def _reasoning_text(record: Record) -> str:
    return prose(record.get("rawContent")) or prose(record.get("content"))


def _call_text(record: Record) -> str:
    shown = mapping(record.get("providerData")).get("argumentsDisplayText")
    return label(shown) or label(arguments(record.get("arguments")))


def _result_text(record: Record) -> str:
    output = record.get("output")
    shown = prose(_blocks(output))
    full = mapping(mapping(record.get("providerData")).get("toolResult")).get("content")
    if type(full) is str and full and (not shown or shown.startswith(_PERSISTED)):
        return full
    return shown


def output_file(event: Event) -> str:
    """Return the name of the file with the full output; "" if the record contains it.

    The file is named after the call; the path in the preview is valid only on the machine that
    wrote it.
    """
    if event.kind != "result" or not output_text(event.record).startswith(_PERSISTED):
        return ""
    words = _result_text(event.record)
    if not words.startswith(_PERSISTED):
        return ""
    named = named_output(words)
    return named or (f"{event.call_id}.txt" if event.call_id else "")


def with_output(event: Event, text: str) -> Event:
    """Return the result event with `text` as its output."""
    return event._replace(record=event.record | {"output": {"type": "text", "text": text}})


def _blocks(output: Any) -> Any:
    """Return an output; if its blocks are written as a string, as for images, parse them."""
    text = output.get("text") if type(output) is dict else output
    if type(text) is not str or not text.startswith("[{") or _PICTURE not in text[:_HEAD]:
        return output
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return output


def _snapshot_text(record: Record) -> str:
    tracked = mapping(record.get("snapshot")).get("trackedFileBackups")
    return "\n".join(tracked) if type(tracked) is dict else ""


def _title_text(record: Record) -> str:
    kind = record.get("type")
    keys = _TITLE_KEYS.get(kind, ()) if type(kind) is str else ()
    return next((found for key in keys if (found := string(record.get(key)))), "")


_TEXTS: dict[str, Callable[[Record], str]] = {
    "prompt": _prompt_text,
    "reasoning": _reasoning_text,
    "call": _call_text,
    "result": _result_text,
    "snapshot": _snapshot_text,
    "title": _title_text,
}


def args(event: Event) -> Any:
    """Return the arguments of a call, parsed if possible; None for other events."""
    return arguments(event.record.get("arguments")) if event.kind == "call" else None


def file_of(event: Event) -> str | None:
    """Return the file named in a call's arguments, one level deeper for deferred tools.

    Usually the first argument: matching it is far faster than parsing the content of a written
    file.
    """
    given = event.record.get("arguments")
    if type(given) is str:
        if (found := _PATH_FIRST.match(given)) and (path := _parsed(found[1])):
            return path
        if "path" not in given:
            return None
    args = event.args
    return named_path(args) or (named_path(args.get("params")) if isinstance(args, dict) else None)


def _parsed(text: str) -> str | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, str) else None


def title(event: Event) -> Title | None:
    """Return the title in a record; None for a placeholder, which must not hide an older one."""
    if event.kind == "prompt":
        return _task_title(event.record)
    words = _title_text(event.record) if event.kind == "title" else ""
    source = event.record.get("type")
    if source == "summary" and "<" in words:  # the first prompt as it was sent
        words = typed_text(words)
    if not words or is_placeholder(words):
        return None
    return Title(words, event.record["type"])


def _task_title(record: Record) -> Title | None:
    """Return the summary of a member's task as its title; None if it is meaningless."""
    task = _task(record)
    if not task or task[1].startswith(_ASSIGNED) or is_placeholder(task[1]):
        return None
    return Title(task[1], "summary")


def type_of(record: Record) -> str:
    """Return the type of a record as written."""
    return string(record.get("type")) or ""


def session_in(record: Record) -> str | None:
    """Return the session id in a record: in sub-agents and forks it differs from the file name."""
    return string(record.get("sessionId"))


def cwd(record: Record) -> str | None:
    """Return the working directory named in a record."""
    return string(record.get("cwd"))


def model(record: Record) -> str | None:
    """Return the model named in a record."""
    return string(mapping(record.get("providerData")).get("model"))
