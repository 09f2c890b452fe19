"""However the reading was interrupted, the index is the one that a single reading makes."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.storage.index.index import FILE, Index
from sessions_tui.storage.index.worker_process import WorkerProcess
from sessions_tui.storage.library import update as indexing
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.library.update import UpdateProgress
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.storage.transcript.overview import overview_of
from sessions_tui.storage.transcript.transcript import Transcript
from tests.opened import opened

AT = 1_778_508_131_000


def record(number: int, padding: int = 0) -> bytes:
    """One of the records of a product transcript that talks, calls and answers."""
    base: dict[str, Any] = {
        "timestamp": AT + number * 400_000,
        "sessionId": "s" if number % 5 else "parent",
        "cwd": "/src/shop",
    }
    usage = {"prompt_tokens": 100 + number, "completion_tokens": number}
    extra = {"messageId": f"m{number // 2}", "model": "hy3", "rawUsage": usage}
    kinds: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "修 it"}]},
        {
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": f"Done {number} " + "x" * padding}],
            "providerData": extra,
        },
        {
            "type": "function_call",
            "callId": f"c{number}",
            "name": "Edit" if number % 2 else "Bash",
            "arguments": json.dumps({"file_path": f"a{number % 3}.py"}),
            "providerData": extra,
        },
        {
            "type": "function_call_result",
            "callId": f"c{number - 1}",
            "name": "Edit",
            "status": "completed",
            "output": {"type": "text", "text": "ok"},
        },
    ]
    return json.dumps(base | kinds[number % 4], ensure_ascii=False).encode() + b"\n"


def dump(directory: Path) -> dict[str, list[Any]]:
    """All rows of an index, files by their paths."""
    with closing(sqlite3.connect(directory / FILE)) as db:
        files = dict(db.execute("select id, path from files"))
        tables: dict[str, list[Any]] = {
            "files": sorted(db.execute("select path, session, records, known, state from files"))
        }
        for table in ("positions", "usage", "calls", "edits", "texts"):
            rows = db.execute(f"select * from {table}")
            tables[table] = sorted((files[file], *rest) for file, *rest in rows)
        return tables


def read_once(path: Path, directory: Path) -> dict[str, list[Any]]:
    with closing(Index(directory)) as index:
        transcript = Transcript(path, path.stem)
        transcript.read()
        assert index.save([(transcript, overview_of(transcript))])
    return dump(directory)


class Program:
    """One of the programs that share an index."""

    def __init__(self, path: Path, directory: Path) -> None:
        self.path, self.directory = path, directory
        self.begin()

    def begin(self) -> None:
        """Start anew, without what was not stored."""
        self.index = Index(self.directory)
        loaded = self.index.load(self.path, self.path.stem)
        self.transcript = loaded or Transcript(self.path, self.path.stem)

    def read(self) -> None:
        """Read all that is new."""
        self.transcript.read()

    def read_a_slice(self) -> None:
        """Read some of it, and store that."""
        for _ in self.transcript.advance():
            self.index.save([(self.transcript, None)])
            break

    def store(self) -> None:
        """Store what was read to the end."""
        self.read()
        self.index.save([(self.transcript, overview_of(self.transcript))])

    def die(self) -> None:
        """End without storing anything."""
        self.index.close()
        self.begin()


STEPS = ("append", "tear", "read", "read_a_slice", "store", "die")


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 1)), max_size=14),
    padding=st.sampled_from([0, 40_000]),
)
def test_any_way_leads_to_the_same_rows(
    steps: list[tuple[str, int]], padding: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("store")
    path = folder / "s.jsonl"
    number, torn = 0, b""
    path.write_bytes(b"")
    programs = [Program(path, folder / "shared") for _ in range(2)]
    for step, who in steps:
        if step == "append":
            torn += b"".join(record(n, padding) for n in range(number, number + 5))
            number += 5
        elif step == "tear":
            torn += record(number, padding)
            number += 1
        else:
            getattr(programs[who], step)()
            continue
        cut = len(torn) if step == "append" else len(torn) // 2
        with path.open("ab") as file:
            file.write(torn[:cut])
        torn = torn[cut:]
    with path.open("ab") as file:
        file.write(torn)
    for program in programs:
        program.store()
        program.die()
        program.store()
        program.index.close()
    assert dump(folder / "shared") == read_once(path, folder / "once")


def store_of(folder: Path, sessions: int, records: int) -> Path:
    projects = folder / "store" / "projects" / "shop"
    projects.mkdir(parents=True)
    for session in range(sessions):
        lines = b"".join(record(number) for number in range(records))
        (projects / f"s{session}.jsonl").write_bytes(lines)
    return folder / "store"


def open_library(root: Path, cache: Path) -> Library:
    found = opened(Library(find_roots([root], {}, root, root).found, cache))
    found.rescan()
    return found


def test_a_helper_makes_the_same_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = store_of(tmp_path, 12, 40)
    dumps = []
    for name, worth in (("alone", 1 << 60), ("helped", 0)):
        monkeypatch.setattr(indexing, "WORTH", worth)
        with closing(open_library(root, tmp_path / name)) as found:
            found.read_all()
            assert len(found.overviews.parsed) == 12
            assert found.overviews.bytes_read == sum(file.stat.st_size for file in found.files())
            assert found.pending() == []
            assert all(session.events == 40 for session in found.sessions(AT))
        dumps.append(dump(tmp_path / name))
    assert dumps[0] == dumps[1]


def test_progress_is_honest(tmp_path: Path) -> None:
    root = store_of(tmp_path, 5, 8)
    told: list[UpdateProgress] = []
    with closing(open_library(root, tmp_path / "cache")) as found:
        found.read_all(told.append)
    assert [progress.files_left for progress in told] == [5, 4, 3, 2, 1]
    assert told[0].bytes_read == 0
    assert told[0].bytes == sum(path.stat().st_size for path in root.rglob("*.jsonl"))
    assert all(progress.files == 5 for progress in told)


def test_what_a_dead_helper_leaves_is_read_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = store_of(tmp_path, 12, 40)
    monkeypatch.setattr(indexing, "WORTH", 0)
    started = WorkerProcess.start

    def start_and_kill(helper: WorkerProcess) -> None:
        started(helper)
        os.kill(helper._process.pid, signal.SIGKILL)

    monkeypatch.setattr(WorkerProcess, "start", start_and_kill)
    with closing(open_library(root, tmp_path / "cache")) as found:
        found.read_all()
        assert found.pending() == []
        assert len(found.sessions(AT)) == 12


def test_a_helper_tells_what_it_cannot_read(tmp_path: Path) -> None:
    left = [(tmp_path / "gone.jsonl", "gone")]
    helper = WorkerProcess(tmp_path / "cache", lambda: left.pop() if left else None)
    helper.start()
    helper.finish()
    assert helper.left == [tmp_path / "gone.jsonl"]
    assert helper.done == []


KILLED = """
import os, signal, sys
from pathlib import Path
from sessions_tui.storage.index import index
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.stores.roots import find_roots

index.PARTIAL = 1 << 20
root, cache, slices = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
found = Library(find_roots([root], {}, root, root).found, cache)
found.rescan()
(path,) = found.pending()
for number, _ in enumerate(found.advance(path)):
    if number == slices:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_reading_goes_on_where_it_was_stored(tmp_path: Path) -> None:
    root = store_of(tmp_path, 1, 0)
    (path,) = root.rglob("*.jsonl")
    path.write_bytes(b"".join(record(number, 60_000) for number in range(400)))
    size = path.stat().st_size
    command = [sys.executable, "-c", KILLED, str(root), str(tmp_path / "cache"), "30"]
    ended = subprocess.run(command, check=False, capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    with closing(open_library(root, tmp_path / "cache")) as found:
        assert found.pending() == [path]
        found.read_all()
        assert 0 < found.overviews.bytes_read < size - (2 << 20)
    assert dump(tmp_path / "cache") == read_once(path, tmp_path / "once")


def test_a_second_run_writes_nothing(tmp_path: Path) -> None:
    root = store_of(tmp_path, 6, 20)
    with closing(open_library(root, tmp_path / "cache")) as found:
        found.read_all()
    with closing(open_library(root, tmp_path / "cache")) as found:
        before = found.index._file.db.total_changes
        found.read_all()
        assert (len(found.overviews.parsed), found.overviews.bytes_read) == (0, 0)
        assert found.index._file.db.total_changes == before


def test_one_record_writes_a_few_rows(tmp_path: Path) -> None:
    root = store_of(tmp_path, 1, 3_000)
    (path,) = root.rglob("*.jsonl")
    with closing(open_library(root, tmp_path / "cache")) as found:
        found.read_all()
        line = record(3_001)
        with path.open("ab") as file:
            file.write(line)
        found.rescan()
        before, read = found.index._file.db.total_changes, found.overviews.bytes_read
        found.read_all()
        assert found.overviews.bytes_read - read == len(line)
        assert found.index._file.db.total_changes - before <= 6


def test_a_transcript_that_is_gone_leaves_no_row(tmp_path: Path) -> None:
    root = store_of(tmp_path, 2, 20)
    with closing(open_library(root, tmp_path / "cache")) as found:
        found.read_all()
    (root / "projects" / "shop" / "s1.jsonl").unlink()
    with closing(open_library(root, tmp_path / "cache")) as found:
        assert found.overviews.removed == 1
        found.read_all()
    tables = dump(tmp_path / "cache")
    gone = os.fsencode(root / "projects" / "shop" / "s1.jsonl")
    assert all(row[0] != gone for rows in tables.values() for row in rows)
    assert len(tables["files"]) == 1
