"""The program's own databases: private, migrated, safe for several concurrent processes.

`sqlite_utils` creates and migrates the tables. It is imported only if there is something to
migrate, because that takes a third of the time allowed until the first list is on screen.
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
"""How long a writer waits for another, in milliseconds."""

NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
"""SQLite's codes if a file could not be created or extended, as on a full disk."""

_IS_TABLE = "type = 'table' and rootpage > 0"
"""A condition that is false for virtual tables."""

_PAUSE = 0.005
"""Seconds between two attempts at operations for which SQLite itself does not wait."""


class Schema(NamedTuple):
    """The tables of a database: the names of its migrations and the module that contains them."""

    name: str
    migrations: tuple[str, ...]
    module: str
    synchronous: Literal["normal", "full"] = "normal"
    keeps_backup: bool = False
    """Whether to keep a copy of the database from before each migration."""
    is_precious: bool = False
    """Whether its content exists nowhere else; an empty file is then an error, not initialised."""
    enough: int | None = None
    """Number of migrations sufficient for reading; None for all."""
    triggers: tuple[str, ...] = ()
    """The statements that create its triggers; any other trigger is foreign."""


class NewerDatabase(sqlite3.DatabaseError):
    """The database was written by a newer version of the program."""


class DamagedDatabase(sqlite3.DatabaseError):
    """The content differs from what was stored, although SQLite itself reports no error."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class EmptyDatabase(DamagedDatabase):
    """An existing file is empty, although it should contain something precious."""


def open_database(path: Path | None, schema: Schema) -> sqlite3.Connection:
    """Return a connection to an up-to-date database; in memory if `path` is None.

    Raises OSError or sqlite3.Error if it cannot be opened, NewerDatabase if it is too new.
    """
    if path is not None:
        make_own(path, (lambda: _blank(schema)) if schema.is_precious else bytes)
    conn = _connected(path or ":memory:")
    try:
        _prepare(conn, schema, path)
        return conn
    except UnicodeDecodeError as error:  # the message quotes the damaged bytes
        conn.close()
        raise DamagedDatabase("its tables are damaged") from error
    except BaseException:
        conn.close()
        raise


def open_to_read(path: Path, schema: Schema) -> sqlite3.Connection:
    """Return a connection for reading a database that may not be writable.

    Its directory may be read-only. On a full disk, where SQLite's auxiliary files cannot be
    created, it is a connection to a copy in memory. Raises OSError or sqlite3.Error if it cannot be
    read either, or not by this version.
    """
    check_own(path)
    uri = path.absolute().as_uri()
    # Without a log SQLite would create one, even if nothing is written.
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
    """Return whether the tables are of this version; raises NewerDatabase if they are newer."""
    applied = applied_migrations(conn, schema)
    if applied - set(schema.migrations):
        raise NewerDatabase("a newer version wrote it")
    _check_tables(conn, schema)
    return applied == set(schema.migrations)


def applied_migrations(conn: sqlite3.Connection, schema: Schema) -> set[str]:
    """Return the migrations applied to the database, as recorded by `sqlite_utils`."""
    found = conn.execute(f"select {_IS_TABLE} from sqlite_master where name = '_sqlite_migrations'")
    if not (kinds := found.fetchall()):
        return set()
    if not all(is_table for (is_table,) in kinds):
        raise DamagedDatabase("it has a view in place of a table")
    rows = conn.execute("select name from _sqlite_migrations where migration_set = ?", schema[:1])
    return {name for (name,) in rows.fetchall()}


def code(error: Exception) -> int:
    """Return SQLite's primary code for an error; 0 for other errors."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def set_aside(path: Path) -> None:
    """Rename a database. Its log is deleted, as it must not be replayed into the next one."""
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
    """Reject views, virtual tables and unknown triggers, which can compute forever."""
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
    """Return a copy in memory of everything committed, log included.

    A process that has exclusive access needs no shared memory, so the file for it need not be
    created.
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
    """Return an empty database with its tables."""
    with closing(_connected(":memory:")) as conn:
        _migrate(conn, schema, None)
        return conn.serialize()


def _write_ahead(conn: sqlite3.Connection) -> None:
    """Switch to write-ahead logging; if two processes do so at once, one has to retry."""
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
    """Create or migrate the tables, in one process at a time."""
    from sqlite_utils import Database

    migrations = import_module(schema.module).migrations
    conn.execute("begin immediate")
    if not is_current(conn, schema):  # no other process did it in the meantime
        if path and schema.keeps_backup:
            applied = applied_migrations(conn, schema)
            _back_up(conn, path, next(m for m in schema.migrations if m not in applied))
        migrations.apply(Database(conn, execute_plugins=False))
    conn.commit()


def _back_up(conn: sqlite3.Connection, path: Path, migration: str) -> None:
    """Copy a non-empty database, while `conn` prevents others from writing to it."""
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
    """Copy everything committed, log included, into a single file, and flush it to disk."""
    part.unlink(missing_ok=True)  # left by a program that was killed
    os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))
    # Needs its own connection: through the migrating one, the copy would be part of the
    # transaction.
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("pragma journal_mode = delete")
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _keep(part: Path, target: Path) -> None:
    """Rename a copy, numbered if need be: an older one may be all that is left of its content."""
    number, name = 1, target
    while name.exists():
        if name.read_bytes() == part.read_bytes():  # left by a migration that did not complete
            return
        number += 1
        name = target.with_stem(f"{target.stem}-{number}")
    part.replace(name)
    with suppress(PermissionError):  # Windows cannot open directories
        directory = os.open(name.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _connected(name: Path | str, uri: bool = False) -> sqlite3.Connection:
    """Return a connection that threads may share, one at a time."""
    return sqlite3.connect(
        name, uri=uri, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
