"""Records a story as MyCodeAgent would: messages, transitions and the stages of each call."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ...storage.recording import MyCodeAgentRecorder
from . import steps
from .clock import StoryClock

Payload = dict[str, Any]


class MyCodeAgentPen:
    """Records the steps of one session; a prompt begins a run, an answer ends it."""

    def __init__(self, path: Path, clock: StoryClock, rng: random.Random) -> None:
        self.clock, self.rng = clock, rng
        self._remark = ""
        # No waiting for the disk: the demo is temporary.
        self.recorder = MyCodeAgentRecorder(
            path, sync=False, clock=self._time, new_id=lambda: f"evt-{rng.getrandbits(128):032x}"
        )

    def write(self, step: steps.Step) -> None:
        """Record a step; this agent records no thinking and no titles."""
        match step:
            case steps.Prompt(text):
                self.recorder.begin_run()
                self._message(2, "user", text, {})
                self._moved("user_input", {"pending_input_len": len(text)})
            case steps.Remark(text):
                self._remark = text
            case steps.Answer(text):
                self._answer(text)
            case steps.Call():
                self._call(step)
            case steps.Interrupted():
                self._terminal("interrupted", {"cancelled": True})
            case steps.Compaction(summary):
                self._compact(summary)
            case steps.Pause(seconds):
                self.clock.tick(seconds)
            case _:
                return

    def _time(self) -> datetime:
        """Return the time with microseconds, as the agent writes it."""
        return self.clock.time() + timedelta(microseconds=self.rng.randrange(1000))

    def _call(self, call: steps.Call) -> None:
        self.recorder.step += 1
        name, args = _as_own_tool(call)
        ident = f"call_{self.rng.getrandbits(96):024x}"
        self._moved("model_returned_tool_calls", {"tool_count": 1}, 7.5)
        asked = {"id": ident, "name": name, "arguments": json.dumps(args, ensure_ascii=False)}
        said, self._remark = self._remark, ""
        self._message(0.001, "assistant", said, {"action_type": "tool_call", "tool_calls": [asked]})
        for status in ("requested", "started"):
            self.clock.tick(0.002)
            self.recorder.tool(status, name, ident, args=args)
        if call.output is not None:
            self._end(call, name, ident, args)

    def _end(self, call: steps.Call, name: str, ident: str, args: Payload) -> None:
        result = self._result(call, args)
        self.clock.tick(call.seconds)
        self.recorder.tool("failed" if call.error else "completed", name, ident, result=result)
        content = json.dumps(result, ensure_ascii=False, indent=2)
        self._message(0.001, "tool", content, {"tool_name": name, "tool_call_id": ident})
        self._moved("tools_executed", {"tool_count": 1})

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

    def _answer(self, text: str) -> None:
        self.recorder.step += 1
        self._message(9, "assistant", text, {"action_type": "final"})
        details = {"final_length": len(text), "completion_verdict": "allow"}
        self._moved("model_returned_final", details)
        self._terminal("completed", details)

    def _compact(self, summary: str) -> None:
        ident, seconds = f"compact_{self.rng.getrandbits(128):032x}", 12
        made = datetime.fromtimestamp(self.clock.tick(seconds) / 1000)
        counts = {"retain_start_idx": 18, "messages_compacted": 18}
        self.clock.tick(0.001)
        self.recorder.checkpoint(
            summary,
            ident,
            source_message_count=40,
            **counts,
            created_at=made.isoformat(),
            metadata={"rounds_count": 14, "min_retain_rounds": 10, "retain_start_round": 4},
        )
        self._moved("context_compacted", {"checkpoint_id": ident, **counts})

    def _message(self, seconds: float, role: str, content: str, metadata: Payload) -> None:
        self.clock.tick(seconds)
        self.recorder.message(role, content, metadata)

    def _moved(self, reason: str, details: Payload, seconds: float = 0.001) -> None:
        self.clock.tick(seconds)
        self.recorder.transition(reason, details)

    def _terminal(self, reason: str, details: Payload) -> None:
        self.clock.tick(0.001)
        self.recorder.terminal(reason, details)


def _as_own_tool(call: steps.Call) -> tuple[str, Payload]:
    """Return the call with this agent's tool and argument names."""
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
    """Return the todo list as the tool's result has it."""
    return [{"id": f"t{number}", **todo} for number, todo in enumerate(todos, 1)]
