"""A signal, an interruption or a fork in the midst of a record: nothing is broken by it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    NotKept,
    chain_of,
    resume,
)
from sessions_tui.storage.recording.lock import Lock

from .recordings import is_strict, records

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="has no such thing")
KINDS = pytest.mark.parametrize("kind", [EnvelopeRecorder, MyCodeAgentRecorder])


@KINDS
def test_a_handler_cannot_record_in_the_midst_of_a_record(tmp_path: Path, kind: Any) -> None:
    errors: list[NotKept] = []

    def handle(number: int, frame: FrameType | None) -> None:
        with pytest.raises(NotKept, match="by this very thread") as caught:
            recorder.message("user", "from the handler")
        errors.append(caught.value)

    def clock() -> datetime:
        signal.raise_signal(signal.SIGTERM)
        return datetime.now(UTC)

    before = signal.signal(signal.SIGTERM, handle)
    try:
        with kind(tmp_path / "s.jsonl", clock=clock, limit=2) as recorder:
            for number in range(3):
                recorder.message("user", str(number))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(errors) == 3
    assert [message["content"] for message in resume(recorder.path).history] == list("012")
    assert is_strict(recorder.path)


class Interruption:
    """Raises KeyboardInterrupt where the interpreter may: at the n-th call or return of one."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        is_ours = "recording" in file or "contextlib" in file or "portalocker" in file
        if event not in ("call", "c_return") or not is_ours or "test_" in file:
            return
        if frame.f_code.co_name in ("<genexpr>", "__del__"):  # thrown away: none can come out
            return
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt

    def during(self, work: Callable[[], object]) -> bool:
        """Whether it came."""
        sys.setprofile(self)
        try:
            work()
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return self.left <= 0


def in_a_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("kind", "before", "others"),
    [(EnvelopeRecorder, *numbers) for numbers in ((0, 0), (1, 0), (1, 2), (2, 0))]
    + [(MyCodeAgentRecorder, 1, 2)],
)
def test_an_interruption_anywhere(tmp_path: Path, kind: Any, before: int, others: int) -> None:
    """In the first record of a file, in a later one, behind those of others, in the next file."""
    limit = 2 if before == 2 else None
    came, after = True, 0
    while came:
        after += 1
        path = tmp_path / f"s{after}.jsonl"
        with (
            kind(path, sync=False, limit=limit) as recorder,
            kind(path, sync=False, limit=limit, patience=0.2) as other,
        ):
            for number in range(before):
                recorder.message("user", str(number))
            recorder.memory()
            for _ in range(others):
                other.message("user", "other")
            came = Interruption(after).during(partial(recorder.message, "user", "?"))
            other.message("user", "let in")
            in_a_thread(partial(recorder.message, "assistant", "went on"))
            said = [said["content"] for said in resume(path).history if said["content"] != "?"]
            assert said == [*map(str, range(before)), *["other"] * others, "let in", "went on"]
            assert all(map(is_strict, chain_of(recorder.path)))
            with kind(path) as anew:
                assert recorder.memory() == anew.memory()
    assert after > 50


def test_a_follower_that_raises_is_let_go(tmp_path: Path) -> None:
    def refuse(event: object) -> None:
        raise ZeroDivisionError

    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        recorder._recording.store.follow(refuse)
        with pytest.raises(ZeroDivisionError):
            recorder.title("one")
        assert not recorder._recording.store.is_followed_by(refuse)
        recorder.title("two")
        assert [record["sequence"] for record in records(recorder.path)] == [1, 2]


CHILD_OF_A_BUSY_PARENT = """
import os, signal, sys, threading
from datetime import UTC, datetime
from sessions_tui.storage.recording import EnvelopeRecorder, MyCodeAgentRecorder

entered, go = threading.Event(), threading.Event()

def clock():
    if threading.current_thread() is not threading.main_thread():
        entered.set()
        go.wait()
    return datetime.now(UTC)

kind, path = sys.argv[1:]
recorder = {"e": EnvelopeRecorder, "m": MyCodeAgentRecorder}[kind](path, clock=clock)
record = recorder.message if kind == "e" else lambda role, text: recorder.transition(text)
record("user", "one")
writer = threading.Thread(target=record, args=("user", "two"))
writer.start()
entered.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)
    record("user", "three")
    os._exit(0)
go.set()
writer.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@POSIX
@pytest.mark.parametrize("kind", ["e", "m"])
def test_a_child_forked_while_a_thread_records(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.jsonl"
    command = [sys.executable, "-c", CHILD_OF_A_BUSY_PARENT, kind, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\n", done.stderr
    assert len(records(path)) == 3
    assert is_strict(path)


PARENT_KILLED_IN_A_RECORD = """
import os, signal, sys
from sessions_tui.storage.recording import EnvelopeRecorder

def clock():
    if os.fork() == 0:
        os.write(1, b"forked")
        os.read(0, 1)  # outlives its parent, and never records
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)

EnvelopeRecorder(sys.argv[1], clock=clock).message("user", "one")
"""


@POSIX
def test_a_child_does_not_keep_its_parents_lock(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    command = [sys.executable, "-c", PARENT_KILLED_IN_A_RECORD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdin
        assert parent.stdout
        assert os.read(parent.stdout.fileno(), 6) == b"forked"
        assert parent.wait(20) == -signal.SIGKILL
        with Lock(path, patience=1.0):
            pass
        parent.stdin.close()
