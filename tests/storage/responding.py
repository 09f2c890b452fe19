"""A session whose agent appends its responses record by record, and what it leaves on disk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from sessions_tui.storage.transcript.transcript import Transcript

BEGAN = 1_796_000_000_000
"""When the session was begun, in milliseconds."""

Record = dict[str, Any]


class Responding:
    """Writes the records of one session; each response begins a second after the one before."""

    def __init__(
        self, top: Path, session: str = "s1", now: int = BEGAN, home: Path | None = None
    ) -> None:
        self.home, self.project = home or top / "home", top / "project"
        self.session = session
        self.transcript = self.home / "projects" / "work" / f"{session}.jsonl"
        for folder in (self.transcript.parent, self.home / "sessions", self.project):
            folder.mkdir(parents=True, exist_ok=True)
        self.at = now
        self.response = 0
        self.extra: Record = {
            "model": "m-1",
            "requestModelId": "m-1",
            "conversationRequestId": "r-1",
            "agent": "cli",
        }
        """What the agent's own form has beside the id of the response."""
        self._tracked: dict[str, Record] = {}

    def file(self, name: str, text: str, at: int) -> Path:
        """A file of the project, last written at a time."""
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, ns=(at * 1_000_000, at * 1_000_000))
        return path

    def prompt(self, text: str = "Change them all") -> None:
        """The user's prompt, with the snapshot that follows it."""
        self.at += 1_000
        content = [{"type": "input_text", "text": text}]
        self.write({"type": "message", "role": "user", "content": content, "providerData": {}})
        self._snapshot(is_update=False)

    def begin(self) -> None:
        """The records from now on are of another response."""
        self.at += 1_000
        self.response += 1

    def text(self, text: str = "I change them.", last: bool = False) -> None:
        """The text of a response; with `last` nothing of it follows."""
        content = [{"type": "output_text", "text": text}]
        record = {"type": "message", "role": "assistant", "status": "completed", "content": content}
        self._part(record, last)

    def think(self) -> None:
        """A thought."""
        self._part({"type": "reasoning", "content": [], "rawContent": []}, False)

    def call(self, tool: str, last: bool = False, **args: Any) -> str:
        """A call of a response; its id."""
        id = f"c{self.response}-{self.transcript.stat().st_size}"
        record = {"type": "function_call", "callId": id, "name": tool}
        self._part({**record, "arguments": json.dumps(args)}, last)
        return id

    def edit(self, name: str, last: bool = False) -> str:
        """An edit of a file of the project."""
        path = str(self.project / name)
        return self.call("Edit", last, file_path=path, old_string="old", new_string="new")

    def result(self, id: str, tool: str = "Edit") -> None:
        """The result of a call."""
        result = {"content": "Done", "renderer": {"type": "text"}}
        self.write(
            {
                "type": "function_call_result",
                "callId": id,
                "name": tool,
                "status": "completed",
                "output": {"type": "text", "text": "Done"},
                "providerData": {"toolResult": result, "messageId": f"m{self.response + 1}"},
            }
        )

    def track(self, *names: str, **held: str | None) -> None:
        """A snapshot for a change of these files, which exist as they are, or held what is said.

        None: the file did not exist.
        """
        texts = {name: (self.project / name).read_text() for name in names}
        for name, text in {**texts, **held}.items():
            key, entry = name.replace("__", "."), {"version": 1, "backupTime": self.at}
            if text is not None:
                backup = f"{abs(hash((key, self.at))):016x}@v1"
                path = self.home / "file-history" / self.session / backup
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                entry["backupFileName"] = backup  # type: ignore[assignment]
            self._tracked[key] = entry
        self._snapshot(is_update=True)

    def stop(self) -> None:
        """Stopped by you."""
        content = [{"type": "output_text", "text": "Interrupted by user"}]
        record = {"type": "message", "role": "assistant", "content": content}
        self.write({**record, "status": "incomplete", "providerData": {"skipRun": True}})

    def read(self) -> Transcript:
        """The transcript, read to its end."""
        transcript = Transcript(self.transcript, self.session)
        transcript.read()
        return transcript

    def write(self, record: Record) -> None:
        """Append a record."""
        whole = {
            "timestamp": self.at,
            **record,
            "sessionId": self.session,
            "cwd": str(self.project),
        }
        with self.transcript.open("a") as file:
            file.write(json.dumps(whole) + "\n")

    def _part(self, record: Record, last: bool) -> None:
        used = {"rawUsage": {"prompt_tokens": 9, "completion_tokens": 1}} if last else {}
        extra = {"messageId": f"m{self.response}", **self.extra, **used}
        self.write({**record, "providerData": extra})

    def _snapshot(self, is_update: bool) -> None:
        snapshot = {"messageId": "u", "trackedFileBackups": dict(self._tracked)}
        record = {"type": "file-history-snapshot", "isSnapshotUpdate": is_update}
        self.write({**record, "snapshot": snapshot})
