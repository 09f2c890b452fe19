"""Steps as CodeBuddy and WorkBuddy write them down, one line each."""

from __future__ import annotations

import random
from typing import Any

import orjson

from ..lines import PAUSE_MS, line
from ..steps import Step

MODELS = ("hy3", "glm-5.2", "deepseek-v4", "kimi-k3")


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
            return line({"type": "ai-title", "aiTitle": step.text, "timestamp": self.now})
        id = f"{self._rng.getrandbits(128):032x}"
        start: dict[str, Any] = {"id": id, "parentId": self._parent, "timestamp": self.now}
        self._parent = id
        return line(start | self._body(step) | self._place)

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


def _message(role: str, content: list[Any], made: dict[str, Any]) -> dict[str, Any]:
    message = {"type": "message", "role": role, "status": "completed"}
    return message | {"content": content, "providerData": made}
