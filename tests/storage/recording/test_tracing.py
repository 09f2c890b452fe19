"""What a trace sums up, and a signal, an interruption or a fork in the midst of its lines."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import UserDict
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType, MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.recording import (
    Composite,
    EnvelopeRecorder,
    Fact,
    NotKept,
    Sink,
    TraceSink,
    TranscriptSink,
)

from .recordings import records

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="has no such thing")


def told(path: Path) -> list[str]:
    """The events of a trace, all of whose lines are whole."""
    return [record["event"] for record in records(path)]


LIFE = ("requested", "started", "completed")


@st.composite
def calls(draw: st.DrawFn, manner: str) -> tuple[int, list[Fact]]:
    """The facts of a call in the manner of an agent, up to where it was cut, and its step."""
    step, call_id = draw(st.integers(1, 9)), draw(st.sampled_from(["call_0", "call_1"]))
    if manner == "envelope":
        call = Fact("function_call", {"name": "Bash", "arguments": {}, "callId": call_id}, step)
        result = Fact("function_call_result", {"callId": call_id, "output": "x"}, step)
        return step, [call, result][: draw(st.integers(1, 2))]
    named = {"tool_name": "Bash", "tool_call_id": call_id}
    life = [Fact("tool_lifecycle", {**named, "status": status}, step) for status in LIFE]
    life = life[: draw(st.integers(1, 3))]
    traced = Fact("tool_call", {"tool": "Bash", "args": {}, "tool_call_id": call_id}, step)
    return step, {"records": life, "trace": [traced], "both": [traced, *life]}[manner]


@given(st.data(), st.sampled_from(["envelope", "records", "trace", "both"]))
def test_a_call_counts_once_in_every_dialect(data: st.DataObject, manner: str) -> None:
    made = data.draw(st.lists(calls(manner), max_size=5))
    used = data.draw(st.lists(st.integers(0, 1000), max_size=3))
    with TemporaryDirectory() as folder:
        trace = TraceSink(Path(folder, "t.jsonl"), "s")
        trace.emit(Fact("message", {"role": "user", "content": "hi"}, 0))
        for prompt in used:
            trace.emit(Fact("model_output", {"usage": {"prompt_tokens": prompt}}, 0))
        for fact in (fact for _, facts in made for fact in facts):
            trace.emit(fact)
        trace.close()
        total = records(trace.path)[-1]["payload"]
    assert total["steps"] == max((step for step, _ in made), default=0)
    assert total["tools_used"] == len(made)
    assert total["total_usage"]["prompt_tokens"] == sum(used)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text("aé\U0001f600\u2028\n"),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text("ab"), inner, max_size=2).map(UserDict)
        | st.dictionaries(st.text("ab"), inner, max_size=2).map(MappingProxyType)
    ),
    max_leaves=8,
)


@given(VALUES, st.booleans())
def test_what_a_transcript_takes_a_trace_takes(value: Any, sanitize: bool) -> None:
    payload = {"callId": "call_1", "output": {"token": value, "text": value}}
    with TemporaryDirectory() as folder:
        recorder = EnvelopeRecorder(Path(folder, "s.jsonl"), sync=False)
        trace = TraceSink(Path(folder, "t.jsonl"), "s", sanitize)
        for sink in (TranscriptSink(recorder), trace):
            sink.emit(Fact("function_call_result", payload))
            sink.close()
        (kept,), (line, _) = records(recorder.path), records(trace.path)
    masked = {"token": "***"} if sanitize else {}
    assert line["payload"] == {"callId": "call_1", "output": {**kept["output"], **masked}}


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_handler_cannot_tell_in_the_midst_of_a_line(tmp_path: Path, is_closed: bool) -> None:
    errors: list[Exception] = []

    def report(_sink: Sink, _fact: Fact | None, error: Exception) -> None:
        errors.append(error)

    def handle(number: int, frame: FrameType | None) -> None:
        sink.close() if is_closed else sink.emit(Fact("from the handler", {}))

    def clock() -> datetime:
        signal.raise_signal(signal.SIGTERM)
        return datetime.now(UTC)

    sink = Composite(TraceSink(tmp_path / "t.jsonl", "s", clock=clock), on_failure=report)
    before = signal.signal(signal.SIGTERM, handle)
    try:
        for name in ("one", "two"):
            sink.emit(Fact(name, {}))
        sink.close()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert told(tmp_path / "t.jsonl") == ["one", "two", "session_summary"]
    assert len(errors) == 3
    assert all(isinstance(error, NotKept) for error in errors)
    assert "t.jsonl is being written by this very thread" in str(errors[0])


def was_interrupted(work: Callable[[], None], after: int) -> bool:
    """Whether KeyboardInterrupt came at the n-th call, or return of one, in the recording."""
    left = after

    def interrupt(frame: FrameType, event: str, _: Any) -> None:
        nonlocal left
        if event in ("call", "c_return") and "recording" in Path(frame.f_code.co_filename).parts:
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

    sys.setprofile(interrupt)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return left <= 0


@pytest.mark.parametrize("is_closed", [False, True])
def test_an_interruption_anywhere(tmp_path: Path, is_closed: bool) -> None:
    came, after = True, 0
    while came:
        after += 1
        trace = TraceSink(tmp_path / f"t{after}.jsonl", "s")
        trace.emit(Fact("before", {}))
        work = trace.close if is_closed else partial(trace.emit, Fact("?", {"text": "x"}))
        came = was_interrupted(work, after)
        thread = threading.Thread(target=trace.emit, args=(Fact("after", {}),), daemon=True)
        thread.start()
        thread.join(10)
        assert not thread.is_alive()
        trace.close()
        lines = told(trace.path)
        assert [lines[0], *lines[-2:]] == ["before", "after", "session_summary"]
        assert lines[1:-2] in ([], ["session_summary" if is_closed else "?"])
    assert after > 15


FORKED_WHILE_A_THREAD_TELLS = """
import os, signal, sys, threading
from datetime import UTC, datetime
from sessions_tui.storage.recording import Fact, TraceSink

entered, go = threading.Event(), threading.Event()

def clock():
    if threading.current_thread() is not threading.main_thread():
        entered.set()
        go.wait()
    return datetime.now(UTC)

trace = TraceSink(sys.argv[1], "s", clock=clock)
call = Fact("tool_call", {"tool": "Bash"}, 1)
trace.emit(call)
thread = threading.Thread(target=trace.emit, args=(call,))
thread.start()
entered.wait()
children = []
for facts in (0, 1):
    children.append(os.fork())
    if children[-1] == 0:
        signal.alarm(20)
        for _ in range(facts):
            trace.emit(call)
        trace.close()
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(children[-1], 0)[1]))
go.set()
thread.join()
trace.close()
"""


@POSIX
def test_a_child_forked_while_a_thread_tells(tmp_path: Path) -> None:
    """It waits for nobody, and sums up what it told itself: nothing, or one call."""
    path = tmp_path / "t.jsonl"
    command = [sys.executable, "-c", FORKED_WHILE_A_THREAD_TELLS, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\n0\n", done.stderr
    summaries = [r["payload"] for r in records(path) if r["event"] == "session_summary"]
    assert [summary["tools_used"] for summary in summaries] == [1, 2]
    assert told(path) == [*["tool_call"] * 2, "session_summary", "tool_call", "session_summary"]
