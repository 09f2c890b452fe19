"""Writes a story as MyCodeAgent would: messages, transitions and the life of each tool call."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from . import steps
from .clock import Clock

Payload = dict[str, Any]


class MyCodeAgentPen:
    """Turns the steps of one session into lines; a prompt begins a run, an answer ends it."""

    def __init__(self, session: str, clock: Clock, rng: random.Random) -> None:
        self.session, self.clock, self.rng = session, clock, rng
        self._run = self._step = 0
        self._state: str | None = None
        self._remark = ""

    def write(self, step: steps.Step) -> Iterator[bytes]:
        """The lines that a step leaves; thoughts and titles are not recorded by this agent."""
        match step:
            case steps.Prompt(text):
                self._run, self._step, self._state = self._run + 1, 0, None
                yield self._line(2, "message", {"role": "user", "content": text, "metadata": {}})
                yield self._moved("user_input", {"pending_input_len": len(text)})
            case steps.Remark(text):
                self._remark = text
            case steps.Answer(text):
                yield from self._answered(text)
            case steps.Call():
                yield from self._called(step)
            case steps.Interrupted():
                yield self._terminal("interrupted", {"cancelled": True})
            case steps.Compaction(summary):
                yield from self._compacted(summary)
            case steps.Pause(seconds):
                self.clock.tick(seconds)
            case _:
                return

    def _called(self, call: steps.Call) -> Iterator[bytes]:
        self._step += 1
        name, args = _as_own_tool(call)
        ident = f"call_{self.rng.getrandbits(96):024x}"
        yield self._moved("model_returned_tool_calls", {"tool_count": 1}, 7.5)
        asked = {"id": ident, "name": name, "arguments": json.dumps(args, ensure_ascii=False)}
        metadata = {"action_type": "tool_call", "tool_calls": [asked]}
        said, self._remark = self._remark, ""
        message = {"role": "assistant", "content": said, "metadata": metadata}
        yield self._line(0.001, "message", message)
        base = {"tool_name": name, "tool_call_id": ident}
        for status in ("requested", "started"):
            yield self._line(0.002, "tool_lifecycle", base | {"status": status, "args": args})
        if call.output is not None:
            yield from self._ended(call, base, args)

    def _ended(self, call: steps.Call, base: Payload, args: Payload) -> Iterator[bytes]:
        result = self._result(call, args)
        status = "failed" if call.error else "completed"
        ended = base | {"status": status, "result": result}
        yield self._line(call.seconds, "tool_lifecycle", ended)
        content = json.dumps(result, ensure_ascii=False, indent=2)
        yield self._line(0.001, "message", {"role": "tool", "content": content, "metadata": base})
        yield self._moved("tools_executed", {"tool_count": 1})

    def _result(self, call: steps.Call, args: Payload) -> Payload:
        data = {"todos": _numbered(call.args["todos"])} if "todos" in call.args else {}
        result: Payload = {"status": "success", "data": data, "text": call.output}
        if call.exit_code is not None:
            result["status"] = "partial" if call.exit_code else "success"
            result["data"] = {"stdout": call.output, "stderr": "", "exit_code": call.exit_code}
        if call.error:
            result |= {"status": "error", "error": {"code": call.error, "message": call.output}}
        result["stats"] = {"time_ms": round(call.seconds * 1000)}
        return result | {"context": {"cwd": ".", "params_input": args}}

    def _answered(self, text: str) -> Iterator[bytes]:
        self._step += 1
        metadata = {"action_type": "final"}
        body = {"role": "assistant", "content": text, "metadata": metadata}
        yield self._line(9, "message", body)
        details = {"final_length": len(text), "completion_verdict": "allow"}
        yield self._moved("model_returned_final", details)
        yield self._terminal("completed", details)

    def _compacted(self, summary: str) -> Iterator[bytes]:
        ident, seconds = f"compact_{self.rng.getrandbits(128):032x}", 12
        made = datetime.fromtimestamp(self.clock.tick(seconds) / 1000)
        counts = {"retain_start_idx": 18, "messages_compacted": 18}
        checkpoint = {
            "summary": summary,
            "source_message_count": 40,
            **counts,
            "created_at": made.isoformat(),
            "metadata": {"rounds_count": 14, "min_retain_rounds": 10, "retain_start_round": 4},
            "checkpoint_id": ident,
        }
        yield self._line(0.001, "checkpoint", checkpoint)
        yield self._moved("context_compacted", {"checkpoint_id": ident, **counts})

    def _moved(self, reason: str, details: Payload, seconds: float = 0.001) -> bytes:
        payload = {"from_state": self._state, "to_state": reason, "reason": reason}
        self._state = reason
        return self._line(seconds, "state_transition", payload | {"details": details})

    def _terminal(self, reason: str, details: Payload) -> bytes:
        return self._line(0.001, "terminal", {"reason": reason, "details": details})

    def _line(self, seconds: float, event_type: str, payload: Payload) -> bytes:
        # Whole milliseconds look rounded; the agent writes microseconds.
        at = self.clock.tick(seconds) / 1000 + self.rng.randrange(1000) / 1e6
        stamp = datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds")
        record = {
            "event_id": f"evt-{self.rng.getrandbits(128):032x}",
            "timestamp": stamp.replace("+00:00", "Z"),
            "session_id": self.session,
            "run_id": f"run-{self._run}",
            "step": self._step,
            "event_type": event_type,
            "payload": payload,
            "schema_version": 1,
        }
        return (json.dumps(record, ensure_ascii=False) + "\n").encode()


def _as_own_tool(call: steps.Call) -> tuple[str, Payload]:
    """The call with the names that this agent's tools have."""
    args = call.args
    match call.tool:
        case "Read":
            return "Read", {"path": args["file_path"]}
        case "Write":
            return "Edit", {"path": args["file_path"], "create_content": args["content"]}
        case "Edit":
            change = {"old_string": args["old_string"], "new_string": args["new_string"]}
            return "Edit", {"path": args["file_path"], "edits": [change]}
        case "TodoWrite":
            return "TodoWrite", {"summary": call.label, **args}
        case tool:
            return tool, args


def _numbered(todos: list[Payload]) -> list[Payload]:
    """The list as the tool gives it back."""
    return [{"id": f"t{number}", **todo} for number, todo in enumerate(todos, 1)]
