"""Several writers on one file: every record whole, in one order, none lost."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from sessions_tui.storage.recording import EnvelopeRecorder, chain_of, resume

from .recordings import is_strict, records

PROCESSES, THREADS, EACH = 8, 4, 12

WRITER = """
import sys, threading
from sessions_tui.storage.recording import EnvelopeRecorder, MyCodeAgentRecorder

kind, path, name, threads, each, limit = sys.argv[1:]
Recorder = {"envelope": EnvelopeRecorder, "mycodeagent": MyCodeAgentRecorder}[kind]
recorder = Recorder(path, limit=int(limit) or None)

def write(thread):
    for number in range(int(each)):
        size = 200_000 if number == 5 else 40  # some larger than a pipe, a page, a block
        recorder.message("user", f"{name}-{thread}-{number} " + "界" * size)

sys.stdin.readline()
writers = [threading.Thread(target=write, args=(n,)) for n in range(int(threads))]
for writer in writers: writer.start()
for writer in writers: writer.join()
"""


def write_at_once(kind: str, path: Path, limit: int = 0, each: int = EACH) -> None:
    words = [sys.executable, "-c", WRITER, kind, str(path)]
    writers = [
        subprocess.Popen(
            [*words, str(n), str(THREADS), str(each), str(limit)], stdin=subprocess.PIPE
        )
        for n in range(PROCESSES)
    ]
    for writer in writers:
        assert writer.stdin
        writer.stdin.write(b"go\n")
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0] * PROCESSES


def expected(each: int = EACH) -> Counter[str]:
    names = range(PROCESSES), range(THREADS), range(each)
    return Counter(f"{p}-{t}-{n}" for p in names[0] for t in names[1] for n in names[2])


@pytest.mark.parametrize("kind", ["envelope", "mycodeagent"])
def test_processes_and_threads_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.jsonl"
    write_at_once(kind, path)
    written = records(path)
    contents = [record.get("content") or record["payload"]["content"] for record in written]
    names = [content.split()[0] for content in contents]
    assert Counter(names) == expected()
    assert is_strict(path)
    if kind == "envelope":
        assert [record["sequence"] for record in written] == list(range(1, len(written) + 1))
        times = [record["recorded_at"] for record in written]
        assert times == sorted(times)
    for writer in {name.rpartition("-")[0] for name in names}:
        own = [name for name in names if name.rpartition("-")[0] == writer]
        assert own == [f"{writer}-{number}" for number in range(EACH)]


def test_processes_go_on_in_the_next_file_together(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_at_once("envelope", path, limit=50, each=5)
    files = list(chain_of(tmp_path / "s_4.jsonl"))
    assert [len(records(file)) for file in files] == [50, 50, 50, 10]
    assert all(is_strict(file) for file in files)
    assert sorted(file.name for file in tmp_path.glob("*.jsonl")) == sorted(f.name for f in files)
    said = [message["content"].split()[0] for message in resume(path).history]
    assert Counter(said) == expected(5)


def test_processes_that_fill_every_file_at_once_lose_none(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_at_once("envelope", path, limit=1, each=5)
    state = resume(path)
    assert len(state.files) == state.total_events == sum(expected(5).values())
    assert state.missing is None


def test_two_recorders_in_one_process_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path) as one, EnvelopeRecorder(path) as two:
        for number in range(6):
            event = (one, two)[number % 2].message("user", str(number))
            assert event.place.number == number + 1
        assert one.memory() == two.memory()
