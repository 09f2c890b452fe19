"""What a resumed agent is told where ids say little, turns are long and files go in a ring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    Action,
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    Status,
    apply_to_host,
    last_turn,
    resume,
)


def steps(actions: Sequence[Action]) -> list[int | None]:
    return [action.step for action in actions]


@pytest.mark.parametrize("limit", [None, 3])
def test_an_id_that_comes_again_hides_no_interrupted_call(
    tmp_path: Path, limit: int | None
) -> None:
    path = tmp_path / "transcript-s.jsonl"
    lives: list[list[Status]] = [
        ["requested", "started"],
        ["requested"],
        ["requested", "started", "completed"],
    ]
    with MyCodeAgentRecorder(path, sync=False, limit=limit) as recorder:
        recorder.message("user", "go")
        for step, life in enumerate(lives, 1):
            recorder.step = step
            for stage in life:
                recorder.tool(stage, "Edit", "call_0", args={"path": f"{step}.py"})
        state = resume(path)
        assert steps(state.uncertain) == [1]
        assert steps(state.pending) == [2]
        assert last_turn(path).uncertain == state.uncertain
        recorder.settle(state.uncertain[0], "failed", error="looked: it was not made")
        assert not resume(path).uncertain


def test_a_turn_is_whole_however_long(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, sync=False, limit=500) as recorder:
        recorder.message("user", "the goal")
        for number in range(1_200):
            recorder.message("assistant", str(number))
    history = last_turn(path).history
    assert [history[0]["content"], history[-1]["content"], len(history)] == [
        "the goal",
        "1199",
        1_201,
    ]


def test_what_a_host_does_with_a_state_does_not_change_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path) as recorder:
        recorder.message("user", [{"type": "text", "text": "the goal"}])
    state, seen = resume(path), list[Any]()

    class Careless:
        def restore_history(self, history: Any) -> None:
            seen.append(history[0]["content"][0]["text"])
            history[0]["content"][0]["text"] = "another"

        def restore_context(self, *_: Any) -> None: ...

        def restore_calls(self, *_: Any) -> None: ...

    apply_to_host(state, Careless())
    apply_to_host(state, Careless())
    assert seen == ["the goal", "the goal"]


def test_in_a_ring_nothing_is_missing(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "r.jsonl", continues="r_2") as first:
        first.message("user", "1")
    with EnvelopeRecorder(tmp_path / "r_2.jsonl", continues="r") as second:
        second.message("user", "2")
    state = resume(tmp_path / "r.jsonl")
    assert (len(state.files), state.missing) == (2, None)
