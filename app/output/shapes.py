"""The JSON that commands print. Scripts rely on its names and structure."""

from __future__ import annotations

import codecs
import json
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from ...storage.model.event import Usage
from ...storage.model.family import Family
from ...storage.model.integrity import Integrity
from ...storage.model.session import Session
from ...storage.text.folding import well_formed
from ...storage.text.safe_text import HIDDEN
from ...storage.timeline.annotated import AnnotatedEvent

PIECE = 1024 * 1024
"""Number of bytes printed at a time."""

DEEPEST = 254
"""Maximum nesting depth that is printed: as much as orjson supports."""


def print_json(value: Any) -> None:
    """Print `to_json` of a value and a newline, in pieces if it is long."""
    try:
        data = orjson.dumps(value)
    except (TypeError, ValueError, RecursionError):
        print(to_json(value))
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(data), PIECE):
        sys.stdout.write(_unhidden(decoder.decode(data[at : at + PIECE])))
    print()


def to_json(value: Any) -> str:
    """Return strict JSON in valid UTF-8: lone surrogates become U+FFFD, NaN and Infinity null.

    Characters that could control a terminal, or are invisible, are escaped.
    """
    try:
        text = orjson.dumps(value).decode()
    except (TypeError, ValueError, RecursionError):
        text = json.dumps(_clean(value), ensure_ascii=False, separators=(",", ":"))
    return _unhidden(text)


def print_list(values: Iterable[Any]) -> None:
    """Print a list as one document, each value as soon as it is known."""
    begin = "["
    for value in values:
        sys.stdout.write(begin)
        sys.stdout.write(to_json(value))
        begin = ","
    print("[]" if begin == "[" else "]")


def time_shape(milliseconds: int | None) -> str | None:
    """Return a time as ISO 8601 in UTC with milliseconds."""
    if milliseconds is None:
        return None
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"


def session_shape(session: Session) -> dict[str, Any]:
    """Return the JSON object of a session."""
    return {
        "session": session.session,
        "path": os.fspath(session.path),
        "dialect": session.dialect,
        "workspace": session.workspace,
        "title": session.title,
        "title_from": session.title_from,
        "status": session.status,
        "needs_you": session.needs_you,
        "why": session.why,
        "integrity": integrity_shape(session.integrity),
        "events": session.events,
        "bytes": session.bytes,
        "started_at": time_shape(session.started_at),
        "updated_at": time_shape(session.updated_at),
        "model": session.model,
        "tokens": tokens_shape(session.tokens),
        "uncertain": session.uncertain,
        "candidates": session.candidates,
        "pinned": session.pinned,
        "parent": session.parent,
        "children": session.children,
        "hidden_by": session.hidden_by,
        "parts": list(session.part_ids),
        **kin_shape(session),
    }


def kin_shape(session: Session) -> dict[str, Any]:
    """Return the fields of SESSION about its sub-agents, taken together, and its origin."""
    family, origin = session.family or Family(), session.origin
    kind, name = (origin.kind, origin.session) if origin else (None, None)
    return {
        "descendants": family.members,
        "children_tokens": tokens_shape(family.tokens),
        "total_tokens": tokens_shape(session.family_tokens),
        "children_uncertain": family.uncertain,
        "children_working": family.working,
        "children_needing_you": family.needing,
        "family_needs_you": session.family_needs_you,
        "continues": name if kind == "continuation" else None,
        "forked_from": name if kind == "fork" else None,
        "origin_path": os.fspath(origin.path) if origin and origin.path else None,
    }


def integrity_shape(integrity: Integrity) -> dict[str, Any]:
    """Return the JSON object of integrity."""
    return {
        "state": integrity.state,
        "kind": integrity.kind,
        "line": integrity.line,
        "detail": integrity.detail,
    }


def tokens_shape(usage: Usage | None) -> dict[str, int] | None:
    """Return tokens, or null if none were counted."""
    if usage is None:
        return None
    return {"input": usage.input, "cached": usage.cached, "output": usage.output}


def event_shape(told: AnnotatedEvent) -> dict[str, Any]:
    """Return the JSON object of an event."""
    event = told.event
    return {
        "event_id": event.event_id,
        "number": event.place.number,
        "offset": event.place.offset,
        "bytes": event.place.size,
        "at": time_shape(event.at),
        "kind": event.kind,
        "role": event.role,
        "text": event.text,
        "tool": event.tool,
        "args": event.args,
        "call_id": event.call_id,
        "action": told.action,
        "state": state_shape(told.state),
        "detail": event.agent.reader.failure(event) if event.outcome else "",
        "model": event.model,
        "branch": "active" if told.active else "abandoned",
        "inherited": told.inherited,
    }


def state_shape(state: str) -> str | None:
    """Return the state of a call; "unknown", which may be running, is "running" in JSON."""
    return "running" if state == "unknown" else state or None


def _unhidden(text: str) -> str:
    if text.isascii() and "\x7f" not in text:
        return text
    return HIDDEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1].replace("\x7f", "\\u007f")


def _clean(value: Any, depth: int = 0) -> Any:
    """Convert what orjson rejects into valid JSON; values nested too deeply become null."""
    if depth > DEEPEST:
        return None
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {well_formed(str(key)): _clean(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item, depth + 1) for item in value]
    return value
