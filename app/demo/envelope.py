"""Writes a story in the evidence envelope: every record carries its number and event id."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from . import steps
from .clock import Clock

Body = dict[str, Any]


class EnvelopePen:
    """Turns the steps of one session into numbered lines."""

    def __init__(self, session: str, cwd: str, clock: Clock) -> None:
        self.session, self.cwd, self.clock = session, cwd, clock
        self.sequence = 0

    def write(self, step: steps.Step) -> Iterator[bytes]:
        """The lines that a step leaves; the format knows no interruption and no compaction."""
        match step:
            case steps.Prompt(text):
                yield self._line(1.5, {"type": "message", "role": "user", "content": text})
            case steps.Title(text):
                yield self._line(0.1, {"type": "ai-title", "title": text})
            case steps.Thought(text):
                yield self._line(6, {"type": "reasoning", "content": text})
            case steps.Remark(text) | steps.Answer(text):
                yield self._line(8, {"type": "message", "role": "assistant", "content": text})
            case steps.Call():
                yield from self._called(step)
            case steps.Pause(seconds):
                self.clock.tick(seconds)
            case _:
                return

    def skip(self) -> None:
        """Lose one record, as a writer does that fails and goes on counting."""
        self.sequence += 1

    def _called(self, call: steps.Call) -> Iterator[bytes]:
        ident, args, path = f"call_{self.sequence + 1:03d}", call.args, call.args.get("file_path")
        if path:
            args = args | {"file_path": f"{self.cwd}/{path}"}
        body = {"type": "function_call", "name": call.tool, "arguments": args, "callId": ident}
        yield self._line(0.4, body)
        if call.output is None:
            return
        output: Body = {"content": call.output}
        if call.exit_code is not None:
            output["exit_code"] = call.exit_code
        body = {"type": "function_call_result", "callId": ident, "output": output}
        yield self._line(call.seconds, body)
        if call.tool in {"Edit", "Write"}:
            digest = hashlib.md5(f"{self.sequence} {path}".encode(), usedforsecurity=False)
            snapshot = {"type": "file-history-snapshot", "path": path, "hash": digest.hexdigest()}
            yield self._line(0.01, snapshot)

    def _line(self, seconds: float, body: Body) -> bytes:
        self.sequence += 1
        at = datetime.fromtimestamp(self.clock.tick(seconds) / 1000, UTC)
        wrapper = {
            "schema_version": 1,
            "sequence": self.sequence,
            "recorded_at": at.isoformat(),
            "session_id": self.session,
            "event_id": f"transcript:{self.session}:{self.sequence}",
        }
        return (json.dumps(body | wrapper, ensure_ascii=False, sort_keys=True) + "\n").encode()
