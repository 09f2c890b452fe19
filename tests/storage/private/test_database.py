"""Databases of our own: what their next version finds is copied first, and nothing is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from sqlite_utils import Database, Migrations

from sessions_tui.storage.decisions import schema as decisions_schema
from sessions_tui.storage.decisions.count import count_path
from sessions_tui.storage.decisions.history import SCHEMA
from sessions_tui.storage.index.file import SCHEMA as INDEX
from sessions_tui.storage.private import database as databases
from sessions_tui.storage.private.bookmarks import SCHEMA as DESK
from sessions_tui.storage.private.database import NewerDatabase, Schema, open_database, open_to_read
from tests.storage.deciding import EVIDENCE, KEY, PATH, opened, proposed

Change = Callable[[Database], None]

NEXT = SCHEMA._replace(migrations=("decisions", "seals", "moods"), module="next_schema")
"""What a next version may want: every row in a table of another shape."""

ROWS = "select * from decisions order by id"

KILLED = """
import os, signal, sys
from pathlib import Path
from sqlite_utils import Database, Migrations
from sessions_tui.storage.private import database
from sessions_tui.storage.decisions import schema as decisions_schema
from sessions_tui.storage.decisions.history import SCHEMA

migrations = Migrations("decisions")
migrations()(decisions_schema.decisions)
migrations()(decisions_schema.seals)

@migrations()
def moods(db):
    db.execute("drop table decisions")
    os.kill(os.getpid(), signal.SIGKILL)

decisions_schema.migrations = migrations
schema = SCHEMA._replace(migrations=("decisions", "seals", "moods"))
database.open_database(Path(sys.argv[1]), schema)
"""
"""Is killed while it changes the tables."""


def moods(db: Database) -> None:
    """Rebuild the table with one more column, as a change of a strict table has to."""
    db.execute("alter table decisions rename to old")
    for trigger in ("no_update", "no_delete", "no_replace"):
        db.execute(f"drop trigger {trigger}")
    decisions_schema.decisions(db)
    db.execute("alter table decisions add column seal integer not null default 0")
    db.execute("alter table decisions add column mood text not null default 'calm'")
    db.execute("insert into decisions select *, 'glad' from old order by id")
    db.execute("drop table old")


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """Says what the made-up second migration does."""

    def set_up(change: Change) -> None:
        migrations = Migrations("decisions")
        migrations()(decisions_schema.decisions)
        migrations()(decisions_schema.seals)
        migrations(name="moods")(change)
        module = ModuleType("next_schema")
        module.migrations = migrations  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "next_schema", module)

    set_up(moods)
    return set_up


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with decisions, some of them only in its log."""
    with opened(tmp_path) as decisions:
        for n in range(60):
            decisions.propose(proposed(f"words {n}", n))
        decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 1)
        decisions.take_back(KEY, PATH, 2)
    return tmp_path / "decisions.db"


@pytest.fixture
def in_use(path: Path) -> Iterator[Path]:
    """The same, with a program that has written and runs on."""
    with opened(path.parent) as decisions:
        decisions.set_title("s-1", PATH, "only in the log", 3)
        assert path.with_name("decisions.db-wal").stat().st_size
        yield path


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
        return db.execute(ROWS).fetchall()


def copies(path: Path) -> list[Path]:
    """All files beside the database, its log and its count."""
    own = (path.name, count_path(path).name)
    return sorted(file for file in path.parent.iterdir() if not file.name.startswith(own))


@pytest.mark.usefixtures("next_version")
def test_a_migration_loses_no_row_and_leaves_a_copy(in_use: Path) -> None:
    before = rows(in_use)
    assert len(before) == 63
    with closing(open_database(in_use, NEXT)) as db:
        assert db.execute(ROWS).fetchall() == [(*row, "glad") for row in before]
        assert db.execute("pragma foreign_key_check").fetchall() == []
    (copy,) = copies(in_use)
    assert copy.name == "decisions.before-moods.db"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert copy.read_bytes()[18:20] == b"\1\1"  # whole without a log of its own
    assert rows(copy) == before
    with closing(open_database(copy, SCHEMA)) as db:
        assert db.execute(ROWS).fetchall() == before
    open_database(in_use, NEXT).close()
    assert copies(in_use)[0] == copy
    with pytest.raises(NewerDatabase):
        open_database(in_use, SCHEMA)


@pytest.mark.usefixtures("next_version")
def test_no_copy_is_made_where_nothing_is_lost(tmp_path: Path, path: Path) -> None:
    new = tmp_path / "new" / "decisions.db"
    open_database(new, NEXT).close()
    assert copies(new) == []
    open_database(path, NEXT._replace(keeps_backup=False)).close()
    assert [file.name for file in copies(path)] == ["new"]


def test_a_migration_that_fails_changes_nothing(
    path: Path, next_version: Callable[[Change], None]
) -> None:
    before = rows(path)

    def fails(db: Database) -> None:
        moods(db)
        db.execute("insert into nowhere values (1)")

    next_version(fails)
    for _ in range(3):
        with pytest.raises(sqlite3.OperationalError):
            open_database(path, NEXT)
        assert rows(path) == before
    assert [file.name for file in copies(path)] == ["decisions.before-moods.db"]
    next_version(moods)
    with closing(open_database(path, NEXT)) as db:
        assert len(db.execute(ROWS).fetchall()) == len(before)
    assert len(copies(path)) == 1


def test_killed_while_migrating(path: Path) -> None:
    before = rows(path)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(path)], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (-signal.SIGKILL, "")
        assert rows(path) == before
        (copy,) = copies(path)
        assert rows(copy) == before
    with opened(path.parent) as decisions:
        assert decisions.notice == ""
        decisions.set_pinned("s-1", PATH, True, 9)
        assert len(decisions.history()) == len(before) + 1


@pytest.mark.usefixtures("next_version")
def test_an_older_copy_is_never_written_over(path: Path) -> None:
    older = path.with_name("decisions.before-moods.db")
    older.write_bytes(b"all that is left of something")
    before = rows(path)
    open_database(path, NEXT).close()
    assert older.read_bytes() == b"all that is left of something"
    assert rows(path.with_name("decisions.before-moods-2.db")) == before
    assert len(copies(path)) == 2


@pytest.mark.usefixtures("next_version")
def test_without_a_copy_there_is_no_migration(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(path)
    part = path.with_name("decisions.before-moods.part")
    part.mkdir()
    with pytest.raises(OSError, match=part.name):
        open_database(path, NEXT)
    part.rmdir()
    assert rows(path) == before
    assert copies(path) == []
    part.write_bytes(b"the beginning of a copy, left by a program that was killed")
    open_database(path, NEXT).close()
    assert [rows(copy) for copy in copies(path)] == [before]


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
@pytest.mark.usefixtures("next_version")
def test_a_copy_that_does_not_fit_is_not_there(path: Path) -> None:
    import resource

    before = rows(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size // 2, hard))
    try:
        with pytest.raises(sqlite3.OperationalError):
            open_database(path, NEXT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert copies(path) == []
    assert rows(path) == before


@pytest.mark.usefixtures("next_version")
def test_of_several_programs_one_migrates(in_use: Path) -> None:
    before = rows(in_use)
    ready = threading.Barrier(4)
    failures: list[BaseException] = []

    def migrate() -> None:
        try:
            ready.wait()
            open_database(in_use, NEXT).close()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=migrate) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert rows(in_use) == [(*row, "glad") for row in before]
    assert [rows(copy) for copy in copies(in_use)] == [before]


def test_several_programs_make_one_database(tmp_path: Path) -> None:
    for attempt in range(20):
        path = tmp_path / str(attempt) / "decisions.db"
        ready = threading.Barrier(4)
        failures: list[BaseException] = []

        def make(path: Path, ready: threading.Barrier, failures: list[BaseException]) -> None:
            try:
                ready.wait()
                open_database(path, SCHEMA).close()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=make, args=(path, ready, failures)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []


def test_the_log_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite itself does not wait when it is to begin a log while another holds the file."""
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("create table t (a)")
        other.execute("begin immediate")
        monkeypatch.setattr(databases, "BUSY_MS", 20)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            open_database(path, INDEX)
        monkeypatch.setattr(databases, "BUSY_MS", 5_000)
        monkeypatch.setattr("time.sleep", lambda _: other.rollback())
        open_database(path, INDEX).close()


def test_a_database_is_read_where_it_cannot_be_written(path: Path, tmp_path: Path) -> None:
    before, names = rows(path), set(tmp_path.iterdir())
    with closing(open_to_read(path, SCHEMA)) as db:
        assert db.execute(ROWS).fetchall() == before
        assert set(tmp_path.iterdir()) == names
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.execute("insert into decisions select * from decisions")
    strange = tmp_path / os.fsdecode(b"a?b#c%20\xff.db")
    strange.write_bytes(path.read_bytes())
    with closing(open_to_read(strange, SCHEMA)) as db:
        assert db.execute(ROWS).fetchall() == before


def test_tables_of_another_version_are_not_read(path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="an older version wrote it"):
        open_to_read(path, NEXT._replace(enough=None))
    with pytest.raises(NewerDatabase):
        open_to_read(path, Schema("decisions", (), "decisions_schema"))


@pytest.mark.parametrize("schema", [SCHEMA, INDEX, DESK], ids=lambda schema: schema.name)
def test_a_schema_names_all_its_migrations(schema: Schema) -> None:
    """One that is not named makes every database one of a newer version."""
    migrations = import_module(schema.module).migrations
    with closing(Database(memory=True)) as database:
        pending = migrations.pending(database)
    assert schema.migrations == tuple(migration.name for migration in pending)
