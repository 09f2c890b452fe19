"""Read databases of other programs without leaving a trace, within bounds on time and memory.

Only ordinary tables are read: a view or virtual table may compute rows forever.
"""

from __future__ import annotations

import sqlite3
import stat
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE = 0.05
"""Seconds to wait for a locked database; the caller retries soon."""

ROWS, BYTES, LONGEST = 100_000, 32 << 20, 1 << 20
"""Limits: rows of a table, characters in total, and bytes of a single value."""

STEPS, AT_ONCE = 20_000_000, 1_000
"""Limit on SQLite instructions per database, and how many run between two checks."""

SECONDS = 5.0
"""Limit on the time to read a database, in seconds; ample for the slowest disk."""

_COMPANIONS = ("-wal", "-shm", "-journal")


class Table(NamedTuple):
    """The rows of a table, as far as they could be read."""

    rows: list[tuple[Any, ...]]
    problem: str = ""
    """Why rows are missing, as the end of a sentence; "" if none are."""


def read_table(path: Path, table: str, key: str, columns: Sequence[str]) -> Table:
    """Return a key and columns of each row; a missing column gives None.

    Raises sqlite3.Error, with a message that continues a sentence, if nothing can be read.
    """
    try:
        return _read(path, table, key, columns)
    except UnicodeDecodeError as error:  # the message quotes the damaged bytes
        raise sqlite3.DatabaseError("its tables are damaged") from error


def _read(path: Path, table: str, key: str, columns: Sequence[str]) -> Table:
    with closing(_connected(path)) as database:
        bounds = _Bounds()
        database.set_progress_handler(bounds.are_passed, AT_ONCE)
        have = _columns(database, table)
        if key not in have:
            raise sqlite3.DatabaseError(f"its table {table} has no column {key}")
        wanted = [f'"{name}"' if name in have else "NULL" for name in (key, *columns)]
        found = database.execute(f'SELECT {", ".join(wanted)} FROM "{table}" LIMIT {ROWS + 1}')
        return _bounded(found)


def _connected(path: Path) -> sqlite3.Connection:
    """Open a connection that neither creates nor modifies a file.

    An ordinary read-only connection creates `-wal` and `-shm` next to a closed database, and sets
    read marks in the `-shm` of a live one, which `readonly_shm` prevents.
    """
    beside = {suffix: path.with_name(path.name + suffix) for suffix in _COMPANIONS}
    for file in (path, *beside.values()):
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(file.stat().st_mode):  # opening a pipe would wait for its writer
                raise sqlite3.DatabaseError(f"{file.name} is not an ordinary file")
    is_live = beside["-wal"].exists() and beside["-shm"].exists()
    options = "mode=ro&readonly_shm=1" if is_live else "mode=ro&immutable=1"
    database = sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, timeout=PATIENCE)
    database.text_factory = _decoded
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    database.execute("PRAGMA trusted_schema=OFF")
    return database


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    """Return the names of a table's columns, without computed ones."""
    sql = "SELECT type = 'table' AND rootpage > 0 FROM sqlite_master WHERE name = ? COLLATE NOCASE"
    found = database.execute(sql, (table,)).fetchall()
    if not found:
        raise sqlite3.DatabaseError(f"it has no table {table}")
    if not all(is_ordinary for (is_ordinary,) in found):
        raise sqlite3.DatabaseError(f"its {table} is not an ordinary table")
    return {row[1] for row in database.execute(f'PRAGMA table_info("{table}")')}


class _Bounds:
    """The work that one database may still cause."""

    def __init__(self) -> None:
        self._left = STEPS
        self._end = time.monotonic() + SECONDS

    def are_passed(self) -> bool:
        """Called every `AT_ONCE` instructions; return whether to stop."""
        self._left -= AT_ONCE
        return self._left < 0 or time.monotonic() > self._end


def _bounded(found: sqlite3.Cursor) -> Table:
    """Return the rows up to the first limit exceeded."""
    rows: list[tuple[Any, ...]] = []
    size = 0
    try:
        for row in found:
            size += sum(len(value) for value in row if isinstance(value, str | bytes))
            if len(rows) == ROWS or size > BYTES:
                return Table(rows, f"only its first {len(rows):,} rows are read")
            rows.append(row)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
            raise
        return Table(rows, "reading it takes too long")
    return Table(rows)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
