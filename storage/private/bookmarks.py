"""The user's position in each session: cursor, what was read, and when it was last viewed.

Stored in the data directory; losing it loses no decision. If it cannot be stored, it lasts until
the program ends.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .database import Schema, open_database
from .own_file import exposure

FILE = "desk.db"

SCHEMA = Schema("desk", ("bookmarks",), f"{__package__}.bookmarks_schema")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Byte offsets of records: of the cursor (None at the end), and of the last one read."""

    cursor: int | None
    read_to: int | None
    seen_at: int
    """Milliseconds since 1970."""


class Bookmarks:
    """The bookmarks of all sessions, by path of the transcript; used by one thread only.

    `now` is stored as the time of the first run, unless there is one already.
    """

    def __init__(self, directory: Path, now: int) -> None:
        self.notice = ""
        self.first_run_at = now
        self._directory = directory
        self._db: sqlite3.Connection | None = None
        if os.path.lexists(directory / FILE):
            self.open()

    def open(self) -> sqlite3.Connection:
        """Return the database; creates it if there is none, which takes a while."""
        if self._db is None:
            try:
                self._db = open_database(self._directory / FILE, SCHEMA)
                self._set_first_run(self._db)
                self.notice = exposure(self._directory / FILE)
            except (OSError, sqlite3.Error) as error:
                self.notice = f"places in sessions are not remembered: {error}"
                self._db = open_database(None, SCHEMA)
        return self._db

    def close(self) -> None:
        """Close the database."""
        if self._db is not None:
            self._db.close()

    def all(self) -> dict[Path, Bookmark]:
        """Return all bookmarks."""
        if self._db is None:
            return {}
        sql = "select path, cursor, read_to, seen_at from bookmarks"
        try:
            rows = self._db.execute(sql).fetchall()
        except sqlite3.Error as error:
            self.notice = f"places in sessions are not remembered: {error}"
            return {}
        return {Path(os.fsdecode(path)): Bookmark(*rest) for path, *rest in rows}

    def keep(self, marks: Iterable[tuple[Path, Bookmark]]) -> None:
        """Store bookmarks; if they cannot be written, discard them and set `notice`."""
        rows = [(os.fsencode(path), m.cursor, m.read_to, m.seen_at) for path, m in marks]
        db = self.open()
        try:
            db.execute("begin immediate")
            db.executemany("insert or replace into bookmarks values (?, ?, ?, ?)", rows)
            db.commit()
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                db.rollback()
            self.notice = f"places in sessions are not remembered: {error}"

    def _set_first_run(self, db: sqlite3.Connection) -> None:
        found = db.execute("select min(at) from beginning").fetchone()[0]
        if found is None:
            db.execute("insert into beginning values (?)", (self.first_run_at,))
        else:
            self.first_run_at = int(found)
