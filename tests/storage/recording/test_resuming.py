"""What an agent goes on from: over all files, always the same, and quickly where that will do."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.model.memory import SessionMemory
from sessions_tui.storage.recording import (
    Action,
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    NotKept,
    ResumeState,
    Untrusted,
    apply_to_host,
    last_turn,
    resume,
)

from .recordings import CASES, bytes_read

TOOLS = ("Read", "Edit", "Bash", "TodoWrite")


class Agent:
    """A host that writes down what it is given."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def restore_history(self, history: Any) -> None:
        self.calls.append(("history", history))

    def restore_context(self, checkpoint: Any, memory: SessionMemory, runtime: Any) -> None:
        self.calls.append(("context", checkpoint, memory, runtime))

    def restore_calls(self, pending: Any, uncertain: Any) -> None:
        self.calls.append(("calls", pending, uncertain))


def work(recorder: Any, rng: random.Random, steps: int) -> None:
    """Some steps of either dialect, some of whose calls never end."""
    is_envelope = isinstance(recorder, EnvelopeRecorder)
    for number in range(steps):
        if number % 5 == 0:
            recorder.message("user", f"goal {number}")
        name, call_id = rng.choice(TOOLS), f"c{rng.randrange(10)}"
        args = {"command": "pytest -q", "todos": [{"content": "x", "status": "pending"}]}
        ends = rng.random() < 0.7
        if is_envelope:
            call = recorder.call(name, args)
            if ends:
                recorder.result(call.call_id, {"content": "1 failed", "is_error": ends < 0.2})
            recorder.message("assistant", f"answer {number}")
            continue
        calls = [{"id": call_id, "name": name, "arguments": "{}"}]
        metadata = {"action_type": "tool_call", "tool_calls": calls}
        recorder.message("assistant", "", metadata)
        recorder.tool("requested", name, call_id, args=args)
        if rng.random() < 0.9:
            recorder.tool("started", name, call_id, args=args)
        if ends:
            recorder.tool(rng.choice(["completed", "failed"]), name, call_id, result={})
            recorder.message("tool", "{}", {"tool_name": name, "tool_call_id": call_id})
        if number % 7 == 6:
            recorder.checkpoint("S", runtime_state={f"k{number}": number})
            recorder.begin_run()


@pytest.mark.parametrize("kind", [EnvelopeRecorder, MyCodeAgentRecorder])
@pytest.mark.parametrize("seed", range(4))
def test_memory_kept_is_memory_built_anew(tmp_path: Path, kind: Any, seed: int) -> None:
    rng = random.Random(seed)
    seen: list[str | None] = []
    path = tmp_path / "transcript-s.jsonl"
    with kind(path, sync=False, limit=25) as early:
        memory = early.memory
        memory()
        work(early, rng, 10)
        with kind(path, sync=False, limit=25, on_record=lambda e: seen.append(e.event_id)) as late:
            work(late, rng, 10)
            work(early, rng, 3)
            kept = late.memory(alive=False)
            assert early.memory(alive=False) == kept
            assert kept == resume(path).memory
            assert early.memory_text() == late.memory_text()
    assert len(set(seen)) == len(seen) > 20
    assert kept.event_count == resume(path).total_events


def test_a_resumed_session_is_handed_to_its_host(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path, sync=False) as recorder:
        recorder.message("user", "go")
        recorder.tool("requested", "Read", "c1", args={})
        recorder.tool("requested", "Edit", "c2", args={})
        recorder.tool("started", "Edit", "c2", args={"path": "x"})
        recorder.tool("completed", "Bash", "c3", result="ok")
        recorder.tool("failed", "Bash", "c4", error="no")
        recorder.checkpoint("S", "compact_1", runtime_state={"a": 1, "b": 1})
        recorder.checkpoint("T", "compact_2", runtime_state={"b": 2})
        recorder.terminal("interrupted", {"cancelled": True})
    state, agent = resume(path), Agent()
    apply_to_host(state, agent)
    assert [name for name, *_ in agent.calls] == ["history", "context", "calls"]
    assert state.checkpoint == {
        "summary": "T",
        "runtime_state": {"b": 2},
        "checkpoint_id": "compact_2",
    }
    assert state.runtime_state == {"a": 1, "b": 2}
    assert state.terminal == {"reason": "interrupted", "details": {"cancelled": True}}
    assert ids(state.pending) == ["c1"]
    assert ids(state.uncertain) == ["c2"]
    assert (state.completed, state.failed) == (("c3",), ("c4",))
    again = Agent()
    apply_to_host(resume(path), again)
    assert again.calls == agent.calls


def ids(actions: tuple[Action, ...]) -> list[str | None]:
    return [action.call_id for action in actions]


@pytest.mark.parametrize("name", ["envelope/004_six_types", "envelope/026_partial_tail_cjk"])
def test_what_others_wrote_is_resumed(name: str) -> None:
    state = resume(CASES / f"{name}.jsonl")
    assert state == resume(CASES / f"{name}.jsonl")
    assert state.is_torn == ("partial" in name)


def test_a_call_may_end_in_the_next_file(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", limit=2) as recorder:
        recorder.message("user", "go")
        first = recorder.call("Bash", {})
        second = recorder.call("Edit", {})
        recorder.result(first.call_id, {"content": "ok"})
    state = resume(recorder.path)
    assert ids(state.uncertain) == [second.call_id]
    assert state.completed == (first.call_id,)


def test_the_window_counts_events_over_all_files(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", sync=False, limit=300) as recorder:
        for number in range(1_100):
            recorder.message("user", str(number))
            if number % 11 == 0:
                recorder.reasoning("hm")
    whole = [message["content"] for message in resume(recorder.path).history]
    assert whole == [str(number) for number in range(1_100 - len(whole), 1_100)]
    assert 900 < len(whole) < 1_000
    assert [m["content"] for m in resume(recorder.path, 2).history] == ["1098", "1099"]
    assert resume(recorder.path, 10_000).total_events == 1_200
    with pytest.raises(ValueError, match="at least 1"):
        resume(recorder.path, 0)


def test_a_window_of_mycodeagent_begins_with_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path, sync=False) as recorder:
        work(recorder, random.Random(1), 9)
    whole = resume(path).history
    for items in range(1, 40):
        history = resume(path, items).history
        assert history == whole[len(whole) - len(history) :]
        assert not history or history[0]["role"] != "tool"


@pytest.mark.parametrize("broken", [0, 1])
def test_broken_evidence_is_not_resumed(tmp_path: Path, broken: int) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", limit=2) as recorder:
        for _ in range(4):
            recorder.title("T")
    path = (tmp_path / "s.jsonl", recorder.path)[broken]
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(second + first)
    with pytest.raises(Untrusted, match="cannot be trusted"):
        resume(recorder.path)
    with pytest.raises(NotKept):
        resume(tmp_path / "gone.jsonl")


def test_the_last_turn_is_the_end_of_the_whole(tmp_path: Path) -> None:
    for kind in (EnvelopeRecorder, MyCodeAgentRecorder):
        path = tmp_path / kind.__name__ / "transcript-s.jsonl"
        with kind(path, sync=False, limit=40) as recorder:
            work(recorder, random.Random(5), 31)
            turn, whole = last_turn(path), resume(path)
            assert turn.is_last_turn
            assert turn.history[0] == {**turn.history[0], "role": "user", "content": "goal 30"}
            assert turn.history == whole.history[-len(turn.history) :]
            assert turn.memory.goal == "goal 30"
            for number in range(100):
                recorder.message("assistant", str(number))
            assert last_turn(path).history == resume(path).history[-len(turn.history) - 100 :]


@pytest.mark.skipif(sys.platform != "linux", reason="counts what is read")
def test_the_last_turn_costs_what_it_is_long(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, sync=False, limit=None) as recorder:
        for number in range(3_000):
            recorder.message("user" if number % 3 == 0 else "assistant", "x" * 5_000)
    before = bytes_read()
    state = last_turn(path)
    assert bytes_read() - before < 3_000_000 < path.stat().st_size
    assert len(state.history) == 3


def test_no_turn_at_all(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", limit=1) as recorder:
        recorder.title("T")
        recorder.title("U")
    state: ResumeState = last_turn(recorder.path)
    assert (state.history, state.title, len(state.files)) == ((), "U", 2)


@pytest.mark.skipif(sys.platform != "linux", reason="counts what is read")
@pytest.mark.parametrize("sizes", [[5_000] * 2_000, [10, 20_000_000]])
def test_what_holds_no_prompt_is_not_read_over_and_over(tmp_path: Path, sizes: list[int]) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, sync=False, limit=None) as recorder:
        for size in sizes:
            recorder.message("assistant", "x" * size)
    before = bytes_read()
    state = last_turn(path)
    assert bytes_read() - before < 2.3 * path.stat().st_size
    assert [len(message["content"]) for message in state.history] == sizes[-1000:]


@pytest.mark.parametrize("prompt", [None, 0, 1, 100, 299])
def test_a_prompt_is_found_however_far_back(tmp_path: Path, prompt: int | None) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", sync=False) as recorder:
        for number in range(300):
            role = "user" if number == prompt else "assistant"
            recorder.message(role, f"{number}")
    with recorder.path.open("ab") as file:
        file.write(b'{"torn')
    state = last_turn(recorder.path)
    said = [message["content"] for message in state.history]
    assert said == [f"{number}" for number in range(prompt or 0, 300)]
    assert state.is_torn


def test_half_a_character_can_be_recorded_again(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(
        b'{"content": [{"a\\udc00": "\\ud800b"}], "role": "user", "type": "message"}\n'
    )
    (message,) = resume(path).history
    assert message["content"] == [{"a\ufffd": "\ufffdb"}]
    with EnvelopeRecorder(tmp_path / "again.jsonl") as recorder:
        recorder.message(**message)


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "3", True])
def test_a_window_is_a_number_of_events(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(ValueError, match="max_items must be a whole number"):
        resume(tmp_path / "s.jsonl", max_items=wrong)


def test_what_the_host_raises_comes_through(tmp_path: Path) -> None:
    class Refusing(Agent):
        def restore_context(self, *_: Any) -> None:
            raise KeyError("no")

    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        recorder.message("user", "x")
    host = Refusing()
    with pytest.raises(KeyError):
        apply_to_host(resume(recorder.path), host)
    assert [name for name, *_ in host.calls] == ["history"]
