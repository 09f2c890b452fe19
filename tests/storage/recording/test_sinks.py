"""Facts on their way: to the transcript, to a trace, and past a sink that fails."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage import recording
from sessions_tui.storage.agents.mycodeagent.trace import Trace
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.recording import (
    Composite,
    EnvelopeRecorder,
    Fact,
    MyCodeAgentRecorder,
    NotKept,
    RecordingError,
    RecordRefused,
    Sink,
    TraceSink,
    TranscriptSink,
)
from tests.full_disk import full_disk

from .recordings import Ticking, is_strict, records


class Listed:
    """A sink that keeps what it is given."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.closed = False

    def emit(self, fact: Fact) -> None:
        self.facts.append(fact)

    def close(self) -> None:
        self.closed = True


class Failing(Listed):
    """A sink that can do nothing."""

    def emit(self, fact: Fact) -> None:
        raise ValueError("no room")

    def close(self) -> None:
        raise OSError("gone")


FACT = Fact("message", {"role": "user", "content": "hi", "metadata": {}})


def test_a_sink_that_fails_stops_nobody() -> None:
    before, failing, after = Listed(), Failing(), Listed()
    told: list[tuple[Sink, Fact | None, str]] = []
    sink = Composite(
        before,
        failing,
        after,
        on_failure=lambda sink, fact, error: told.append((sink, fact, f"{error}")),
    )
    sink.emit(FACT)
    sink.close()
    assert before.facts == after.facts == [FACT]
    assert before.closed
    assert after.closed
    assert told == [(failing, FACT, "no room"), (failing, None, "gone")]


def fail(*_: object) -> None:
    raise RuntimeError


def test_without_anybody_to_tell_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        Composite(Failing()).emit(FACT)
    assert caplog.messages == ["Failing could not take message: no room"]


def test_who_is_told_may_fail_too() -> None:
    after = Listed()
    Composite(Failing(), after, on_failure=fail).emit(FACT)
    assert after.facts == [FACT]


class Raising(Listed):
    """A sink that takes a fact, and raises all the same."""

    def __init__(self, error: BaseException | None) -> None:
        super().__init__()
        self.error = error

    def emit(self, fact: Fact) -> None:
        super().emit(fact)
        if self.error is not None:
            raise self.error

    def close(self) -> None:
        super().close()
        if self.error is not None:
            raise self.error


ERRORS = st.sampled_from([None, ValueError, OSError, KeyboardInterrupt, SystemExit, GeneratorExit])


def raised_by(work: Callable[[], None]) -> BaseException | None:
    try:
        work()
    except BaseException as error:
        return error
    return None


@given(st.lists(ERRORS, max_size=5))
def test_all_are_told_whatever_one_of_them_raises(kinds: list[type[BaseException] | None]) -> None:
    sinks = [Raising(kind() if kind else None) for kind in kinds]
    told: list[tuple[Sink, Fact | None]] = []
    sink = Composite(*sinks, on_failure=lambda sink, fact, _: told.append((sink, fact)))
    errors = [one.error for one in sinks if one.error is not None]
    first = next((error for error in errors if not isinstance(error, Exception)), None)
    assert raised_by(lambda: sink.emit(FACT)) is first
    assert raised_by(sink.close) is first
    assert all(one.facts == [FACT] and one.closed for one in sinks)
    failed = [one for one in sinks if isinstance(one.error, Exception)]
    assert told == [(one, FACT) for one in failed] + [(one, None) for one in failed]


def test_an_interrupted_report_reaches_the_agent_after_all_were_told() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    after = Listed()
    sink = Composite(Failing(), after, on_failure=interrupt)
    with pytest.raises(KeyboardInterrupt):
        sink.emit(FACT)
    with pytest.raises(KeyboardInterrupt):
        sink.close()
    assert after.facts == [FACT]
    assert after.closed


def test_an_agent_goes_on_without_its_transcript(tmp_path: Path) -> None:
    told: list[Exception] = []
    rest = Listed()
    recorder = EnvelopeRecorder(tmp_path / "store" / "s.jsonl")
    sink = Composite(
        TranscriptSink(recorder), rest, on_failure=lambda _sink, _fact, error: told.append(error)
    )
    sink.emit(FACT)
    shutil.rmtree(tmp_path / "store")
    sink.emit(FACT)
    sink.close()
    assert len(rest.facts) == 2
    (error,) = told
    assert isinstance(error, NotKept)
    assert isinstance(error, RecordingError)


def test_a_transcript_takes_what_its_format_knows(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    sink = TranscriptSink(MyCodeAgentRecorder(path))
    sink.emit(FACT)
    sink.emit(Fact("model_output", {"raw": "…"}, 1))
    sink.emit(Fact("terminal", {"reason": "completed", "details": {}}, 3))
    sink.close()
    assert [(r["event_type"], r["step"]) for r in records(path)] == [
        ("message", 0),
        ("terminal", 3),
    ]
    assert is_strict(path)
    with EnvelopeRecorder(tmp_path / "e.jsonl") as recorder:
        TranscriptSink(recorder).emit(Fact("ai-title", {"title": "T"}))
        TranscriptSink(recorder).emit(Fact("tool_call", {}))
    assert [record["title"] for record in records(recorder.path)] == ["T"]


def test_a_mistyped_name_is_for_the_trace_alone(tmp_path: Path) -> None:
    trace = TraceSink(tmp_path / "t.jsonl", "s")
    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        sink = Composite(TranscriptSink(recorder), trace, on_failure=fail)
        sink.emit(Fact("mesage", {"role": "user", "content": "hi"}))
        sink.emit(FACT)
        sink.close()
    assert [record["type"] for record in records(recorder.path)] == ["message"]
    told = [record["event"] for record in records(trace.path)]
    assert told == ["mesage", "message", "session_summary"]


@pytest.mark.parametrize("no_id", [{}, {"callId": None}, {"callId": "", "tool_call_id": ""}])
@pytest.mark.parametrize(
    ("kind", "fact"),
    [
        (EnvelopeRecorder, Fact("function_call", {"name": "Bash", "arguments": {}})),
        (EnvelopeRecorder, Fact("function_call_result", {"output": "x"})),
        (MyCodeAgentRecorder, Fact("tool_lifecycle", {"tool_name": "Bash", "status": "requested"})),
    ],
)
def test_a_call_without_its_id_is_refused(
    tmp_path: Path, kind: Any, fact: Fact, no_id: dict[str, str]
) -> None:
    errors: list[Exception] = []
    rest = Listed()
    with kind(tmp_path / "s.jsonl") as recorder:
        sink = Composite(
            TranscriptSink(recorder), rest, on_failure=lambda _sink, _fact, e: errors.append(e)
        )
        sink.emit(Fact(fact.name, {**fact.payload, **no_id}))
        assert not recorder.path.exists()
        known = {"callId": "call_1", "tool_call_id": "call_1"}
        sink.emit(Fact(fact.name, {**fact.payload, **known}))
        assert len(records(recorder.path)) == 1
    (error,) = errors
    assert isinstance(error, RecordRefused)
    assert str(error).startswith(f"A {fact.name} needs a ")
    assert len(rest.facts) == 2


def test_the_example_leaves_a_transcript_and_its_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = (recording.sinks.__doc__ or "").splitlines()
    example = dedent("\n".join(line for line in lines if line.startswith("    ")))
    exec(example, vars(recording).copy())
    kinds = ["message", "function_call", "function_call_result"]
    assert [record["type"] for record in records(Path("sessions", "shop.jsonl"))] == kinds
    *_, last = records(Path("traces", "shop.jsonl"))
    usage = {"prompt_tokens": 812, "completion_tokens": 40, "total_tokens": 852}
    assert last["session_id"] == "shop"
    assert last["payload"] == {"steps": 1, "tools_used": 1, "total_usage": usage}


def test_every_type_that_is_recorded_is_told_of() -> None:
    told = TranscriptSink.__doc__ or ""
    for kind in (EnvelopeRecorder, MyCodeAgentRecorder):
        assert sorted(name for name in kind.types if f"- `{name}`: " not in told) == []


def test_a_trace_is_read_as_the_agents_own(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "traces" / "trace-s.jsonl"
    sink = TraceSink(path, "s", clock=Ticking())
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    sink.emit(Fact("model_output", {"usage": usage, "raw_response": {"model": "hy3"}}, 1))
    sink.emit(Fact("tool_call", {"tool": "Bash", "args": {}, "tool_call_id": "c1"}, 1))
    sink.emit(Fact("model_output", {"usage": usage}, 2))
    sink.close()
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert list(lines[0]) == ["ts", "session_id", "step", "event", "payload"]
    assert lines[-1] == {
        "ts": "2026-11-30T08:00:04.000004+00:00",
        "session_id": "s",
        "step": 2,
        "event": "session_summary",
        "payload": {
            "steps": 2,
            "tools_used": 1,
            "total_usage": {name: 2 * count for name, count in usage.items()},
        },
    }
    spent = [one for found in Trace(path).advance() for one in found.values()]
    assert sum((one.tokens for one in spent), Usage()) == Usage(200, 0, 14)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_trace_tells_no_secrets(tmp_path: Path) -> None:
    path = tmp_path / "trace-s.jsonl"
    secret = {
        "Api_Key": "k1",
        "args": [{"token": "k2", "text": "use sk-abcdefgh12345 in /home/ann/x and /Users/bob"}],
        "tool_call_id": "c1",
    }
    for sanitize in (True, False):
        sink = TraceSink(path, "s", sanitize)
        sink.emit(Fact("tool_call", secret))
        sink.close()
    masked, _, raw, _ = (json.loads(line)["payload"] for line in path.read_text().splitlines())
    assert masked == {
        "Api_Key": "***",
        "args": [{"token": "***", "text": "use *** in /home/***/x and /Users/***"}],
        "tool_call_id": "***",
    }
    assert raw == secret


def test_a_trace_of_nothing_leaves_nothing(tmp_path: Path) -> None:
    TraceSink(tmp_path / "t" / "trace.jsonl", "s").close()
    assert not list(tmp_path.iterdir())


def test_a_fact_without_a_step_is_where_the_recorder_is(tmp_path: Path) -> None:
    with MyCodeAgentRecorder(tmp_path / "transcript-s.jsonl") as recorder:
        recorder.step = 4
        TranscriptSink(recorder).emit(FACT)
    assert records(recorder.path)[0]["step"] == 4
    trace = TraceSink(tmp_path / "trace.jsonl", "s")
    for step in (2, None):
        trace.emit(Fact("note", {}, step))
    assert [record["step"] for record in records(trace.path)] == [2, 2]
    trace.close()


def test_a_trace_on_a_full_disk_keeps_whole_lines(tmp_path: Path) -> None:
    trace = TraceSink(tmp_path / "trace.jsonl", "s")
    trace.emit(Fact("first", {}))
    with full_disk(trace.path.stat().st_size + 50):
        for _ in range(2):
            with pytest.raises(OSError, match="space"):
                trace.emit(Fact("lost", {"text": "x" * 100}))
    trace.emit(Fact("after", {}))
    trace.close()
    told = [record["event"] for record in records(trace.path)]
    assert told == ["first", "after", "session_summary"]
