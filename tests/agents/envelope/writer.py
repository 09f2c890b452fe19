"""Steps in the evidence envelope, one line each."""

from __future__ import annotations

import random
from typing import Any

import orjson

from ..lines import PAUSE_MS, line, utc
from ..steps import Step


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
            "recorded_at": utc(self.now).isoformat(),
            "schema_version": 1,
            "sequence": self._sequence,
            "session_id": self._session,
        }
        return line(self._body(step) | envelope, orjson.OPT_SORT_KEYS)

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
