"""Sessions of several parts, written record by record as the formats have it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.stores.roots import find_roots

AT = 1_795_983_556_000
"""When the sessions begin: 2026-11-29 20:19:16 UTC."""
LATER = AT + 3_600_000

Fields = dict[str, Any]


class Part:
    """One envelope file; each record is a second later than the one before."""

    def __init__(self, folder: Path, session: str, continues: str | None = None, at: int = AT):
        self.path = folder / f"{session}.jsonl"
        self.session = session
        self._continues = continues
        self._at = at
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)
        self.path.touch()

    def says(self, type: str, **fields: Any) -> Part:
        """Append a record."""
        with self.path.open("ab") as file:
            file.write(self.line(type, **fields))
        return self

    def line(self, type: str, **fields: Any) -> bytes:
        """The next record, not written yet."""
        self._count += 1
        told = datetime.fromtimestamp(self._at / 1000 + self._count, UTC).isoformat()
        record = {
            "schema_version": 1,
            "sequence": self._count,
            "recorded_at": told,
            "session_id": self.session,
            "event_id": f"transcript:{self.session}:{self._count}",
            "type": type,
            **fields,
        }
        if self._count == 1 and self._continues is not None:
            record["continues"] = self._continues
        return json.dumps(record, ensure_ascii=False).encode() + b"\n"

    def asks(self, text: str) -> Part:
        """A prompt."""
        return self.says("message", role="user", content=text)

    def answers(self, text: str) -> Part:
        """An answer."""
        return self.says("message", role="assistant", content=text)

    def calls(self, id: str, tool: str = "Edit", **arguments: Any) -> Part:
        """A call."""
        arguments = arguments or {"path": "/nowhere/a.py", "old": "a", "new": "b"}
        return self.says("function_call", name=tool, arguments=arguments, callId=id)

    def returns(self, id: str, output: str = "done") -> Part:
        """Its result."""
        return self.says("function_call_result", callId=id, output={"content": output})

    def writes(self, data: bytes) -> Part:
        """Append bytes."""
        with self.path.open("ab") as file:
            file.write(data)
        return self


class Run:
    """One MyCodeAgent file in a project."""

    def __init__(self, project: Path, session: str, continues: str | None = None, at: int = AT):
        folder = project / "memory" / "transcripts"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"transcript-{session}.jsonl"
        self.session = session
        self._continues = continues
        self._at = at
        self._count = 0

    def says(self, event_type: str, payload: Fields, run: str = "run-1", step: int = 1) -> Run:
        """Append a record."""
        self._count += 1
        told = datetime.fromtimestamp(self._at / 1000 + self._count, UTC)
        record: Fields = {
            "event_id": f"evt-{self.session}-{self._count:04}",
            "timestamp": told.isoformat().replace("+00:00", "Z"),
            "session_id": self.session,
            "run_id": run,
            "step": step,
            "event_type": event_type,
            "payload": payload,
            "schema_version": 1,
        }
        if self._count == 1 and self._continues is not None:
            record["continues"] = self._continues
        with self.path.open("ab") as file:
            file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        return self

    def asks(self, text: str, run: str = "run-1") -> Run:
        """A prompt."""
        return self.says("message", {"role": "user", "content": text, "metadata": {}}, run, 0)

    def tool(self, status: str, id: str, tool: str = "Edit", run: str = "run-1") -> Run:
        """A step in the life of a call."""
        payload: Fields = {"tool_name": tool, "tool_call_id": id, "status": status}
        if status in ("requested", "started"):
            payload["args"] = {"path": "a.py", "old_string": "a", "new_string": "b"}
        else:
            payload["result"] = {"status": "success", "data": {}, "text": "done"}
        return self.says("tool_lifecycle", payload, run)


@contextmanager
def library(
    root: Path, cache: Path | None = None, decisions: Decisions | None = None
) -> Iterator[Library]:
    """The sessions below a root, found but not read."""
    roots = find_roots([root], {}, Path.cwd(), Path.home()).found
    with closing(Library(roots, cache, decisions=decisions)) as found:
        found.rescan()
        yield found


def read(root: Path, now: int = LATER) -> dict[str, Session]:
    """The sessions below a root, read whole, by id."""
    with library(root) as found:
        found.read_all()
        return by_id(found, now)


def by_id(found: Library, now: int = LATER) -> dict[str, Session]:
    """The sessions of a library by id."""
    return {session.session: session for session in found.sessions(now)}


def store(tmp_path: Path) -> tuple[Path, Path]:
    """A home, and the folder of one workspace in it."""
    home = tmp_path / ".workbuddy"
    return home, home / "projects" / "src-shop"
