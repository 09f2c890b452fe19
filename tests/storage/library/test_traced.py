"""Tokens of a trace in the index: each once, nothing read again, taken back with their trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions_tui.storage.agents.mycodeagent.trace import Trace
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.stores.roots import find_roots


class Project:
    """A project with transcripts and traces, and an index of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "shop"
        for name in ("transcripts", "traces"):
            (self.folder / "memory" / name).mkdir(parents=True)
        self.cache = folder / "cache"

    def says(self, session: str, trace: str = "", times: int = 1) -> None:
        """The agent answers, and notes the tokens in its trace."""
        record = {
            "event_id": "evt-1",
            "timestamp": "2026-05-11T13:00:00Z",
            "session_id": session,
            "run_id": "run-1",
            "step": 1,
            "event_type": "message",
            "payload": {"role": "assistant", "content": "Yes", "metadata": {}},
            "schema_version": 1,
        }
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        noted = {
            "ts": "2026-05-11T13:00:00+00:00",
            "event": "model_output",
            "payload": {"usage": usage, "raw_response": {"model": "hy3"}},
        }
        self._append(self.folder / f"memory/transcripts/transcript-{session}.jsonl", record, times)
        self._append(self.trace(trace or session), noted, times)

    def notes(self, session: str) -> None:
        """The agent's trace grows by itself."""
        with self.trace(session).open("ab+") as file:
            file.seek(0)
            file.write(file.readline())

    def trace(self, name: str) -> Path:
        """Where a trace lies."""
        return self.folder / f"memory/traces/trace-{name}.jsonl"

    def _append(self, path: Path, record: object, times: int) -> None:
        with path.open("a") as file:
            file.write((json.dumps(record) + "\n") * times)

    def indexed(self) -> tuple[dict[str, int], int]:
        """A run: the input tokens of each session, alike in list and index; bytes of traces."""
        library = Library(find_roots([self.folder], {}, self.folder, self.folder).found, self.cache)
        library.rescan()
        library.read_all()
        traces = [library.transcript(path).ledger for path in library.newest_first()]
        read = sum(trace.bytes_read for trace in traces if isinstance(trace, Trace))
        tokens = {session.path: session.tokens or Usage() for session in library.sessions()}
        stored = {row.path: row.tokens for row in library.index.usage()}
        assert stored == {path: used for path, used in tokens.items() if used.input}
        library.close()
        return {
            session.path.stem: session.tokens.input
            for session in library.sessions()
            if session.tokens
        }, read


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.says("s-1", times=3)
    project.says("subagent-s-2", "s-2")
    return project


def test_a_trace_is_read_once(project: Project) -> None:
    tokens = {"transcript-s-1": 300, "transcript-subagent-s-2": 100}
    found, read = project.indexed()
    assert found == tokens
    assert read == project.trace("s-1").stat().st_size + project.trace("s-2").stat().st_size
    assert project.indexed() == (tokens, 0)
    project.says("s-1")
    found, read = project.indexed()
    assert found == {**tokens, "transcript-s-1": 400}
    assert read == project.trace("s-2").stat().st_size


def test_tokens_go_with_their_trace(project: Project) -> None:
    project.indexed()
    project.trace("s-1").write_text("")
    project.says("s-1")
    assert project.indexed()[0]["transcript-s-1"] == 100
    project.folder.joinpath("memory/transcripts/transcript-s-1.jsonl").write_text("")
    project.says("s-1")
    assert project.indexed()[0]["transcript-s-1"] == 200


def test_a_trace_that_grows_alone_is_read_on(project: Project) -> None:
    project.indexed()
    line = project.trace("s-1").stat().st_size // 3
    project.notes("s-1")
    found, read = project.indexed()
    assert (found["transcript-s-1"], read) == (400, line)
    assert project.indexed() == (found, 0)
    project.trace("s-1").unlink()
    assert project.indexed() == (found, 0)
