"""One caller at a time: what other threads and signal handlers do in the midst of a call."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    Event,
    MyCodeAgentRecorder,
    NotKept,
    RecordingError,
    resume,
)

from .recordings import is_strict, records

KINDS = pytest.mark.parametrize("kind", [EnvelopeRecorder, MyCodeAgentRecorder])


def open_call(recorder: Any, call_id: str) -> None:
    if isinstance(recorder, EnvelopeRecorder):
        recorder.call("Bash", {}, call_id)
    else:
        recorder.tool("started", "Bash", call_id, args={})


class AtStep:
    """Does something once, in the midst of the n-th step of the functions that read a memory."""

    def __init__(self, number: int, work: Callable[[], None]) -> None:
        self.left = number
        self._work = work

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        is_read = "/storage/memory/" in frame.f_code.co_filename.replace("\\", "/")
        frame.f_trace_opcodes = is_read
        if event == "opcode":
            self.left -= 1
            if self.left == 0:
                self._work()
        return self if is_read or event == "call" else None

    def during(self, work: Callable[[], object]) -> bool:
        """Whether there were so many steps."""
        before = sys.gettrace()
        sys.settrace(self)
        try:
            work()
        finally:
            sys.settrace(before)
        return self.left <= 0


def is_done_or_waits(thread: threading.Thread) -> bool:
    frame = sys._current_frames().get(thread.ident or 0)
    waiting = ("in_turn", "taken")
    return not thread.is_alive() or (frame is not None and frame.f_code.co_name in waiting)


def begin(thread: threading.Thread) -> None:
    """Start it, and see it end or wait for its turn."""
    thread.start()
    deadline = time.monotonic() + 10
    while not is_done_or_waits(thread):
        assert time.monotonic() < deadline


@KINDS
@pytest.mark.parametrize("step", range(1, 55, 3))
def test_a_thread_records_while_the_memory_is_read(tmp_path: Path, kind: Any, step: int) -> None:
    threads: list[threading.Thread] = []

    def record() -> None:
        thread = threading.Thread(target=open_call, args=(recorder, "t"), daemon=True)
        threads.append(thread)
        begin(thread)

    path = tmp_path / "transcript-s.jsonl"
    with kind(path, sync=False) as recorder:
        for call_id in "abc":
            open_call(recorder, call_id)
        recorder.memory()
        assert AtStep(step, record).during(lambda: recorder.memory(alive=False))
        threads[0].join(10)
        assert recorder.memory(alive=False) == resume(path).memory
        assert recorder.memory().event_count == 4


@KINDS
def test_a_handler_in_the_midst_of_the_memory_is_refused(tmp_path: Path, kind: Any) -> None:
    def handle() -> None:
        for work in (recorder.memory, recorder.flush, recorder.close):
            with pytest.raises(NotKept, match="by this very thread"):
                work()
        with pytest.raises(NotKept, match="by this very thread"):
            open_call(recorder, "from the handler")

    with kind(tmp_path / "transcript-s.jsonl", sync=False) as recorder:
        open_call(recorder, "a")
        recorder.memory()
        assert AtStep(5, handle).during(recorder.memory)
        assert recorder.memory().event_count == 1


@KINDS
def test_what_a_callback_raises_is_logged(
    tmp_path: Path, kind: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(event: Event) -> None:
        raise ZeroDivisionError("no room")

    with kind(tmp_path / "s.jsonl", on_record=refuse) as recorder:
        event = recorder.message("user", "x")
    assert event.text == "x"
    assert caplog.messages == [f"on_record could not take {event.event_id}: no room"]
    assert resume(recorder.path).total_events == 1


@KINDS
def test_an_interrupted_callback_interrupts_the_agent(tmp_path: Path, kind: Any) -> None:
    def stop(event: Event) -> None:
        raise KeyboardInterrupt

    with kind(tmp_path / "s.jsonl", on_record=stop) as recorder:
        with pytest.raises(KeyboardInterrupt):
            recorder.message("user", "x")
        assert recorder.memory().event_count == 1


@KINDS
def test_a_callback_is_told_of_what_its_recorder_wrote(tmp_path: Path, kind: Any) -> None:
    told: list[str] = []

    def answer(event: Event) -> None:
        told.append(event.text)
        if event.kind == "prompt":
            recorder.message("assistant", "from the callback")

    path = tmp_path / "s.jsonl"
    with kind(path, on_record=answer) as recorder, kind(path) as other:
        other.message("user", "of others")
        recorder.message("user", "x")
        assert recorder.memory().event_count == 3
    assert told == ["x", "from the callback"]


@pytest.mark.parametrize("method", ["transition", "terminal"])
def test_a_handler_does_not_wait_for_a_thread_that_waits_for_it(
    tmp_path: Path, method: str
) -> None:
    threads: list[threading.Thread] = []

    def clock() -> datetime:
        if recorder.run is not None and not threads:
            threads.append(threading.Thread(target=record, args=("thread",), daemon=True))
            begin(threads[0])
            with pytest.raises(NotKept, match="by this very thread"):  # as a handler does
                record("handler")
        return datetime.now(UTC)

    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path, clock=clock) as recorder:
        record = getattr(recorder, method)
        recorder.message("user", "x")
        recorder.message("user", "y")
        threads[0].join(10)
        assert not threads[0].is_alive()
    assert [record["run_id"] for record in records(path)] == ["run-1"] * 3


class Handler:
    """Runs in the midst of a record, as one of a signal does: at the n-th call or return."""

    def __init__(self, after: int, handle: Callable[[], object]) -> None:
        self.left = after
        self._handle = handle

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if "recording" not in frame.f_code.co_filename or event == "c_call":
            return
        self.left -= 1
        if self.left == 0:
            self._handle()

    def during(self, work: Callable[[], object]) -> bool:
        """Whether it ran."""
        sys.setprofile(self)
        try:
            work()
        finally:
            sys.setprofile(None)
        return self.left <= 0


def test_a_handler_anywhere_begins_no_run_of_its_own(tmp_path: Path) -> None:
    came, after, kept = True, 0, 0
    while came:
        after += 1
        path = tmp_path / f"transcript-s{after}.jsonl"
        with MyCodeAgentRecorder(path, sync=False) as recorder:

            def handle(recorder: MyCodeAgentRecorder = recorder) -> None:
                with suppress(RecordingError):
                    recorder.message("user", "from the handler")

            handler = Handler(after, handle)
            came = handler.during(partial(recorder.transition, "user_input"))
            recorder.message("user", "the last")
            assert recorder.memory(alive=False) == resume(path).memory
        kept += len(records(path)) - 2
        assert {record["run_id"] for record in records(path)} == {"run-1"}
        assert is_strict(path)
    assert after > 50
    assert kept
