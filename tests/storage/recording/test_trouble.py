"""What the system or the agent gets wrong: one clear error, and a file as it was."""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    NotKept,
    RecordingError,
    RecordRefused,
    TornTail,
    Untrusted,
    resume,
)
from sessions_tui.storage.recording.lock import Lock, lock_path
from sessions_tui.storage.recording.log import Log
from tests.full_disk import full_disk

from .recordings import is_strict, records

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="has no such thing")


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize(
    "content",
    [
        *({1, 2}, b"bytes", object(), "half \ud83d", {"\udc80": 1}, {(1, 2): 3}, CIRCLE),
        *(math.nan, [math.inf], nested(1_100), nested(100_000), 10**5_000),
    ],
    ids=lambda content: type(content).__name__,
)
def test_what_cannot_be_written_touches_nothing(tmp_path: Path, content: Any) -> None:
    for kind in (EnvelopeRecorder, MyCodeAgentRecorder):
        with kind(tmp_path / "s" / "s.jsonl") as recorder, pytest.raises(RecordRefused):
            recorder.message("user", content)
    assert not list(tmp_path.iterdir())


def test_nan_is_written_where_that_was_asked_for(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", allow_nan=True) as recorder:
        recorder.message("user", [math.nan, -math.inf])
    assert b'"content": [NaN, -Infinity]' in recorder.path.read_bytes()
    assert is_strict(recorder.path)


@pytest.mark.parametrize("session", ["a\udcff", "..\\b"])
def test_a_session_whose_name_cannot_be_written(tmp_path: Path, session: str) -> None:
    with pytest.raises(RecordRefused, match="name"):
        EnvelopeRecorder(tmp_path / f"{session}.jsonl")
    with pytest.raises(RecordRefused, match="name"):
        EnvelopeRecorder(tmp_path / "s.jsonl", continues="../b")


@POSIX
@pytest.mark.parametrize("room", [0, 1, 100])
@pytest.mark.parametrize("kind", [EnvelopeRecorder, MyCodeAgentRecorder])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, kind: Any, room: int) -> None:
    with kind(tmp_path / "s.jsonl") as recorder:
        recorder.message("user", "one")
        before = recorder.path.read_bytes()
        with full_disk(len(before) + room):
            for _ in range(3):
                with pytest.raises(NotKept, match="cannot be written") as caught:
                    recorder.message("user", "two")
                assert isinstance(caught.value.__cause__, OSError)
                assert recorder.path.read_bytes() == before
        recorder.message("user", "three")
        said = [message["content"] for message in resume(recorder.path).history]
    assert said == ["one", "three"]
    assert is_strict(recorder.path)


@POSIX
def test_a_disk_that_is_full_from_the_start(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        with full_disk(10), pytest.raises(NotKept):
            recorder.message("user", "one")
        recorder.message("user", "two")
    assert [record["content"] for record in records(recorder.path)] == ["two"]


@pytest.mark.parametrize("again", [False, True])
def test_a_directory_that_is_removed(tmp_path: Path, again: bool) -> None:
    folder = tmp_path / "store"
    with EnvelopeRecorder(folder / "s.jsonl") as recorder:
        recorder.message("user", "one")
        shutil.rmtree(folder)
        if again:
            folder.mkdir()
        for _ in range(2):
            with pytest.raises(NotKept, match="cannot be written"):
                recorder.message("user", "two")
    assert not folder.exists() or not list(folder.glob("*.jsonl"))


def test_a_file_that_is_replaced_or_cut(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path) as recorder:
        recorder.message("user", "one")
        Path(shutil.copy(path, tmp_path / "copy")).replace(path)
        with pytest.raises(NotKept, match="replaced"):
            recorder.message("user", "two")
    with EnvelopeRecorder(path) as recorder:
        recorder.message("user", "two")
        os.truncate(path, 0)
        with pytest.raises(Untrusted, match="was cut"):
            recorder.message("user", "three")
    assert path.read_bytes() == b""


@POSIX
def test_what_is_no_file_is_not_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    for name in ("pipe", "folder"):
        with EnvelopeRecorder(tmp_path / f"{name}.jsonl") as recorder, pytest.raises(NotKept):
            recorder.message("user", "one")


READ_ONLY = """
import os, sys
from sessions_tui.storage.recording import EnvelopeRecorder, NotKept
if os.geteuid() == 0:
    os.setuid(65534)  # permissions do not bind root
recorder = EnvelopeRecorder(sys.argv[1])
try:
    recorder.message("user", "one")
except NotKept as error:
    print(error)
print("goes on")
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="has no such users")
@pytest.mark.parametrize("exists", [False, True])
def test_a_directory_that_may_only_be_read(exists: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:  # where another user may look
        path = Path(folder).resolve() / "s.jsonl"
        if exists:
            path.write_bytes(b"")
        path.parent.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        left = [file.name for file in path.parent.iterdir()]
        path.parent.chmod(0o755)
    assert done.stdout == f"{path} cannot be written: Permission denied.\ngoes on\n", done.stderr
    assert left == (["s.jsonl"] if exists else [])


def test_a_lock_that_others_do_not_let_go(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with (
        EnvelopeRecorder(path, patience=0.01) as recorder,
        Lock(path),
        pytest.raises(NotKept, match="locked by others"),
    ):
        recorder.message("user", "one")
    assert not path.exists()


@pytest.mark.parametrize("way", ["removed", "moved", "linked elsewhere, then removed"])
def test_a_lock_that_is_not_in_its_place_is_made_again(tmp_path: Path, way: str) -> None:
    path = tmp_path / "s.jsonl"
    lock, elsewhere = lock_path(path), tmp_path / "elsewhere"
    with EnvelopeRecorder(path, patience=0.05) as one:
        one.message("user", "one")
        if way == "moved":
            lock.rename(elsewhere)
        else:
            if "linked" in way:
                elsewhere.hardlink_to(lock)
            lock.unlink()
        with Lock(path), pytest.raises(NotKept, match="locked by others"):
            one.message("user", "two at once")
        one.message("user", "two")
        with EnvelopeRecorder(path) as two:
            two.message("user", "three")
    assert [record["sequence"] for record in records(path)] == [1, 2, 3]


@pytest.mark.parametrize(
    "odd",
    [
        lambda: None,
        lambda: 1.5,
        lambda: datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))),
        lambda: datetime.min.replace(tzinfo=timezone(timedelta(hours=5))),
    ],
)
def test_a_clock_that_tells_no_time_is_refused(tmp_path: Path, odd: Any) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, clock=odd) as recorder:
        with pytest.raises(RecordRefused, match="no time"):
            recorder.message("user", "one")
        assert not path.exists()


def test_a_tail_that_appears_later_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path) as recorder:
        recorder.message("user", "one")
        with path.open("ab") as file:
            file.write(b'{"torn')
        with pytest.raises(TornTail):
            recorder.message("user", "two")
    assert path.read_bytes().endswith(b'}\n{"torn')


def test_an_append_reads_only_what_others_appended(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, sync=False) as one, EnvelopeRecorder(path, sync=False) as two:
        for _ in range(50):
            one.message("user", "x" * 1_000)
        log: Log = two._recording.store._log
        before = path.stat().st_size
        two.message("user", "two")
        assert log.bytes_read == before
        for _ in range(50):
            two.message("user", "y" * 1_000)
        assert log.bytes_read == before
        size = path.stat().st_size
        one.message("user", "one")
        grown = path.stat().st_size
        two.message("user", "two")
        assert log.bytes_read == before + grown - size


@POSIX
def test_signals_break_no_record(tmp_path: Path) -> None:
    signals: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: signals.append(number))
    try:
        with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
            signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0003)
            while len(signals) < 200:
                recorder.message("user", "界" * 100_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert is_strict(recorder.path)


@POSIX
def test_a_writer_that_was_forked_has_a_lock_of_its_own(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", patience=0.05) as recorder:
        recorder.message("user", "one")
        with recorder._recording.store._log._lock:
            command = [sys.executable, "-c", FORKED, str(recorder.path)]
            done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == "locked\nkept\n", done.stderr


FORKED = """
import os, sys
from sessions_tui.storage.recording import EnvelopeRecorder, NotKept
recorder = EnvelopeRecorder(sys.argv[1], patience=0.05)
try:
    recorder.message("user", "two")
except NotKept:
    print("locked", flush=True)
own = EnvelopeRecorder(sys.argv[1] + ".own.jsonl", patience=0.05)
own.message("user", "parent")
lock = own._recording.store._log._lock
with lock:
    child = os.fork()
    if child == 0:
        try:
            own.message("user", "child")
        except NotKept:
            os._exit(7)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
own.message("user", "again")
print("kept" if status == 7 else status)
"""


def test_errors_are_of_one_family() -> None:
    for error in (RecordRefused, NotKept, TornTail, Untrusted):
        assert issubclass(error, RecordingError)
