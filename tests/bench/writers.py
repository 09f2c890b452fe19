"""Steps as the agents write them down: one writer a dialect, one line or more a step."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any, Protocol

import orjson

from .steps import Step

MODELS = ("hy3", "glm-5.2", "deepseek-v4", "kimi-k3")
PAUSE_MS = 4_000
"""The longest time between two records of a made-up session."""


class Writer(Protocol):
    """Writes the steps of one session."""

    now: int
    """Milliseconds since 1970 of the last record."""
    pause: int
    """The longest time between two records, in milliseconds."""

    def lines(self, step: Step) -> bytes:
        """The lines of a step, each with its line end."""
        ...


class ProductWriter:
    """As WorkBuddy and CodeBuddy write: a result's text stands in its record twice."""

    def __init__(self, rng: random.Random, session: str, cwd: str, start: int) -> None:
        self.now, self.pause = start, PAUSE_MS
        self._rng = rng
        self._place = {"sessionId": session, "cwd": cwd}
        self._parent = ""
        self._call = ""
        self._tokens = 4_000

    def lines(self, step: Step) -> bytes:
        """The one line of a step."""
        self.now += self._rng.randrange(1, self.pause)
        if step.kind == "title":
            return _line({"type": "ai-title", "aiTitle": step.text, "timestamp": self.now})
        id = f"{self._rng.getrandbits(128):032x}"
        start: dict[str, Any] = {"id": id, "parentId": self._parent, "timestamp": self.now}
        self._parent = id
        return _line(start | self._body(step) | self._place)

    def _body(self, step: Step) -> dict[str, Any]:
        made = {"messageId": self._parent, "model": self._rng.choice(MODELS), "agent": "cli"}
        match step.kind:
            case "prompt":
                text = f"<user_query>{step.text}</user_query>"
                return _message("user", [{"type": "input_text", "text": text}], {"agent": "cli"})
            case "answer":
                return _message("assistant", [{"type": "output_text", "text": step.text}], made)
            case "thought":
                raw = [{"type": "reasoning_text", "text": step.text}]
                return {"type": "reasoning", "providerData": made, "content": [], "rawContent": raw}
            case "snapshot":
                tracked = {step.text: {"version": 1, "backupTime": self.now}}
                snapshot = {"messageId": self._parent, "trackedFileBackups": tracked}
                return {"type": "file-history-snapshot", "snapshot": snapshot}
            case "call":
                return self._call_body(step, made)
        return self._result_body(step, made)

    def _call_body(self, step: Step, made: dict[str, Any]) -> dict[str, Any]:
        self._call = f"call_{self._rng.getrandbits(96):024x}"
        self._tokens += self._rng.randrange(200, 3_000)
        used = {"inputTokens": self._tokens, "outputTokens": 300, "totalTokens": self._tokens + 300}
        return {
            "type": "function_call",
            "providerData": made | {"usage": used},
            "callId": self._call,
            "name": step.tool,
            "arguments": orjson.dumps(step.args).decode(),
        }

    def _result_body(self, step: Step, made: dict[str, Any]) -> dict[str, Any]:
        error = {"error": "Tool failed"} if step.failed else {}
        shown = {"content": step.text, "renderer": {"type": "text"}} | error
        return {
            "type": "function_call_result",
            "name": step.tool,
            "callId": self._call,
            "status": "completed",
            "output": {"type": "text", "text": step.text},
            "providerData": made | {"toolResult": shown},
        }


class EnvelopeWriter:
    """Every record with its own sequence number and event id."""

    def __init__(self, rng: random.Random, session: str, cwd: str, start: int) -> None:
        self.now, self.pause = start, PAUSE_MS
        self._rng = rng
        self._session = session
        self._sequence = 0
        self._call = ""

    def lines(self, step: Step) -> bytes:
        """The one line of a step."""
        self.now += self._rng.randrange(1, self.pause)
        self._sequence += 1
        envelope = {
            "event_id": f"transcript:{self._session}:{self._sequence}",
            "recorded_at": _utc(self.now).isoformat(),
            "schema_version": 1,
            "sequence": self._sequence,
            "session_id": self._session,
        }
        return _line(self._body(step) | envelope, orjson.OPT_SORT_KEYS)

    def _body(self, step: Step) -> dict[str, Any]:
        match step.kind:
            case "prompt":
                return {"type": "message", "role": "user", "content": step.text}
            case "answer":
                return {"type": "message", "role": "assistant", "content": step.text}
            case "thought":
                return {"type": "reasoning", "content": step.text}
            case "title":
                return {"type": "ai-title", "title": step.text}
            case "snapshot":
                return {"type": "file-history-snapshot", "path": step.text, "hash": "0" * 32}
            case "call":
                self._call = f"call_{self._sequence}"
                body = {"name": step.tool, "arguments": step.args, "callId": self._call}
                return {"type": "function_call"} | body
        output = {"content": step.text}
        return {"type": "function_call_result", "callId": self._call, "output": output}


class MyCodeAgentWriter:
    """A call as requested and started, its result as completed and as told to the model."""

    def __init__(self, rng: random.Random, session: str, cwd: str, start: int) -> None:
        self.now, self.pause = start, PAUSE_MS
        self._rng = rng
        self._session = session
        self._run = self._step = 0
        self._call = ""

    def lines(self, step: Step) -> bytes:
        """The lines of a step; thoughts, titles and snapshots are not written."""
        match step.kind:
            case "prompt":
                self._run, self._step = self._run + 1, 0
                return self._said("user", step.text, {}) + self._moved(len(step.text))
            case "answer" if step.final:
                said = self._said("assistant", step.text, {"action_type": "final"})
                return said + self._record("terminal", {"reason": "completed", "details": {}})
            case "answer":
                return self._said("assistant", step.text, {})
            case "call":
                return self._calls(step)
            case "result":
                return self._results(step)
        return b""

    def _calls(self, step: Step) -> bytes:
        self._step += 1
        self._call = f"call_{self._rng.getrandbits(64):016x}"
        return b"".join(
            self._lifecycle(step, status, {"args": step.args})
            for status in ("requested", "started")
        )

    def _results(self, step: Step) -> bytes:
        result = {
            "status": "error" if step.failed else "success",
            "data": {},
            "text": step.text,
            "stats": {"time_ms": 12},
        }
        status = "failed" if step.failed else "completed"
        told = orjson.dumps(result, option=orjson.OPT_INDENT_2).decode()[:50_000]
        metadata = {"tool_name": step.tool, "tool_call_id": self._call}
        return self._lifecycle(step, status, {"result": result}) + self._said(
            "tool", told, metadata
        )

    def _lifecycle(self, step: Step, status: str, more: dict[str, Any]) -> bytes:
        call = {"tool_name": step.tool, "tool_call_id": self._call, "status": status}
        return self._record("tool_lifecycle", call | more)

    def _said(self, role: str, content: str, metadata: dict[str, Any]) -> bytes:
        return self._record("message", {"role": role, "content": content, "metadata": metadata})

    def _moved(self, size: int) -> bytes:
        moved = {"from_state": None, "to_state": "user_input", "reason": "user_input"}
        return self._record("state_transition", moved | {"details": {"pending_input_len": size}})

    def _record(self, event_type: str, payload: dict[str, Any]) -> bytes:
        self.now += self._rng.randrange(1, self.pause)
        return _line(
            {
                "event_id": f"evt-{self._rng.getrandbits(128):032x}",
                "timestamp": _utc(self.now).isoformat().replace("+00:00", "Z"),
                "session_id": self._session,
                "run_id": f"run-{self._run}",
                "step": self._step,
                "event_type": event_type,
                "payload": payload,
                "schema_version": 1,
            }
        )


WRITERS: dict[str, type[ProductWriter] | type[EnvelopeWriter] | type[MyCodeAgentWriter]] = {
    "product": ProductWriter,
    "envelope": EnvelopeWriter,
    "mycodeagent": MyCodeAgentWriter,
}


def _message(role: str, content: list[Any], made: dict[str, Any]) -> dict[str, Any]:
    message = {"type": "message", "role": role, "status": "completed"}
    return message | {"content": content, "providerData": made}


def _line(record: dict[str, Any], option: int = 0) -> bytes:
    return orjson.dumps(record, option=option | orjson.OPT_APPEND_NEWLINE)


def _utc(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
