"""The desktop app's database: read in every state it may be in, and never touched."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy.desktop import APP, Desktop
from sessions_tui.storage.files import foreign_database
from sessions_tui.storage.model.process import AppSession

CASES = Path(__file__).parents[3] / "cases"
SCHEMA = (
    "CREATE TABLE sessions(id TEXT PRIMARY KEY, cwd TEXT, title TEXT, custom_title TEXT,"
    " status TEXT, deleted_at INTEGER, last_activity_at INTEGER, model TEXT)"
)


def row(**known: Any) -> AppSession:
    return AppSession(app=APP, **known)


def tree(home: Path) -> list[tuple[str, int, int, int]]:
    stats = [(path.name, path.stat()) for path in sorted([home, *home.rglob("*")])]
    return [(name, s.st_ino, s.st_size, s.st_mtime_ns) for name, s in stats]


def make(home: Path, *statements: str) -> Path:
    path = home / "workbuddy.db"
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path


def read(home: Path) -> Desktop:
    """What is known of a home, having made sure that nothing in it changed."""
    before = tree(home)
    desktop = Desktop(home)
    assert desktop.refresh()
    assert tree(home) == before
    return desktop


@pytest.fixture
def live(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that writes ahead, as the app's does while it runs."""
    with closing(sqlite3.connect(tmp_path / "workbuddy.db")) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute(SCHEMA)
        database.execute("INSERT INTO sessions(id, title) VALUES ('s1', 'One')")
        database.commit()
        yield database


def test_a_real_store_at_rest(tmp_path: Path) -> None:
    shutil.copy(CASES / "product-store" / "workbuddy.db", tmp_path / "workbuddy.db")
    sessions = read(tmp_path).sessions
    assert len(sessions) == 5
    assert sessions["0d951c95-602f-417c-8d01-7e07fc10d0f9"] == row(
        title="修复库存超卖并补测试",
        custom_title="库存修复",
        status="completed",
        last_activity_at=1795320081617,
        model="hy3",
    )
    assert sessions["2a028bbf-e1e7-4ebb-9ef6-76912d7320f7"].archived
    assert sessions["8af70573-6c79-46bb-beb8-e1d1dd40d6f8"].deleted
    assert sessions["72d24a20-63a6-4ded-9481-ec988ccc0eac"].status == "working"


def test_a_live_database_is_read_up_to_its_last_commit(
    tmp_path: Path, live: sqlite3.Connection
) -> None:
    assert (tmp_path / "workbuddy.db-wal").exists()
    desktop = read(tmp_path)
    assert desktop.sessions["s1"].title == "One"
    assert not desktop.refresh()
    live.execute("UPDATE sessions SET custom_title = 'Mine'")
    live.commit()
    before = tree(tmp_path)
    assert desktop.refresh()
    assert tree(tmp_path) == before
    assert desktop.sessions["s1"].custom_title == "Mine"


def test_a_crashed_database_is_read_and_left(tmp_path: Path, live: sqlite3.Connection) -> None:
    crashed, bare = tmp_path / "crashed", tmp_path / "bare"
    for home, ends in ((crashed, ("", "-wal", "-shm")), (bare, ("", "-wal"))):
        home.mkdir()
        for end in ends:
            shutil.copyfile(tmp_path / f"workbuddy.db{end}", home / f"workbuddy.db{end}")
    assert read(crashed).sessions["s1"].title == "One"
    # Without its index the log cannot be read unless one is made: only what was settled is known.
    assert "s1" not in read(bare).sessions


def test_a_closed_database_that_wrote_ahead_gets_no_files_beside_it(tmp_path: Path) -> None:
    make(tmp_path, "PRAGMA journal_mode=WAL", SCHEMA, "INSERT INTO sessions(id) VALUES ('s1')")
    assert set(read(tmp_path).sessions) == {"s1"}
    assert [path.name for path in tmp_path.iterdir()] == ["workbuddy.db"]


def test_older_schemas_lack_columns(tmp_path: Path) -> None:
    make(
        tmp_path,
        "CREATE TABLE sessions(id TEXT, title TEXT, status TEXT DEFAULT 'Pending')",
        "INSERT INTO sessions(id, title) VALUES ('s1', 'One')",
    )
    assert read(tmp_path).sessions == {"s1": row(title="One", status="pending")}


def test_values_of_any_type_are_taken(tmp_path: Path) -> None:
    make(
        tmp_path,
        SCHEMA,
        "INSERT INTO sessions VALUES ('s1', 1, 7, x'ff', NULL, -1, 'soon', 2.5)",
        "INSERT INTO sessions(id, title, deleted_at) VALUES ('s2', CAST(x'41ff42' AS TEXT), 0)",
    )
    sessions = read(tmp_path).sessions
    assert sessions["s1"] == row(title="7", model="2.5")
    assert sessions["s2"] == row(title="A\ufffdB")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not a database, but long enough to be looked at as one" * 20, "not a database"),
        (b"", "it has no table sessions"),
    ],
)
def test_a_foreign_file_tells_nothing_and_why(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "workbuddy.db").write_bytes(content)
    desktop = read(tmp_path)
    assert desktop.sessions == {}
    assert reason in desktop.problem


def test_a_damaged_database_keeps_what_was_known(tmp_path: Path) -> None:
    rows = [f"INSERT INTO sessions(id, title) VALUES ('s{n}', '{'x' * 900}')" for n in range(50)]
    path = make(tmp_path, SCHEMA, *rows)
    desktop = read(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    assert desktop.refresh()
    assert len(desktop.sessions) == 50
    assert "malformed" in desktop.problem
    assert not desktop.refresh()


def test_a_locked_database_is_asked_again(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "workbuddy.db")) as app:
        app.execute("PRAGMA locking_mode=EXCLUSIVE")
        app.execute("PRAGMA journal_mode=WAL")
        app.execute(SCHEMA)
        app.execute("INSERT INTO sessions(id) VALUES ('s1')")
        app.commit()
        (tmp_path / "workbuddy.db-shm").touch()
        desktop = read(tmp_path)
        assert desktop.problem
        assert desktop.refresh()
    (tmp_path / "workbuddy.db-shm").unlink(missing_ok=True)
    assert desktop.refresh()
    assert (set(desktop.sessions), desktop.problem) == ({"s1"}, "")


def test_no_database_is_no_problem(tmp_path: Path) -> None:
    desktop = Desktop(tmp_path)
    desktop.refresh()
    assert (desktop.sessions, desktop.problem) == ({}, "")
    (tmp_path / "workbuddy.db").mkdir()
    desktop.refresh()
    assert (desktop.sessions, desktop.problem) == ({}, "")


def test_names_with_marks_of_addresses_are_names(tmp_path: Path) -> None:
    home = tmp_path / "a?b#c%20d"
    home.mkdir()
    make(home, SCHEMA, "INSERT INTO sessions(id) VALUES ('s1')")
    assert set(read(home).sessions) == {"s1"}


ENDLESS = "WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM r) SELECT id FROM r"


@pytest.mark.parametrize(
    "statements",
    [
        [f"CREATE VIEW sessions AS {ENDLESS}"],
        [f"CREATE VIEW Sessions AS {ENDLESS}"],
        ["CREATE VIRTUAL TABLE sessions USING fts5(id)"],
        ["CREATE VIRTUAL TABLE sessions USING rtree(id, a, b)"],
    ],
)
def test_what_computes_its_rows_is_not_read(tmp_path: Path, statements: list[str]) -> None:
    make(tmp_path, *statements)
    desktop = read(tmp_path)
    assert desktop.sessions == {}
    assert desktop.problem.startswith("its sessions is not an ordinary table; ")


def test_computed_columns_are_not_read(tmp_path: Path) -> None:
    make(
        tmp_path,
        "CREATE TABLE sessions(id TEXT, title TEXT AS (hex(zeroblob(100000000))))",
        "INSERT INTO sessions(id) VALUES ('s1')",
    )
    assert read(tmp_path).sessions == {"s1": row()}


def test_no_more_rows_are_read_than_a_store_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_database, "ROWS", 10)
    make(tmp_path, SCHEMA, *(f"INSERT INTO sessions(id) VALUES ('s{n}')" for n in range(11)))
    desktop = read(tmp_path)
    assert len(desktop.sessions) == 10
    assert desktop.problem.startswith("only its first 10 rows are read; ")


def test_no_more_text_is_read_than_a_store_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_database, "BYTES", 5_000)
    title = "x" * 1_000
    rows = [f"INSERT INTO sessions(id, title) VALUES ('s{n}', '{title}')" for n in range(11)]
    make(tmp_path, SCHEMA, *rows)
    desktop = read(tmp_path)
    assert len(desktop.sessions) == 4
    assert desktop.problem.startswith("only its first 4 rows are read; ")


def test_a_value_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    make(tmp_path, SCHEMA, "INSERT INTO sessions(id, title) VALUES ('s1', zeroblob(3000000))")
    desktop = read(tmp_path)
    assert desktop.sessions == {}
    assert "too big" in desktop.problem


def test_no_more_work_is_done_than_a_store_may_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_database, "STEPS", 10_000)
    rows = ",".join(f"('s{n}')" for n in range(10_000))
    make(tmp_path, SCHEMA, f"INSERT INTO sessions(id) VALUES {rows}")
    desktop = read(tmp_path)
    assert 0 < len(desktop.sessions) < 2_000
    assert desktop.problem.startswith("reading it takes too long; ")


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes")
@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_a_pipe_beside_a_database_is_not_waited_for(tmp_path: Path, end: str) -> None:
    make(tmp_path, SCHEMA, "INSERT INTO sessions(id) VALUES ('s1')")
    for other in ("-wal", "-shm"):
        (tmp_path / f"workbuddy.db{other}").write_bytes(b"")
    (tmp_path / f"workbuddy.db{end}").unlink(missing_ok=True)
    os.mkfifo(tmp_path / f"workbuddy.db{end}")
    assert f"workbuddy.db{end} is not an ordinary file" in read(tmp_path).problem
