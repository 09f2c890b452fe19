"""Steps as MyCodeAgent writes them down, one line or more each."""

from __future__ import annotations

import random
from typing import Any

import orjson

from ..lines import PAUSE_MS, line, utc
from ..steps import Step


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
        return line(
            {
                "event_id": f"evt-{self._rng.getrandbits(128):032x}",
                "timestamp": utc(self.now).isoformat().replace("+00:00", "Z"),
                "session_id": self._session,
                "run_id": f"run-{self._run}",
                "step": self._step,
                "event_type": event_type,
                "payload": payload,
                "schema_version": 1,
            }
        )
