"""What a recorder remembers of calls: at work since it was made, uncertain when from before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.recording import EnvelopeRecorder, MyCodeAgentRecorder, resume

KINDS = pytest.mark.parametrize("kind", [EnvelopeRecorder, MyCodeAgentRecorder])


def begin(recorder: Any, tool: str) -> None:
    if isinstance(recorder, EnvelopeRecorder):
        recorder.call(tool, {})
    else:
        recorder.tool("started", tool, tool, args={})


def uncertain(recorder: Any, alive: bool = True) -> list[str]:
    """The tools that the model is told of; without `alive`, that a rebuild tells of."""
    memory, text = recorder.memory(alive), recorder.memory_text()
    assert recorder.memory(alive=False) == resume(recorder.path).memory
    assert text.count("Resolve uncertain action") == len(recorder.memory().todo_items)
    words = [item.text.removeprefix("Resolve uncertain action ") for item in memory.todo_items]
    return [text.removeprefix("for ").split()[0] for text in words]


@KINDS
@pytest.mark.parametrize("asked", ["first", "later"])
@pytest.mark.parametrize("limit", [1, 2, 3, None])
def test_what_was_begun_before_is_uncertain(
    tmp_path: Path, kind: Any, asked: str, limit: int | None
) -> None:
    path = tmp_path / "transcript-s.jsonl"
    dead = kind(path, limit=limit)
    dead.message("user", "go")
    begin(dead, "Edit")
    with kind.continuing(path, limit=limit) as recorder, kind(path, limit=limit) as other:
        if asked == "first":
            assert uncertain(recorder) == ["Edit"]
        begin(recorder, "Bash")
        begin(other, "Grep")
        assert uncertain(recorder) == uncertain(other) == ["Edit"]
        assert uncertain(recorder, alive=False) == ["Edit", "Bash", "Grep"]
    assert len(resume(path).files) == -(-4 // (limit or 4))


@KINDS
def test_what_was_begun_by_others_since_is_at_work(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with kind(path) as early, kind(path) as other:
        assert early.memory().is_empty
        begin(other, "Edit")
        assert uncertain(early) == uncertain(other) == []
        with kind(path) as late:
            assert uncertain(late) == ["Edit"]


@KINDS
def test_an_answer_has_no_call_at_work_before_it(tmp_path: Path, kind: Any) -> None:
    with kind(tmp_path / "transcript-s.jsonl") as recorder:
        begin(recorder, "Edit")
        assert uncertain(recorder) == []
        recorder.message("assistant", "done")
        assert uncertain(recorder) == ["Edit"]


@KINDS
@pytest.mark.parametrize("torn", [1, 200, 5_000, 200_000])
@pytest.mark.parametrize("before", [0, 1])
def test_a_torn_line_is_not_from_before(tmp_path: Path, kind: Any, torn: int, before: int) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with kind(path) as dead:
        for _ in range(before):
            begin(dead, "Edit")
    with path.open("ab") as file:
        file.write(b'{"x": "'.ljust(torn + 6, b"x")[:torn])
    with kind.continuing(path) as recorder:
        begin(recorder, "Bash")
        assert uncertain(recorder) == ["Edit"] * before
        assert uncertain(recorder, alive=False) == ["Edit"] * before + ["Bash"]


@KINDS
def test_a_record_without_its_line_end_is_from_before(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with kind(path) as dead:
        begin(dead, "Edit")
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    with kind.continuing(path) as recorder:
        begin(recorder, "Bash")
        assert uncertain(recorder) == ["Edit"]
