"""The database that the index lives in, or what stands in for it where that cannot be used.

What is damaged is set aside and begun anew. What cannot be written is read where it is, and copied
into memory once there is something to add. One that another program is writing to is waited for
once; until that lets go, nothing is kept.
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
    """A connection that always answers; `on_loss` hears that what was stored is not there any more.

    `problem` says in a sentence what went wrong, "" if nothing did.
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
        """What a query finds; nothing where that cannot be read."""
        try:
            return list(self.db.execute(sql, values).fetchall())
        except sqlite3.Error as error:
            self.fail(error)
            return []

    def write(self, change: Callable[[], object]) -> bool:
        """Make a change, whole or not at all; whether it was made."""
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
        """Go on after an error with what can be used instead."""
        if code(error) == sqlite3.SQLITE_BUSY:
            self._wait(0, is_busy=True)
        elif code(error) not in UNWRITABLE or not self._copy_to_memory(error):
            self.db.close()
            self.db = self._begin_anew(error)
            self._on_loss()

    def _wait(self, milliseconds: int, is_busy: bool) -> None:
        """After a wait that was in vain, changes are tried without one until one succeeds."""
        if is_busy != self.is_busy:
            self.is_busy = is_busy
            self.db.execute(f"pragma busy_timeout = {milliseconds}")

    def _copy_to_memory(self, error: sqlite3.Error) -> bool:
        """Go on with a copy in memory of all that is stored; whether there is one."""
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
        """An empty database: on the disk where the old one is damaged, once; else in memory."""
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
