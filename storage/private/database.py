"""Databases of our own: opened private, brought up to date, safe with several programs running.

`sqlite_utils` makes and migrates the tables. It is imported only where there is something to
migrate: that takes a third of the time in which the first list is to be on screen.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple

from .own_file import check_own, make_own

BUSY_MS = 5_000
"""How long a writer waits for another."""

NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
"""SQLite's codes where a file could not be made or grow, as on a full disk."""

_IS_TABLE = "type = 'table' and rootpage > 0"
"""A condition that virtual tables do not meet."""

_PAUSE = 0.005
"""Seconds between two attempts at what SQLite does not wait for by itself."""


class Schema(NamedTuple):
    """The tables of a database: the names of its migrations and the module that holds them."""

    name: str
    migrations: tuple[str, ...]
    module: str
    synchronous: Literal["normal", "full"] = "normal"
    keeps_backup: bool = False
    """Whether a copy is kept of the database as it was before its tables were changed."""
    is_precious: bool = False
    """Whether it holds what is nowhere else: then an empty file is not begun anew."""
    enough: int | None = None
    """With how many of its migrations it can be read, where it is fewer than all."""
    triggers: tuple[str, ...] = ()
    """The statements that create its triggers; any other would be somebody else's."""


class NewerDatabase(sqlite3.DatabaseError):
    """The database was written by a version that knows more than this one."""


class DamagedDatabase(sqlite3.DatabaseError):
    """What is stored is not what was, where SQLite itself does not say so."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class EmptyDatabase(DamagedDatabase):
    """There is a file, and nothing in it, where something precious was."""


def open_database(path: Path | None, schema: Schema) -> sqlite3.Connection:
    """A connection to an up-to-date database, in memory without a path.

    Raises OSError or sqlite3.Error where it cannot be opened, NewerDatabase where it is newer.
    """
    if path is not None:
        make_own(path, (lambda: _blank(schema)) if schema.is_precious else bytes)
    conn = _connected(path or ":memory:")
    try:
        _prepare(conn, schema, path)
        return conn
    except UnicodeDecodeError as error:  # SQLite's own words quote what is damaged
        conn.close()
        raise DamagedDatabase("its tables are damaged") from error
    except BaseException:
        conn.close()
        raise


def open_to_read(path: Path, schema: Schema) -> sqlite3.Connection:
    """A connection to read a database that cannot be written: the directory may be read-only.

    On a full disk the files beside it cannot be made; then it is one to a copy in memory.
    Raises OSError or sqlite3.Error where it cannot be read either, or not by this version.
    """
    check_own(path)
    uri = path.absolute().as_uri()
    # Without a log SQLite wants to make one, even where nothing is written.
    how = "mode=ro&immutable=1" if _has_no_log(path) else "mode=ro"
    try:
        return _checked(_connect(f"{uri}?{how}"), schema)
    except sqlite3.OperationalError as error:
        if code(error) not in NO_ROOM:
            raise
        with suppress(sqlite3.OperationalError):
            return _checked(_copied(uri), schema)
        raise


def is_current(conn: sqlite3.Connection, schema: Schema) -> bool:
    """Whether the tables are those of this version; raises NewerDatabase where they are newer."""
    applied = applied_migrations(conn, schema)
    if applied - set(schema.migrations):
        raise NewerDatabase("a newer version wrote it")
    _check_tables(conn, schema)
    return applied == set(schema.migrations)


def applied_migrations(conn: sqlite3.Connection, schema: Schema) -> set[str]:
    """The migrations that the database went through, as `sqlite_utils` keeps them."""
    found = conn.execute(f"select {_IS_TABLE} from sqlite_master where name = '_sqlite_migrations'")
    if not (kinds := found.fetchall()):
        return set()
    if not all(is_table for (is_table,) in kinds):
        raise DamagedDatabase("it has a view in place of a table")
    rows = conn.execute("select name from _sqlite_migrations where migration_set = ?", schema[:1])
    return {name for (name,) in rows.fetchall()}


def code(error: Exception) -> int:
    """SQLite's primary code for an error; 0 for other errors."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def set_aside(path: Path) -> None:
    """Move a database out of the way. Its log must not be played back into the next one."""
    path.replace(path.with_suffix(".broken"))
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(name: str) -> sqlite3.Connection:
    return _connected(name, uri=True)


def _checked(conn: sqlite3.Connection, schema: Schema) -> sqlite3.Connection:
    try:
        if not is_current(conn, schema) and not _is_readable(conn, schema):
            raise sqlite3.OperationalError("an older version wrote it")
        return conn
    except UnicodeDecodeError as error:
        conn.close()
        raise DamagedDatabase("its tables are damaged") from error
    except BaseException:
        conn.close()
        raise


def _is_readable(conn: sqlite3.Connection, schema: Schema) -> bool:
    needed = set(schema.migrations[: schema.enough])
    return bool(needed) and needed <= applied_migrations(conn, schema)


def _check_tables(conn: sqlite3.Connection, schema: Schema) -> None:
    """Refuse views, virtual tables and strange triggers: they compute, for ever if they like."""
    sql = f"select type, sql, {_IS_TABLE} from sqlite_master where type <> 'index'"
    triggers = {_normal(trigger) for trigger in schema.triggers}
    for kind, statement, is_table in conn.execute(sql).fetchall():
        if not is_table and (kind != "trigger" or _normal(statement or "") not in triggers):
            raise DamagedDatabase(f"it has a {kind} that this program did not create")


def _normal(statement: str) -> str:
    return " ".join(statement.casefold().split())


def _has_no_log(path: Path) -> bool:
    try:
        return not path.with_name(path.name + "-wal").stat().st_size
    except FileNotFoundError:
        return True


def _copied(uri: str) -> sqlite3.Connection:
    """A copy in memory of all that is committed, log included.

    A program that has the file for itself needs no shared memory, so none has to be made.
    """
    copy = _connect(":memory:")
    try:
        with closing(_connect(f"{uri}?mode=rw")) as source:
            source.execute("pragma locking_mode = exclusive")
            source.backup(copy)
        return copy
    except BaseException:
        copy.close()
        raise


def _prepare(conn: sqlite3.Connection, schema: Schema, path: Path | None) -> None:
    conn.execute(f"pragma busy_timeout = {BUSY_MS}")
    _write_ahead(conn)
    conn.execute(f"pragma synchronous = {schema.synchronous}")
    conn.execute("pragma foreign_keys = on")
    conn.execute("pragma secure_delete = off")
    if not is_current(conn, schema):
        if path and schema.is_precious and not applied_migrations(conn, schema):
            raise EmptyDatabase("it has no tables")
        _migrate(conn, schema, path)


def _blank(schema: Schema) -> bytes:
    """A database with its tables and nothing in them."""
    with closing(_connected(":memory:")) as conn:
        _migrate(conn, schema, None)
        return conn.serialize()


def _write_ahead(conn: sqlite3.Connection) -> None:
    """Switch to a log, or find that it was done. Of two that switch at once, one has to retry."""
    end = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            conn.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(_PAUSE)


def _migrate(conn: sqlite3.Connection, schema: Schema, path: Path | None) -> None:
    """Make the tables, one program at a time."""
    from sqlite_utils import Database

    migrations = import_module(schema.module).migrations
    conn.execute("begin immediate")
    if not is_current(conn, schema):  # nobody else did it meanwhile
        if path and schema.keeps_backup:
            applied = applied_migrations(conn, schema)
            _back_up(conn, path, next(m for m in schema.migrations if m not in applied))
        migrations.apply(Database(conn, execute_plugins=False))
    conn.commit()


def _back_up(conn: sqlite3.Connection, path: Path, migration: str) -> None:
    """Copy a database that holds something, while `conn` keeps others from writing to it."""
    if not conn.execute("select 1 from sqlite_master").fetchone():
        return
    target = path.with_name(f"{path.stem}.before-{migration}.db")
    part = target.with_suffix(".part")
    try:
        _copy(path, part)
        _keep(part, target)
    finally:
        part.unlink(missing_ok=True)


def _copy(path: Path, part: Path) -> None:
    """Copy what is committed, log included, into one file that is on the disk afterwards."""
    part.unlink(missing_ok=True)  # of a program that was killed
    os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))
    # A connection of its own: to the one that migrates, the copy would be a part of its work.
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("pragma journal_mode = delete")
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _keep(part: Path, target: Path) -> None:
    """Give a copy its name, or a numbered one: another may be all that is left of what it holds."""
    number, name = 1, target
    while name.exists():
        if name.read_bytes() == part.read_bytes():  # of a migration that did not come to its end
            return
        number += 1
        name = target.with_stem(f"{target.stem}-{number}")
    part.replace(name)
    with suppress(PermissionError):  # Windows opens no directory
        directory = os.open(name.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _connected(name: Path | str, uri: bool = False) -> sqlite3.Connection:
    """A connection that one thread after another may use."""
    return sqlite3.connect(
        name, uri=uri, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
