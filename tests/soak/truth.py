"""What the files say, counted without the program: the plainest reading of the formats.

It knows what the writers of a soak write, and no more.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .parts import TOKEN

Record = dict[str, Any]

GRACE, SLACK = 60, 5
"""Seconds of silence after which nobody is believed to work where no registry tells; and about."""


OWN = ("messageId", "model", "conversationRequestId", "requestModelId")
"""Fields of a response that only the agent's own programs write."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What is to be told of one transcript."""

    path: Path
    events: int
    uncertain: int
    statuses: frozenset[str]
    """One, or two where it changes about now."""
    tokens: tuple[str, ...]
    """Of the records that have a row of their own, in order."""


def truth_of(path: Path, process: str) -> Truth:
    """The truth of a transcript; `process` is "alive", "dead", or "" where nothing tells."""
    records = list(_records(path))
    meaningful = [kind for record in records if (kind := _kind(record))]
    open_calls = _open_calls(records)
    silence = time.time() - path.stat().st_mtime
    statuses = _statuses(meaningful, process, silence)
    if path.parent.name == "subagents" and not open_calls:
        statuses |= {"done"}  # over with the call that it works for
    last_call_runs = bool(open_calls) and not statuses & {"crashed"}
    return Truth(
        path,
        len(records),
        len(open_calls) - last_call_runs,
        statuses,
        tuple(token for record in records for token in _tokens(record)),
    )


def _records(path: Path) -> Iterable[Record]:
    """The readable records; what is after the last line end is none yet."""
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def _is_midway(record: Record) -> bool:
    """Whether a text is in the agent's own form, which ends its responses with their usage."""
    extra = record.get("providerData", {})
    return {*OWN} <= extra.keys() and not extra.get("usage")


def _kind(record: Record) -> str:
    """`prompt`, `answer`, `call`, `question`, `other`; "" for what means nothing by itself."""
    if "event_type" in record:
        return _mycodeagents_kind(record)
    match record.get("type"):
        case "message":
            if record["role"] == "user":
                return "prompt"
            return "other" if _is_midway(record) else "answer"
        case "function_call":
            return "question" if record["name"] == "AskUserQuestion" else "call"
        case "reasoning" | "function_call_result":
            return "other"
    return ""


def _mycodeagents_kind(record: Record) -> str:
    match record["event_type"]:
        case "terminal":
            return "answer"
        case "tool_lifecycle":
            return "call"
        case "message" if record["payload"]["role"] != "tool":
            return "other"
    return ""


def _open_calls(records: Iterable[Record]) -> list[str]:
    calls: dict[str, None] = {}
    for record in records:
        payload = record.get("payload", record)
        is_result = record.get("type") == "function_call_result"
        if is_result or (
            payload.get("status") in ("completed", "failed") and "tool_name" in payload
        ):
            calls.pop(payload.get("callId") or payload["tool_call_id"], None)
        elif record.get("type") == "function_call" or payload.get("status") == "started":
            calls[payload.get("callId") or payload["tool_call_id"]] = None
    return list(calls)


def _statuses(meaningful: list[str], process: str, silence: float) -> frozenset[str]:
    last = meaningful[-1] if meaningful else ""
    if not last:
        return frozenset({"empty"})
    if last == "question":
        return frozenset({"asking"})
    if last == "answer":
        return frozenset({"waiting" if process == "alive" else "done"})
    if process:
        return frozenset({"working" if process == "alive" else "crashed"})
    near = {"working"} if silence < GRACE + SLACK else set()
    far = {"unknown"} if silence > GRACE - SLACK else set()
    return frozenset(near | far)


def _tokens(record: Record) -> list[str]:
    """The token of a record that has a row: results lie on their calls, the rest is no text."""
    if record.get("type") not in ("message", "reasoning", "function_call"):
        return []
    return TOKEN.findall(json.dumps(record))[:1]
