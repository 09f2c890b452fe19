"""The index: what was read is there again, whoever is killed and whatever the disk does."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from sessions_tui.storage.decisions.history import SCHEMA as DECISIONS
from sessions_tui.storage.index.file import SCHEMA as INDEX
from sessions_tui.storage.index.index import FILE, Index
from sessions_tui.storage.private.bookmarks import SCHEMA as BOOKMARKS
from sessions_tui.storage.private.database import Schema
from sessions_tui.storage.private.seal import sealed
from sessions_tui.storage.transcript.overview import Overview, overview_of
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"


@pytest.mark.parametrize("schema", [INDEX, DECISIONS, BOOKMARKS], ids=lambda one: str(one.name))
def test_a_schema_names_all_its_migrations(schema: Schema) -> None:
    module = import_module(schema.module)
    with closing(sqlite3.connect(":memory:")) as db:
        pending = module.migrations.pending(Database(db, execute_plugins=False))
    assert [migration.name for migration in pending] == list(schema.migrations)


SAVER = """
import sys
from pathlib import Path
from sessions_tui.storage.index.index import Index
from sessions_tui.storage.transcript.overview import overview_of
from sessions_tui.storage.transcript.transcript import Transcript

cache, *paths = map(Path, sys.argv[1:])
index = Index(cache)
assert not index.notice, index.notice
print("ready", flush=True)
number = 0
while number < 400:
    number += 1
    read = []
    for path in paths:
        with path.open("ab") as file:
            file.write(b'{"timestamp": %d, "sessionId": "s", "type": "topic"}\\n' % number)
        transcript = index.load(path, path.stem) or Transcript(path, path.stem)
        transcript.read()
        read.append((transcript, overview_of(transcript)))
    assert index.save(read), index.notice
    assert not index.notice, index.notice
    print(number, flush=True)
"""
"""Appends a record to each file, and keeps what it read of it, over and over."""


def read_whole(path: Path) -> tuple[Transcript, Overview]:
    transcript = Transcript(path, path.stem)
    transcript.read()
    return transcript, overview_of(transcript)


def written(path: Path, records: int = 3, **fields: Any) -> Path:
    record = {"timestamp": 1_795_320_000_000, "sessionId": "s", "type": "topic", **fields}
    path.write_text((json.dumps(record) + "\n") * records)
    return path


def kept(index: Index) -> dict[Path, Overview]:
    return {path: known for path in index.paths() if (known := index.known(path))}


def same(one: Transcript, other: Transcript) -> bool:
    mine, its = one.positions, other.positions
    return one.as_json() == other.as_json() and (mine.offsets, mine.kinds, mine.links) == (
        its.offsets,
        its.kinds,
        its.links,
    )


@pytest.mark.parametrize("path", sorted(CASES.glob("product/**/*.jsonl")), ids=lambda p: p.stem)
def test_what_was_saved_is_loaded(tmp_path: Path, path: Path) -> None:
    transcript, known = read_whole(path)
    with closing(Index(tmp_path)) as index:
        assert index.load(path, path.stem) is None
        assert index.save([(transcript, known)])
    with closing(Index(tmp_path)) as index:
        again = index.load(path, path.stem)
        assert again is not None
        assert index.notice == ""
        if "surrogate" not in path.stem:
            assert same(again, transcript)
            assert kept(index) == {path: known}
        index.remove(path)
        assert kept(index) == {}
        assert index.load(path, path.stem) is None


def test_lone_surrogates_and_names_that_are_not_utf8(tmp_path: Path) -> None:
    path = written(tmp_path / os.fsdecode(b"caf\xe9.jsonl"), type="message", role="user")
    path.write_text(
        '{"timestamp": 1795320000000, "type": "message", "role": "user", "cwd": "/\\ud800",'
        ' "content": [{"type": "input_text", "text": "a\\ud800b"}]}\n'
    )
    transcript, known = read_whole(path)
    assert known.facts.first_prompt == "a\ud800b"
    with closing(Index(tmp_path)) as index:
        assert index.save([(transcript, known)])
        assert kept(index)[path].facts.first_prompt == "a\ufffdb"
        assert kept(index)[path].facts.cwd == "/\ufffd"
        assert index.load(path, path.stem) is not None


def test_a_shorter_file_leaves_nothing_of_the_longer_one(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", records=3000)
    with closing(Index(tmp_path / "cache")) as index:
        transcript, known = read_whole(path)
        index.save([(transcript, known)])
        written(path, records=5)
        transcript.read()
        index.save([(transcript, overview_of(transcript))])
        written(path, records=2000)
        again = index.load(path, "s")
        assert again is not None
        assert len(again.positions) == 5
        again.read()
        index.save([(again, overview_of(again))])
        last = index.load(path, "s")
        assert last is not None
        assert same(last, read_whole(path)[0])


def test_only_our_own_user_may_look(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl")
    with closing(Index(tmp_path / "cache")) as index:
        index.save([read_whole(path)])
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in index_files(tmp_path)}
    assert set(modes) == {FILE, f"{FILE}-wal", f"{FILE}-shm"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700


def index_files(directory: Path) -> list[Path]:
    return list((directory / "cache").iterdir())


@pytest.fixture
def saver(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts a process that saves in a loop."""
    script = tmp_path / "saver.py"
    script.write_text(SAVER)

    def start(*paths: Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(script), *map(str, (tmp_path / "cache", *paths))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.mark.parametrize("after", [0.0, 0.003, 0.011, 0.02, 0.05, 0.1])
def test_killed_while_saving(
    tmp_path: Path, saver: Callable[..., subprocess.Popen[str]], after: float
) -> None:
    paths = [written(tmp_path / f"{name}.jsonl", records=1030) for name in "abc"]
    with saver(*paths) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(after)  # a moment that is as good as any other
        process.send_signal(signal.SIGKILL)
        said = process.stdout.read().split()
    with closing(sqlite3.connect(tmp_path / "cache" / FILE)) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
    with closing(Index(tmp_path / "cache")) as index:
        assert index.notice == ""
        counts = {known.events for known in kept(index).values()}
        assert len(counts) <= 1
        assert counts or not said
        for path in kept(index):
            again = index.load(path, path.stem)
            assert again is not None
            assert len(again.positions) == again.facts.records in counts
            assert again.facts.records >= 1030 + int(said[-1] if said else 1)
            again.read()
            assert same(again, read_whole(path)[0])


def test_two_programs_share_it(tmp_path: Path, saver: Callable[..., subprocess.Popen[str]]) -> None:
    mine = [written(tmp_path / f"{name}.jsonl") for name in "abcdef"]
    with saver(*mine[:2]) as one, saver(*mine[2:4]) as other, saver(*mine[4:]) as third:
        results = [process.communicate(timeout=120) for process in (one, other, third)]
    assert [error for _, error in results] == ["", "", ""]
    with closing(Index(tmp_path / "cache")) as index:
        assert {path: known.events for path, known in kept(index).items()} == dict.fromkeys(
            mine, 403
        )


def damaged(path: Path) -> None:
    path.write_bytes(b"this was a database " * 500)


def damaged_in_its_tables(path: Path) -> None:
    """So that what SQLite says of it, which quotes it, is not UTF-8."""
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE texts", b"CR\xf7ATE TABLE texts"))


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "insert into _sqlite_migrations (migration_set, name, applied_at) values (?, ?, ?)",
            ("index", "what_comes_later", "2030-01-01"),
        )
        db.commit()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (damaged, "file is not a database"),
        (damaged_in_its_tables, "its tables are damaged"),
        (newer, "a newer version wrote it"),
    ],
)
def test_an_index_of_no_use_is_set_aside(
    tmp_path: Path, change: Callable[[Path], None], words: str
) -> None:
    path = written(tmp_path / "s.jsonl")
    with closing(Index(tmp_path)) as index:
        index.save([read_whole(path)])
    change(tmp_path / FILE)
    before = (tmp_path / FILE).read_bytes()
    with closing(Index(tmp_path)) as index:
        assert words in index.notice
        assert "set aside" in index.notice
        assert kept(index) == {}
        assert index.save([read_whole(path)])
    assert (tmp_path / "index.broken").read_bytes() == before
    with closing(Index(tmp_path)) as index:
        assert (index.notice, list(kept(index))) == ("", [path])


def test_an_index_that_breaks_while_in_use(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{n}.jsonl", records=2000) for n in range(30)]
    with closing(Index(tmp_path / "cache")) as index:
        index.save(map(read_whole, paths))
    database = tmp_path / "cache" / FILE
    middle = database.stat().st_size // 2
    with database.open("r+b") as file:
        file.seek(middle)
        file.write(b"\xff" * middle)
    with closing(Index(tmp_path / "cache")) as index:
        for path in paths:
            index.load(path, path.stem)
        kept(index)
        index.save(map(read_whole, paths))
        assert index.notice.startswith("the index was set aside and is made anew: ")
        assert index.save([read_whole(paths[0])])
        assert index.is_kept
    with closing(Index(tmp_path / "cache")) as index:
        assert set(kept(index)) == set(paths)
        assert index.notice == ""


def test_what_is_of_another_shape_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl")
    with closing(Index(tmp_path)) as index:
        index.save([read_whole(path)])
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute(
            "update files set known = ?, state = ?", (sealed(b'{"dialect": null}'), sealed(b"{"))
        )
        db.commit()
    with closing(Index(tmp_path)) as index:
        assert kept(index) == {}
        assert index.load(path, "s") is None
        assert index.notice == ""


def test_positions_that_are_missing_are_read_again(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", records=3000)
    with closing(Index(tmp_path)) as index:
        index.save([read_whole(path)])
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("delete from positions where chunk = 2")
        db.commit()
    with closing(Index(tmp_path)) as index:
        assert index.load(path, "s") is None


def test_a_busy_index_is_tried_again_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions_tui.storage.index.file.WAIT_MS", 20)
    path = written(tmp_path / "s.jsonl", records=2000)
    transcript, known = read_whole(path)
    with closing(Index(tmp_path)) as index:
        with closing(sqlite3.connect(tmp_path / FILE)) as other:
            other.execute("begin immediate")
            assert not index.save([(transcript, known)])
            index.remove(path)
            assert index.notice.startswith("another program holds the index")
            assert not index.is_kept
        assert index.save([(transcript, known)])
        assert (index.notice, index.is_kept) == ("", True)
        again = index.load(path, "s")
        assert again is not None
        assert same(again, transcript)


@pytest.mark.parametrize("place", ["file", "read-only"])
def test_where_none_can_be_kept_it_lives_in_memory(tmp_path: Path, place: str) -> None:
    cache = tmp_path / "cache"
    if place == "file":
        cache.write_text("in the way")
    else:
        cache.mkdir(mode=0o500)
        if os.access(cache, os.W_OK):
            pytest.skip("this user may write everywhere")
    path = written(tmp_path / "s.jsonl")
    with closing(Index(cache)) as index:
        assert index.notice.startswith(f"the index cannot be saved in {cache}: ")
        assert index.save([read_whole(path)])
        assert list(kept(index)) == [path]
        assert index.load(path, "s") is not None
