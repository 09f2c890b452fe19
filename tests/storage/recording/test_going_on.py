"""Recorders that go on where a session ended: several at once, and in files that others began."""

from __future__ import annotations

import errno
import os
import re
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    CannotContinue,
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    NotKept,
    TornTail,
    Untrusted,
    chain_of,
    resume,
)

from .recordings import contents, records

KINDS = pytest.mark.parametrize(
    ("kind", "name"), [(EnvelopeRecorder, "s"), (MyCodeAgentRecorder, "transcript-s")]
)


def torn(path: Path) -> Path:
    """A session of one record whose last line was cut."""
    with EnvelopeRecorder(path) as recorder:
        recorder.message("user", "the goal")
    with path.open("ab") as file:
        file.write(b'{"torn')
    return path


def names(paths: Any) -> list[str]:
    return [path.name for path in paths]


def test_of_several_that_come_back_one_begins_the_next_file(tmp_path: Path) -> None:
    path = torn(tmp_path / "s.jsonl")
    recorders = [EnvelopeRecorder.continuing(path) for _ in range(3)]
    assert {recorder.path for recorder in recorders} == {path}  # until there is another
    for turn in range(2):
        for number, recorder in enumerate(recorders):
            recorder.message("user", f"{turn} {number}")
    assert names(resume(path).files) == ["s.jsonl", "s_2.jsonl"]
    assert contents(tmp_path / "s_2.jsonl") == ["0 0", "0 1", "0 2", "1 0", "1 1", "1 2"]


def test_many_at_once(tmp_path: Path) -> None:
    path = torn(tmp_path / "s.jsonl")
    start = threading.Barrier(6)

    def agent(number: int) -> None:
        start.wait()
        with EnvelopeRecorder.continuing(path, sync=False, limit=3) as recorder:
            for turn in range(5):
                recorder.message("user", f"{number} {turn}")

    threads = [threading.Thread(target=agent, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    state = resume(path)
    said = [message["content"] for message in state.history]
    assert sorted(said[1:]) == sorted(f"{a} {t}" for a in range(6) for t in range(5))
    assert len(state.files) == 11  # the torn one, and three records in each


def test_one_notices_where_others_went_on_after_another_torn_line(tmp_path: Path) -> None:
    path = torn(tmp_path / "s.jsonl")
    first = EnvelopeRecorder.continuing(path)
    first.message("user", "in the second file")
    with (tmp_path / "s_2.jsonl").open("ab") as file:
        file.write(b'{"torn')
    second = EnvelopeRecorder.continuing(path)
    second.message("user", "in the third")
    first.message("user", "there, too")
    assert contents(tmp_path / "s_3.jsonl") == ["in the third", "there, too"]


def test_a_recorder_that_was_not_told_to_go_on_says_so(tmp_path: Path) -> None:
    recorder = EnvelopeRecorder(torn(tmp_path / "s.jsonl"))
    with pytest.raises(TornTail):
        recorder.message("user", "x")
    with EnvelopeRecorder(recorder.path, goes_on=True) as other:
        other.message("user", "x")
    assert recorder.message("user", "y").place.session == "s_2"


def test_the_same_arguments_again_once_the_file_was_full(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "old.jsonl") as old:
        old.message("user", "the goal")
    for number in range(5):
        with EnvelopeRecorder(tmp_path / "new.jsonl", continues="old", limit=2) as new:
            new.message("user", str(number))
    assert [len(records(file)) for file in chain_of(new.path)] == [1, 2, 2, 1]
    with (
        EnvelopeRecorder(tmp_path / "new.jsonl", continues="another", limit=2) as wrong,
        pytest.raises(CannotContinue),
    ):
        wrong.message("user", "x")


@KINDS
def test_broken_evidence_is_not_continued_in_another_file(
    tmp_path: Path, kind: Any, name: str
) -> None:
    path = tmp_path / f"{name}.jsonl"
    with kind(path) as recorder:
        for number in range(3):
            recorder.message("user", str(number))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"[1]\n" + lines[2])
    for options in ({"limit": 3}, {"limit": 3, "goes_on": True}, {}):
        with kind(path, **options) as again:
            with pytest.raises(Untrusted):
                again.message("user", "x")
            with pytest.raises(Untrusted):
                again.memory()
    assert not (tmp_path / f"{name}_2.jsonl").exists()


KILLED = """
import os, signal, sys
from sessions_tui.storage.recording import EnvelopeRecorder
recorder = EnvelopeRecorder.continuing(sys.argv[1])
print(recorder.path, flush=True)
write, os.write = os.write, lambda *_: os.kill(os.getpid(), signal.SIGKILL)
recorder.message("user", "never written")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
def test_killed_while_it_begins_the_next_file(tmp_path: Path) -> None:
    path = torn(tmp_path / "s.jsonl")
    words = [sys.executable, "-c", KILLED, str(path)]
    killed = subprocess.run(words, capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    given = Path(killed.stdout.strip())
    assert [message["content"] for message in resume(given).history] == ["the goal"]
    with EnvelopeRecorder.continuing(given) as recorder:
        recorder.message("user", "again")
    assert names(resume(given).files) == ["s.jsonl", "s_2.jsonl"]
    assert sorted(names(tmp_path.glob("*.jsonl"))) == ["s.jsonl", "s_2.jsonl"]


def test_a_file_is_never_met_without_its_first_record(tmp_path: Path) -> None:
    """Nor is another's place taken by it."""
    path = tmp_path / "s.jsonl"
    met: list[bool] = []
    recorder = EnvelopeRecorder(path)
    write = os.write

    def see(fd: int, data: bytes) -> int:
        met.append(path.exists())
        return write(fd, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", see)
        recorder.message("user", "x")
    assert met == [False]
    assert contents(path) == ["x"]
    assert names(tmp_path.glob(".s.jsonl*")) == [".s.jsonl.lock"]


def test_flush_reaches_every_file_and_the_directory(tmp_path: Path) -> None:
    synced: set[int] = set()
    fsync = os.fsync

    def note(fd: int) -> None:
        synced.add(os.fstat(fd).st_ino)
        fsync(fd)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", note)
        recorder = EnvelopeRecorder(tmp_path / "s.jsonl", sync=False, limit=2)
        for number in range(5):
            recorder.message("user", str(number))
        recorder.flush()
        files = [tmp_path / f"{name}.jsonl" for name in ("s", "s_2", "s_3")]
        assert {path.stat().st_ino for path in (*files, tmp_path)} <= synced
        recorder.message("user", "more")
        recorder.close()
        synced.clear()
        recorder.flush()
    assert synced == {files[2].stat().st_ino, tmp_path.stat().st_ino}


@KINDS
def test_the_memory_holds_a_record_that_lacks_its_line_end(
    tmp_path: Path, kind: Any, name: str
) -> None:
    path = tmp_path / f"{name}.jsonl"
    with kind(path) as recorder:
        recorder.message("user", "the goal")
        recorder.message("user", "another")
    path.write_bytes(path.read_bytes()[:-1])
    with kind.continuing(path) as again:
        assert again.memory(alive=False) == resume(path).memory
        again.message("user", "a third")
        assert again.memory(alive=False) == resume(path).memory
    assert resume(path).memory.event_count == 3


def test_another_dialects_file_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with EnvelopeRecorder(path) as recorder:
        recorder.message("user", "x")
    before = path.read_bytes()[:-1]
    path.write_bytes(before)
    with pytest.raises(Untrusted, match="is written as envelope"):
        MyCodeAgentRecorder(path).message("user", "y")
    assert path.read_bytes() == before


def leave(path: Path, what: str) -> None:
    """Something that has the name of a file to come, and is none of it."""
    match what:
        case "directory":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "another dialect's":
            with MyCodeAgentRecorder(path.with_name("transcript-x.jsonl")) as recorder:
                recorder.message("user", "x")
            recorder.path.replace(path)
        case _:
            path.write_bytes(what.encode())


STRANGE = ["{", "{}\n", "\n", "\0\0", "[1]\n", "directory", "another dialect's"]


@pytest.mark.parametrize("what", STRANGE + ["pipe"] * hasattr(os, "mkfifo"))
def test_all_writers_pass_by_what_is_no_file_of_the_recording(tmp_path: Path, what: str) -> None:
    path = torn(tmp_path / "s.jsonl")
    leave(tmp_path / "s_2.jsonl", what)
    first, second = (EnvelopeRecorder.continuing(path, limit=2) for _ in range(2))
    for number in range(3):
        first.message("user", f"first {number}")
        second.message("user", f"second {number}")
    with EnvelopeRecorder(path) as plain:
        plain.message("user", "plain")
    files = resume(path).files
    assert names(files) == ["s.jsonl", "s_3.jsonl", "s_4.jsonl", "s_5.jsonl"]
    assert [said for file in files[1:] for said in contents(file)] == [
        *("first 0", "second 0", "first 1", "second 1", "first 2", "second 2"),
        "plain",
    ]


@pytest.mark.parametrize("sync", [True, False])
def test_a_directory_that_cannot_be_synced(tmp_path: Path, sync: bool) -> None:
    """As on some network file systems: a record that is kept is not called lost."""
    fsync = os.fsync

    def of_files_only(fd: int) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(fd)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", of_files_only)
        with EnvelopeRecorder(tmp_path / "new" / "s.jsonl", sync=sync, limit=2) as recorder:
            for number in range(5):
                recorder.message("user", str(number))
            recorder.flush()
    said = [message["content"] for message in resume(recorder.path).history]
    assert said == list("01234")


def test_a_file_left_behind_that_did_not_reach_the_disk_is_told_of(tmp_path: Path) -> None:
    fsync, fails = os.fsync, [True]

    def broken(fd: int) -> None:
        if fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        fsync(fd)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", broken)
        recorder = EnvelopeRecorder(tmp_path / "s.jsonl", sync=False, limit=1)
        recorder.message("user", "0")
        recorder.message("user", "1")
        fails.clear()
        with pytest.raises(NotKept, match=re.escape("s.jsonl cannot be written")):
            recorder.flush()
        recorder.flush()
    assert [message["content"] for message in resume(recorder.path).history] == ["0", "1"]


def test_what_a_killed_maker_left_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path) as recorder:
        recorder.message("user", "x")
    os.link(path, tmp_path / ".s.jsonl.new")
    with EnvelopeRecorder(path) as again:
        again.message("user", "y")
    assert names(tmp_path.glob(".s.jsonl*")) == [".s.jsonl.lock"]
    assert contents(path) == ["x", "y"]
