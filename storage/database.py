"""Databases of our own: opened private, brought up to date, safe with several programs running.

`sqlite_utils` makes and migrates the tables. It is imported only where there is something to
migrate: that takes a third of the time in which the first list is to be on screen.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple

BUSY_MS = 5_000
"""How long a writer waits for another."""


class Schema(NamedTuple):
    """The tables of a database: the names of its migrations and the module that holds them."""

    name: str
    migrations: tuple[str, ...]
    module: str
    synchronous: Literal["normal", "full"] = "normal"


class NewerDatabase(sqlite3.DatabaseError):
    """The database was written by a version that knows more than this one."""


def open_database(path: Path | None, schema: Schema) -> sqlite3.Connection:
    """A connection to an up-to-date database, in memory without a path.

    Raises OSError or sqlite3.Error where it cannot be opened, NewerDatabase where it is newer.
    """
    if path is not None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Only where it is new: to close a file of a database takes away the locks of its process.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    conn = sqlite3.connect(path or ":memory:", timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        _prepare(conn, schema)
        return conn
    except BaseException:
        conn.close()
        raise


def set_aside(path: Path) -> None:
    """Move a database out of the way. Its log must not be played back into the next one."""
    path.replace(path.with_suffix(".broken"))
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _prepare(conn: sqlite3.Connection, schema: Schema) -> None:
    conn.execute(f"pragma busy_timeout = {BUSY_MS}")
    conn.execute("pragma journal_mode = wal")
    conn.execute(f"pragma synchronous = {schema.synchronous}")
    conn.execute("pragma foreign_keys = on")
    conn.execute("pragma secure_delete = off")
    applied = _applied(conn, schema)
    if applied - set(schema.migrations):
        raise NewerDatabase("a newer version wrote it")
    if applied != set(schema.migrations):
        _migrate(conn, schema)


def _applied(conn: sqlite3.Connection, schema: Schema) -> set[str]:
    """The migrations that the database went through, as `sqlite_utils` keeps them."""
    tables = conn.execute("select 1 from sqlite_master where name = '_sqlite_migrations'")
    if not tables.fetchone():
        return set()
    rows = conn.execute("select name from _sqlite_migrations where migration_set = ?", schema[:1])
    return {name for (name,) in rows.fetchall()}


def _migrate(conn: sqlite3.Connection, schema: Schema) -> None:
    """Make the tables, one program at a time."""
    from sqlite_utils import Database

    migrations = import_module(f"{__package__}.{schema.module}").migrations
    conn.execute("begin immediate")
    migrations.apply(Database(conn, execute_plugins=False))
    conn.commit()
