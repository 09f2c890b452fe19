"""Projects whose agent died in the middle of a call: real files, and records in each dialect."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sessions_tui.storage.model.action import Action
from sessions_tui.storage.model.evidence import Evidence, Inspection
from sessions_tui.storage.review.actions import actions_of
from sessions_tui.storage.review.inspection import inspect
from sessions_tui.storage.transcript.transcript import Transcript

BEFORE = 1_790_000_000_000
"""When a file was last written before the call, in milliseconds."""
CALL = BEFORE + 3_600_000
AFTER = CALL + 30_000
NOW = CALL + 86_400_000

Record = dict[str, Any]
Change = list[tuple[str, str]] | str


class Crash:
    """One session in one project; what is recorded last is what its agent died in."""

    dialect = ""

    def __init__(self, top: Path) -> None:
        self.work = top / "work"
        self.work.mkdir(parents=True)
        self.home = top / "home"
        self.transcript = self.home / "projects" / "work" / "s.jsonl"
        self.records: list[Record] = []
        self.at = CALL - 1_000
        self.is_unterminated = False
        """Whether the last line end has not been written."""

    def path(self, name: str) -> Path:
        return self.work / name

    def leave(self, name: str, data: bytes, at: int) -> Path:
        """A file as it is found, last written at a time."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, ns=(at * 1_000_000, at * 1_000_000))
        return path

    def read(self, name: str, failed: bool = False) -> None:
        """The agent has read a file, or tried to."""
        self.ask("Read", {self.key: self.named(name)}, "r")
        self.end("r", failed)

    def change(self, tool: str, name: str, change: Change, call: str = "c") -> None:
        """The agent was to edit a file, or to write it whole."""
        path = {self.key: self.named(name)}
        if isinstance(change, str):
            tool, args = self.writing(tool, path, change)
        else:
            edits = [{"old_string": old, "new_string": new} for old, new in change]
            single = tool == "Edit" and self.dialect != "mycodeagent"
            args = path | (edits[0] if single else {"edits": edits})
        self.ask(tool, args, call)

    key = "file_path"

    def named(self, name: str) -> str:
        return name

    def writing(self, tool: str, path: Record, content: str) -> tuple[str, Record]:
        return tool, path | {"content": content}

    def ask(self, tool: str, args: Any, call: str = "c") -> None:
        raise NotImplementedError

    def end(self, call: str = "c", failed: bool = False) -> None:
        raise NotImplementedError

    def opened(self) -> Transcript:
        """The transcript, written and read."""
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(record).encode() + b"\n" for record in self.records]
        data = b"".join(lines)
        self.transcript.write_bytes(data.removesuffix(b"\n") if self.is_unterminated else data)
        transcript = Transcript(self.transcript, self.transcript.stem.removeprefix("transcript-"))
        transcript.read()
        assert self.dialect == transcript.agent.name
        return transcript

    def action(self) -> Action:
        """The newest call that was not made for another's sake."""
        actions = actions_of(self.opened(), alive=False, all=True)
        return next(action for action in actions if action.call_id == "c")

    def inspect(self) -> Inspection | None:
        return inspect(self.opened(), self.action(), NOW)

    def evidence(self) -> Evidence:
        inspection = self.inspect()
        assert inspection
        return inspection.evidence

    def tick(self) -> int:
        self.at += 1
        return self.at


class ProductCrash(Crash):
    """WorkBuddy's and CodeBuddy's."""

    dialect = "product"

    def _add(self, kind: str, **more: Any) -> None:
        facts = {"timestamp": self.tick(), "type": kind, "sessionId": "s", "cwd": str(self.work)}
        self.records.append(facts | more)

    def ask(self, tool: str, args: Any, call: str = "c") -> None:
        self._add("function_call", callId=call, name=tool, arguments=json.dumps(args))

    def end(self, call: str = "c", failed: bool = False) -> None:
        status = "failed" if failed else "completed"
        self._add("function_call_result", callId=call, status=status, output="")

    def think(self) -> None:
        self._add("reasoning", rawContent=[{"type": "reasoning_text", "text": "hm"}])

    def prompt(self) -> None:
        self._add("message", role="user", content=[{"type": "input_text", "text": "go on"}])

    def snapshot(self, entries: Record) -> None:
        """What the product notes of its backups."""
        self._add("file-history-snapshot", snapshot={"trackedFileBackups": entries})

    def back_up(self, name: str, content: bytes, backup: str = "c8de13889d548ac5@v1") -> None:
        """A backup, and the snapshot that names it."""
        folder = self.home / "file-history" / "s"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / backup).write_bytes(content)
        entry = {"backupFileName": backup, "version": 1, "backupTime": self.at}
        self.snapshot({name: entry})


class EnvelopeCrash(Crash):
    """Evidence envelopes; their records name no directory, so paths are absolute."""

    dialect = "envelope"

    def named(self, name: str) -> str:
        return str(self.path(name))

    def _add(self, kind: str, **more: Any) -> None:
        number = len(self.records) + 1
        facts = {
            "event_id": f"transcript:s:{number}",
            "recorded_at": datetime.fromtimestamp(self.tick() / 1000, UTC).isoformat(),
            "schema_version": 1,
            "sequence": number,
            "session_id": "s",
            "type": kind,
        }
        self.records.append(facts | more)

    def ask(self, tool: str, args: Any, call: str = "c") -> None:
        self._add("function_call", callId=call, name=tool, arguments=args)

    def end(self, call: str = "c", failed: bool = False) -> None:
        self._add("function_call_result", callId=call, output={"content": "", "is_error": failed})

    def snapshot(self, name: str, digest: str | None) -> None:
        self._add("file-history-snapshot", path=self.named(name), hash=digest)


class MyCodeAgentCrash(Crash):
    """MyCodeAgent's; paths are relative to its project."""

    dialect = "mycodeagent"
    key = "path"

    def __init__(self, top: Path) -> None:
        super().__init__(top)
        self.transcript = self.work / "memory" / "transcripts" / "transcript-s-1.jsonl"
        self._calls: dict[str, Record] = {}

    def writing(self, tool: str, path: Record, content: str) -> tuple[str, Record]:
        return "Edit", path | {"create_content": content}

    def _add(self, payload: Record) -> None:
        self.records.append(
            {
                "event_id": f"evt-{len(self.records)}",
                "timestamp": datetime.fromtimestamp(self.tick() / 1000, UTC).isoformat(),
                "session_id": "s-1",
                "run_id": "run-1",
                "step": len(self.records) // 3 + 1,
                "event_type": "tool_lifecycle",
                "payload": payload,
                "schema_version": 1,
            }
        )

    def ask(self, tool: str, args: Any, call: str = "c", started: bool = True) -> None:
        base = {"tool_name": tool, "tool_call_id": call}
        self._calls[call] = base | {"args": args}
        step = len(self.records)
        for status in ("requested", "started") if started else ("requested",):
            self._add(base | {"status": status, "args": args})
            self.records[-1]["step"] = step

    def end(self, call: str = "c", failed: bool = False) -> None:
        asked = self._calls[call]
        stats = {} if failed else self._stats(asked["args"].get("path"))
        status = "failed" if failed else "completed"
        base = {"tool_name": asked["tool_name"], "tool_call_id": call}
        self._add(base | {"status": status, "result": {"status": status, "stats": stats}})

    def _stats(self, name: str | None) -> Record:
        """What reading notes of the file."""
        if name is None or not self.path(name).exists():
            return {}
        stat = self.path(name).stat()
        return {"file_mtime_ms": stat.st_mtime_ns // 1_000_000, "file_size_bytes": stat.st_size}


CRASHES = {crash.dialect: crash for crash in (ProductCrash, EnvelopeCrash, MyCodeAgentCrash)}
