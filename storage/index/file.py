"""The database file of the index, or its replacement if it cannot be used.

A damaged file is set aside and replaced by an empty one. A read-only file is read in place, and
copied into memory when something must be added. If another program is writing, it is waited for
once; until it releases the lock, nothing is saved.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..private.database import NO_ROOM, Schema, code, open_database, open_to_read, set_aside
from ..private.own_file import exposure

FILE = "index.db"

SCHEMA = Schema(
    "index",
    (
        "files_and_positions",
        "places_of_calls",
        "counts_and_texts",
        "seals",
        "delegations_and_descent",
        "records_told_twice",
        "parts_of_sessions",
        "calls_by_name",
        "typed_words",
        "responses_cut_off",
        "copied_prefixes",
        "times_of_prompts",
        "digests_of_records",
        "summaries_and_branches",
        "quarters_of_hours",
        "letters_composed",
        "names_of_facts",
    ),
    f"{__package__}.schema",
)

UNWRITABLE = NO_ROOM | {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
"""SQLite's codes where the disk is at fault, or who may do what there; others mean damage."""

WAIT_MS = 2_000
"""How long the first of several writers that meet another program waits for it."""


class IndexFile:
    """A connection that always answers; calls `on_loss` when stored data was lost.

    `problem` says in one sentence what went wrong; "" if nothing did.
    """

    def __init__(self, directory: Path | None, on_loss: Callable[[], object]) -> None:
        self.problem = ""
        self.is_busy = False
        """Whether another program kept the last change from being made."""
        self.is_kept = directory is not None
        """Whether what is stored is there when the program starts again."""
        self._path = directory / FILE if directory else None
        self._on_loss = on_loss
        self._was_set_aside = False
        self.db = self._open()

    def close(self) -> None:
        """Close the database."""
        self.db.close()

    def rows(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a query; none if they cannot be read."""
        try:
            return list(self.db.execute(sql, values).fetchall())
        except sqlite3.Error as error:
            self.fail(error)
            return []

    def write(self, change: Callable[[], object]) -> bool:
        """Make a change in a transaction; return whether it was made."""
        try:
            self.db.execute("begin immediate")
            change()
            self.db.commit()
        except sqlite3.Error as error:
            self.db.rollback()
            self.fail(error)
            return False
        except BaseException:
            self.db.rollback()
            raise
        self._wait(WAIT_MS, is_busy=False)
        return True

    def fail(self, error: sqlite3.Error) -> None:
        """Continue after an error with a replacement."""
        if code(error) == sqlite3.SQLITE_BUSY:
            self._wait(0, is_busy=True)
        elif code(error) not in UNWRITABLE or not self._copy_to_memory(error):
            self.db.close()
            self.db = self._begin_anew(error)
            self._on_loss()

    def _wait(self, milliseconds: int, is_busy: bool) -> None:
        """Set the time to wait for a lock; none after a timeout, until a change succeeds."""
        if is_busy != self.is_busy:
            self.is_busy = is_busy
            self.db.execute(f"pragma busy_timeout = {milliseconds}")

    def _copy_to_memory(self, error: sqlite3.Error) -> bool:
        """Switch to a copy in memory of everything stored; return whether that worked."""
        if not self.is_kept:
            return False
        copy = open_database(None, SCHEMA)
        try:
            self.db.backup(copy)
        except sqlite3.Error:
            copy.close()
            return False
        self.db.close()
        self.db = copy
        self._tell_unkept(error)
        return True

    def _begin_anew(self, error: sqlite3.Error) -> sqlite3.Connection:
        """Start with an empty database: once on disk if the old one is damaged, else in memory."""
        if self._path and self.is_kept and code(error) not in UNWRITABLE:
            return self._set_aside(self._path, error)
        self._tell_unkept(error)
        return open_database(None, SCHEMA)

    def _open(self) -> sqlite3.Connection:
        if self._path is None:
            return open_database(None, SCHEMA)
        try:
            db = self._waiting(open_database(self._path, SCHEMA))
            self.problem = exposure(self._path)
            return db
        except OSError as error:
            return self._open_to_read(self._path, error)
        except sqlite3.Error as error:
            if code(error) in UNWRITABLE or code(error) == sqlite3.SQLITE_BUSY:
                return self._open_to_read(self._path, error)
            return self._set_aside(self._path, error)

    def _open_to_read(self, path: Path, error: Exception) -> sqlite3.Connection:
        with suppress(sqlite3.Error, OSError):
            if path.is_file():
                return open_to_read(path, SCHEMA)
        self._tell_unkept(error)
        return open_database(None, SCHEMA)

    def _set_aside(self, path: Path, error: sqlite3.Error) -> sqlite3.Connection:
        self.problem = f"the index was set aside and is made anew: {error}"
        try:
            if self._was_set_aside:
                raise error
            self._was_set_aside = True
            set_aside(path)
            return self._waiting(open_database(path, SCHEMA))
        except (sqlite3.Error, OSError) as error:
            self._tell_unkept(error)
            return open_database(None, SCHEMA)

    def _waiting(self, db: sqlite3.Connection) -> sqlite3.Connection:
        db.execute(f"pragma busy_timeout = {WAIT_MS}")
        return db

    def _tell_unkept(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or error
        directory = self._path.parent if self._path else None
        self.is_kept = False
        self.problem = f"the index cannot be saved in {directory}: {reason}"
