"""Where a person was in each session: cursor, what was read, and when it was last looked at.

Kept in the data directory; losing it loses no decision. Where it cannot be kept, it lasts as
long as the program.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlite_utils import Database, Migrations

from .places import make_private

FILE = "desk.db"

migrations = Migrations("desk")


@migrations()
def bookmarks(db: Database) -> None:
    """One row a session that was looked at, and when the program was first run."""
    db.execute(
        """create table bookmarks (
            path blob primary key,
            cursor integer,
            read_to integer,
            seen_at integer not null
        ) strict"""
    )
    db.execute("create table beginning (at integer not null) strict")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Byte offsets of records: where the cursor stood, None for the end; the last one seen."""

    cursor: int | None
    read_to: int | None
    seen_at: int
    """Milliseconds since 1970."""


class Bookmarks:
    """The bookmarks of all sessions, by path of the transcript; used by one thread.

    `now` counts as the first run where there was none before.
    """

    def __init__(self, directory: Path, now: int) -> None:
        self.notice = ""
        try:
            self._db = _open(directory)
            self.first_run_at = self._first_run(now)
        except (OSError, sqlite3.Error) as error:
            self.notice = f"places in sessions are not remembered: {error}"
            self._db = _prepare(sqlite3.connect(":memory:", isolation_level=None))
            self.first_run_at = self._first_run(now)

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def all(self) -> dict[Path, Bookmark]:
        """Every bookmark."""
        rows = self._db.execute("select path, cursor, read_to, seen_at from bookmarks").fetchall()
        return {Path(os.fsdecode(path)): Bookmark(*rest) for path, *rest in rows}

    def keep(self, marks: Iterable[tuple[Path, Bookmark]]) -> None:
        """Set bookmarks; what cannot be written is let go, with a notice."""
        rows = [(os.fsencode(path), m.cursor, m.read_to, m.seen_at) for path, m in marks]
        try:
            self._db.execute("begin immediate")
            self._db.conn.executemany("insert or replace into bookmarks values (?, ?, ?, ?)", rows)
            self._db.conn.commit()
        except sqlite3.Error as error:
            self._db.conn.rollback()
            self.notice = f"places in sessions are not remembered: {error}"

    def _first_run(self, now: int) -> int:
        found = self._db.execute("select min(at) from beginning").fetchone()[0]
        if found is None:
            self._db.execute("insert into beginning values (?)", (now,))
        return now if found is None else int(found)


def _open(directory: Path) -> Database:
    path = make_private(directory) / FILE
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return _prepare(sqlite3.connect(path, timeout=5, isolation_level=None))


def _prepare(connection: sqlite3.Connection) -> Database:
    db = Database(connection, execute_plugins=False)
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = normal")
    migrations.apply(db)
    return db
