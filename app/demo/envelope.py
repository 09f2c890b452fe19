"""Records a story in the evidence envelope, as an agent using that format does."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from ...storage.model.event import Event
from ...storage.recording import EnvelopeRecorder
from . import steps
from .clock import StoryClock


class EnvelopePen:
    """Records the steps of one session. Does not wait for the disk: the demo is temporary."""

    def __init__(self, path: Path, cwd: str, clock: StoryClock) -> None:
        self.cwd, self.clock = cwd, clock
        self.recorder = EnvelopeRecorder(path, sync=False, clock=clock.time)
        self._number = 0

    def write(self, step: steps.Step) -> None:
        """Record a step; the format has no interruptions and no compactions."""
        match step:
            case steps.Prompt(text):
                self._record(1.5, "message", {"role": "user", "content": text})
            case steps.Title(text):
                self._record(0.1, "ai-title", {"title": text})
            case steps.Thought(text):
                self._record(6, "reasoning", {"content": text})
            case steps.Remark(text) | steps.Answer(text):
                self._record(8, "message", {"role": "assistant", "content": text})
            case steps.Call():
                self._call(step)
            case steps.Pause(seconds):
                self.clock.tick(seconds)
            case _:
                return

    def lose(self) -> Event:
        """Add a record that is then cut out of the file, as if a writer had lost it."""
        return self._record(0, "ai-title", {"title": ""})

    def _call(self, call: steps.Call) -> None:
        ident, args, path = f"call_{self._number + 1:03d}", call.args, call.args.get("file_path")
        if path:
            args = args | {"file_path": f"{self.cwd}/{path}"}
        body = {"name": call.tool, "arguments": args, "callId": ident}
        self._record(0.4, "function_call", body)
        if call.output is None:
            return
        output: dict[str, Any] = {"content": call.output}
        if call.exit_code is not None:
            output["exit_code"] = call.exit_code
        self._record(call.seconds, "function_call_result", {"callId": ident, "output": output})
        if call.tool in {"Edit", "Write"}:
            digest = hashlib.md5(f"{self._number} {path}".encode(), usedforsecurity=False)
            snapshot = {"path": path, "hash": digest.hexdigest()}
            self._record(0.01, "file-history-snapshot", snapshot)

    def _record(self, seconds: float, name: str, payload: dict[str, Any]) -> Event:
        self.clock.tick(seconds)
        self._number += 1
        return self.recorder.record(name, payload)
