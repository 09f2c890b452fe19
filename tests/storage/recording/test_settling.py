"""How a call ends: in success or failure, and after a crash in the run that it was begun in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    RecordRefused,
    resume,
)

from .recordings import is_strict, records


@pytest.mark.parametrize(
    ("output", "written"),
    [
        ({"content": "no"}, {"content": "no", "is_error": True}),
        ({"error": "no", "is_error": False}, {"error": "no", "is_error": True}),
        ("no", {"content": "no", "is_error": True}),
        (["no"], {"content": ["no"], "is_error": True}),
        (None, {"content": None, "is_error": True}),
    ],
)
def test_a_failed_result_is_what_the_format_calls_one(
    tmp_path: Path, output: Any, written: Any
) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        call = recorder.call("Bash", {"command": "false"})
        result = recorder.result(call.call_id, output, failed=True)
        assert result.outcome == "failed"
        assert [item.text for item in recorder.memory().failed_attempts] == ["Bash false: error"]
    assert records(recorder.path)[1]["output"] == written
    assert resume(recorder.path).failed == (call.call_id,)


@pytest.mark.parametrize("output", ["no", {"error": "no"}, {"exit_code": 1}])
def test_a_result_is_written_as_it_is_given(tmp_path: Path, output: Any) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        call = recorder.call("Bash", {})
        assert recorder.result(call.call_id, output).outcome == ""
    assert records(recorder.path)[1]["output"] == output
    assert resume(recorder.path).completed == (call.call_id,)


@pytest.mark.parametrize("status", ["completed", "failed"])
@pytest.mark.parametrize("limit", [None, 2])
def test_a_call_is_settled_in_its_own_run(
    tmp_path: Path, status: Literal["completed", "failed"], limit: int | None
) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path, limit=limit) as dead:
        dead.message("user", "go")
        dead.step = 3
        dead.tool("requested", "Edit", "c1", args={})
        dead.tool("started", "Edit", "c1", args={})
    (action,) = resume(path).uncertain
    with MyCodeAgentRecorder.continuing(path, limit=limit) as recorder:
        recorder.tool("started", "Edit", "c1", args={})
        event = recorder.settle(action, status, result={"text": "seen"})
        assert (event.run, event.step) == ("run-1", 3)
        assert (recorder.run, recorder.step) == ("run-2", 0)
        assert recorder.message("user", "on").run == "run-2"
        recorder.begin_run()
        assert recorder.message("user", "on").run == "run-3"
        memory = recorder.memory(alive=False)
    state = resume(path)
    assert [one.run_id for one in state.uncertain] == ["run-2"]
    assert getattr(state, status) == ("c1",)
    assert memory == state.memory
    told = memory.completed_work if status == "completed" else memory.failed_attempts
    assert [item.source.start_step for item in told] == [3]
    assert [item.source.start_step for item in memory.todo_items] == [0]
    assert all(map(is_strict, state.files))


def test_a_call_is_settled_before_a_run_begins(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path) as dead:
        dead.tool("requested", "Edit", "c1", args={})
    with MyCodeAgentRecorder.continuing(path) as recorder:
        recorder.settle(resume(path).pending[0], "failed", error="never done")
        assert recorder.run is None
        assert recorder.message("user", "go").run == "run-2"
    assert resume(path).failed == ("c1",)


def test_only_an_action_of_a_run_is_settled(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path) as recorder:
        recorder.tool("started", "Edit", "c1", args={})
        (action,) = resume(path).uncertain
        for wrong in (replace(action, run_id=None), replace(action, call_id=None)):
            with pytest.raises(RecordRefused, match="no call of a run"):
                recorder.settle(wrong, "failed")
        with pytest.raises(RecordRefused, match="no end of a call"):
            recorder.settle(action, "started")  # type: ignore[arg-type]
    assert len(records(path)) == 1
