"""Writes a story as WorkBuddy and CodeBuddy would: flat records linked by their ids."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from uuid import UUID

import orjson

from . import steps
from .clock import Clock
from .tokens import Window

Record = dict[str, Any]

LANGUAGES = {".py": "python", ".ts": "typescript", ".sql": "sql", ".md": "markdown"}
MODELS = {"hy3": "Hy3", "glm-5": "GLM-5", "kimi-k3": "Kimi K3"}


class ProductPen:
    """Turns the steps of one session into lines. Sub-agents' lines are collected in `children`."""

    def __init__(
        self,
        session: str,
        cwd: str,
        clock: Clock,
        rng: random.Random,
        *,
        model: str = "hy3",
        agent: str = "cli",
        tip: str | None = None,
    ) -> None:
        self.session, self.cwd, self.clock, self.rng = session, cwd, clock, rng
        self.model, self.agent, self.tip = model, agent, tip
        self.children: dict[str, bytes] = {}
        self._prompt = tip
        self._request = self._trace = self._message = self._hex()
        self._thought = ""
        self._shared: tuple[str, str | None] | None = None
        self._backups: dict[str, Record] = {}
        self._window = Window()

    def write(self, step: steps.Step) -> Iterator[bytes]:
        """Yield the lines of a step, each created when it is requested."""
        for record in self._records(step):
            yield orjson.dumps(record) + b"\n"

    def _records(self, step: steps.Step) -> Iterator[Record]:
        match step:
            case steps.Prompt(text):
                return self._typed(text)
            case steps.Title(text):
                return self._named(text)
            case steps.Thought(text):
                return self._thinking(text)
            case steps.Remark(text):
                return self._remarked(text)
            case steps.Answer(text):
                return self._answered(text)
            case steps.Call():
                return self._called(step)
            case steps.Interrupted():
                return self._stopped()
            case steps.Compaction(summary):
                return self._compacted(summary)
            case steps.Pause(seconds):
                self.clock.tick(seconds)
                return iter(())

    def _typed(self, text: str) -> Iterator[Record]:
        self._request, self._trace = self._hex(), self._hex()
        self._window.add(text)
        body = {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
            "providerData": {"agent": self.agent},
        }
        yield self._chained(self._uuid(), self.clock.tick(1.5), body)
        self._prompt = self.tip
        if not self._is_child:
            yield self._snapshot(self.clock.tick(0.003), update=False)

    def _named(self, text: str) -> Iterator[Record]:
        at = self.clock.tick(0.05)
        yield {"timestamp": at, "type": "ai-title", "aiTitle": text, **self._tail()}

    def _thinking(self, text: str) -> Iterator[Record]:
        self._thought = text
        at = self.clock.tick(3 + self.rng.random() * 6 + len(text) / 40)
        body = {
            "type": "reasoning",
            "providerData": self._provider(),
            "content": [],
            "rawContent": [{"type": "reasoning_text", "text": text}],
        }
        yield self._chained(self._uuid(), at, body)

    def _remarked(self, text: str) -> Iterator[Record]:
        at = self.clock.tick(2 + len(text) / 40)
        ident, parent = self._generation(at), self.tip
        yield self._chained(ident, at, self._said(text) | {"providerData": self._provider()})
        # A call in the same response shares the id and the parent of its text.
        self._shared = (ident, parent)

    def _answered(self, text: str) -> Iterator[Record]:
        at = self.clock.tick(3 + len(text) / 30)
        provider, top = self._window.usage(self._thought, text)
        body = self._said(text) | {"providerData": self._provider() | provider}
        yield self._chained(self._generation(at), at, body, top)
        self._end_response(text)

    def _said(self, text: str) -> Record:
        block = {"providerData": {"annotations": []}, "type": "output_text", "text": text}
        return {"type": "message", "role": "assistant", "status": "completed", "content": [block]}

    def _called(self, call: steps.Call) -> Iterator[Record]:
        at = self.clock.tick(0.03 if self._thought or self._shared else 4)
        ident, self.tip = self._shared or (self._generation(at), self.tip)
        arguments = json.dumps(self._absolute(call.args), ensure_ascii=False)
        provider, top = self._window.usage(self._thought, arguments)
        meta = {"reasoning": self._thought} if self._thought else {}
        meta |= self._provider() | provider | {"argumentsDisplayText": call.label}
        call_id = f"chatcmpl-tool-{self.rng.getrandbits(64):016x}"
        body = {"type": "function_call", "providerData": meta, "callId": call_id}
        yield self._chained(ident, at, body | {"name": call.tool, "arguments": arguments}, top)
        if call.tool in {"Edit", "Write"} and not self._is_child:
            yield self._backup(call.args["file_path"], creates=call.tool == "Write")
        if call.output is not None:
            yield self._result(call, call_id, arguments)
        self._end_response(arguments)

    def _result(self, call: steps.Call, call_id: str, arguments: str) -> Record:
        tool: Record = {"content": self._output(call), "renderer": _renderer(call)}
        if call.child:
            child = tool["subAgent"] = self._delegated(call)
            tool["content"] += f"\n\n[Agent ID: {child['sessionId']}]"
        if call.exit_code is not None:
            tool["rawResponse"] = _shell(call.exit_code)
        if call.error:
            tool |= {"error": call.error, "rawResponse": {"is_error": True}}
        self._window.add(tool["content"])
        body = {
            "type": "function_call_result",
            "name": call.tool,
            "callId": call_id,
            "status": "completed",
            "output": {"type": "text", "text": tool["content"]},
            "providerData": self._provider() | {"toolResult": tool, "arguments": arguments},
        }
        return self._chained(self._uuid(), self.clock.tick(call.seconds), body)

    def _delegated(self, call: steps.Call) -> Record:
        name = f"agent-{self.rng.getrandbits(32):08x}"
        pen = ProductPen(
            self._uuid(), self.cwd, self.clock, self.rng, model=self.model, agent="general-purpose"
        )
        self.children[name] = b"".join(line for step in call.child for line in pen.write(step))
        return {"sessionId": name, "lastId": pen.tip}

    def _stopped(self) -> Iterator[Record]:
        text = "Interrupted by user"
        body = {
            "type": "message",
            "role": "assistant",
            "status": "incomplete",
            "content": [{"type": "output_text", "text": text}],
            "providerData": {"agent": self.agent, "skipRun": True, "error": {"message": text}},
        }
        yield self._chained(self._uuid(), self.clock.tick(3), body)

    def _compacted(self, summary: str) -> Iterator[Record]:
        at, ident = self.clock.tick(14), self._uuid()
        text = f"<cb_summary>\nSummary of the conversation so far:\n{summary}\n</cb_summary>"
        provider = {"skipRun": False, "compactType": "pre-message-auto", "isCompacted": True}
        yield {
            "id": ident,
            "logicalParentId": self.tip,
            "timestamp": at,
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
            "providerData": provider | {"isCompactInternal": True, "isSummary": False},
            **self._tail(),
        }
        self.tip = ident
        self._window.compact(summary)

    def _backup(self, path: str, creates: bool) -> Record:
        """Return the snapshot before a change; a file that is being created has no backup."""
        at = self.clock.tick(0.003)
        version = self._backups.pop(path, {}).get("version", 0) + 1
        name = f"{self.rng.getrandbits(64):016x}@v{version}"
        kept = {} if creates and version == 1 else {"backupFileName": name}
        self._backups[path] = {**kept, "version": version, "backupTime": at}
        return self._snapshot(at, update=True)

    def _snapshot(self, at: int, *, update: bool) -> Record:
        # The product lists every file of the session; the last few keep the demo small.
        backups = dict(list(self._backups.items())[-6:])
        return {
            "id": self._uuid(),
            "timestamp": at,
            "type": "file-history-snapshot",
            "isSnapshotUpdate": update,
            "snapshot": {"messageId": self._prompt, "trackedFileBackups": backups},
            "cwd": self.cwd,
        }

    def _chained(self, ident: str, at: int, body: Record, top: Record | None = None) -> Record:
        head: Record = {"id": ident} | ({"parentId": self.tip} if self.tip else {})
        self.tip = ident
        return head | {"timestamp": at} | body | self._tail() | (top or {})

    def _tail(self) -> Record:
        return {"sessionId": self.session, "cwd": self.cwd}

    def _provider(self) -> Record:
        provider = {
            "messageId": self._message,
            "model": self.model,
            "requestModelId": self.model,
            "requestModelName": MODELS.get(self.model, self.model),
            "traceId": self._trace,
            "conversationRequestId": self._request,
            "agent": self.agent,
        }
        return provider | ({"isSubAgent": True, "agentColor": "#4f7f8f"} if self._is_child else {})

    def _end_response(self, written: str) -> None:
        self._window.add(self._thought + written)
        self._thought, self._message, self._shared = "", self._hex(), None

    def _absolute(self, args: Record) -> Record:
        path = args.get("file_path")
        return args | {"file_path": f"{self.cwd}/{path}"} if path else args

    def _output(self, call: steps.Call) -> str:
        output = call.output or ""
        if call.exit_code is None:
            return output
        stdout = output.replace("\n", "\r\n")
        ended = f"Stderr: (empty)\nExit Code: {call.exit_code}\nSignal: (none)"
        return f"Command: {call.args['command']}\nStdout: {stdout}\r\n\n{ended}"

    @property
    def _is_child(self) -> bool:
        return self.agent != "cli"

    def _hex(self) -> str:
        return f"{self.rng.getrandbits(128):032x}"

    def _uuid(self) -> str:
        return str(UUID(int=self.rng.getrandbits(128), version=4))

    def _generation(self, at: int) -> str:
        letters = "".join(self.rng.choices(string.ascii_letters, k=20))
        return f"gen-{at // 1000}-{letters}"


def _renderer(call: steps.Call) -> Record:
    if call.tool == "Edit":
        return {"type": "diff"}
    if language := LANGUAGES.get(PurePath(call.args.get("file_path", "")).suffix):
        return {"type": "code", "context": {"language": language}}
    return {"type": "text"}


def _shell(exit_code: int) -> Record:
    raw = {"exitCode": exit_code, "signal": None, "interrupted": False, "sandboxDenied": False}
    return raw | {"tool_error_code": "0"}
