"""The file that holds the history of decisions: read incrementally, appended to, never changed.

The file is created with the first decision. Whatever is wrong with it, it is left as it is: nothing
is repaired, moved aside or started over.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from ..model.decision import Decision
from ..private.database import (
    NO_ROOM,
    DamagedDatabase,
    EmptyDatabase,
    NewerDatabase,
    Schema,
    applied_migrations,
    code,
    is_current,
    open_database,
    open_to_read,
)
from ..private.own_file import check_own, exposure
from ..text.folding import well_formed
from .count import count_path, read_count, write_count
from .rows import TRIGGERS, add_row, count_of, rows_after

FILE = "decisions.db"

SCHEMA = Schema(
    "decisions",
    ("decisions", "seals"),
    f"{__package__}.schema",
    synchronous="full",
    keeps_backup=True,
    is_precious=True,
    enough=1,
    triggers=TRIGGERS,
)

_REASONS = {
    sqlite3.SQLITE_FULL: "cannot be written, because the disk is full",
    sqlite3.SQLITE_BUSY: "is locked by another program",
    sqlite3.SQLITE_READONLY: "cannot be written, only read",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened or written",
    sqlite3.SQLITE_NOTADB: "is not a database",
    sqlite3.SQLITE_CORRUPT: "is damaged",
}
"""SQLite error codes to what is wrong with the file, as a predicate to follow its name."""

_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Error numbers for a full disk, an exceeded quota, or a file that has reached its maximum size."""

_EMPTY = "is empty: restore a copy of it, or delete it to begin a new one"

_DELETED = "was deleted while in use: start sessions again to begin a new one"


_LONGEST = 200
"""Maximum characters of an SQLite message to pass on."""


class DecisionsError(Exception):
    """Why a decision could not be stored, in one sentence."""


class _Incomplete(DamagedDatabase):
    """Decisions are missing; the message is a predicate to follow the file's name."""


class _Deleted(OSError):
    """The file was deleted while it was open."""


class News(NamedTuple):
    """Decisions not seen before; `is_anew`: all of them, because the file was reopened."""

    is_anew: bool
    decisions: list[Decision]


class History:
    """All decisions ever made, in one file shared by several programs; for use by one thread."""

    def __init__(self, directory: Path) -> None:
        self._trouble = ""
        self._misses = False
        """Whether the problem is that decisions may be missing."""
        self._gone = ""
        """A notice that this program replaced a missing file; "" if it did not."""
        self._path = directory / FILE
        self._exposure = ""
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, ...] = ()
        self._refused: tuple[int, ...] = ()
        """The stamp of the file when it could not be opened for writing."""
        self._has_no_room = False
        self._is_writable = self._is_anew = False
        self._version, self._last = -1, 0
        self._is_sealed = True
        self._rows = self._counted = self._made = 0
        """Rows read; the number of rows according to the file; and according to the count file."""
        self._damaged: list[int] = []

    @property
    def notice(self) -> str:
        """What is wrong with the file, in sentences; "" if nothing is."""
        told = [self._trouble, self._gone, self._exposure]
        if self._misses:
            pass  # anything else missing follows from that
        elif lack := self._lack():
            told.append(f"{self._path} {lack}.")
        elif self._damaged:
            told.append(f"{self._path} is damaged: {_listed(self._damaged)}.")
        return " ".join(filter(None, told))

    @property
    def is_whole(self) -> bool:
        """Whether no decision is known to be missing; if not, `notice` says why."""
        return not (self._misses or self._gone or self._damaged or self._lack())

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    @property
    def is_begun(self) -> bool:
        """Whether the file exists, or may exist."""
        try:
            return self._db is not None or bool(_stamp(self._path))
        except (OSError, sqlite3.Error):
            return True

    def look(self) -> News:
        """Return the decisions made since the last call; problems go to `notice`.

        If there are none, this costs a stat of the files and one database query.
        """
        try:
            db = self._current()
            if db is None:
                return News(False, [])
            version = db.execute("pragma data_version").fetchone()[0]
            if version == self._version:
                return News(False, [])
            news = self._news(db)
            self._version = version
            return news
        except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
            self._miss(f"{_reason(error)}; decisions stand as far as known.")
            return News(False, [])

    def decide(self, ask: Callable[[News], Decision | None]) -> Decision | None:
        """Append the decision that `ask` makes, given the latest history; durable on return.

        No other program can decide in the meantime. Returns None, with nothing added, if `ask`
        does. Nothing is added either if this raises DecisionsError.
        """
        try:
            db = self._to_write()
            db.execute("begin immediate")
            try:
                decision = ask(self._news(db))
                if lack := self._lack():
                    raise _Incomplete(lack)
                made = add_row(db, self._last + 1, decision, _person()) if decision else None
                self._check_place()
                db.commit()
            finally:
                db.rollback()
        except (OSError, sqlite3.Error) as error:
            reason = _reason(error)
            raise DecisionsError(f"Could not save the decision: {self._path} {reason}.") from error
        if made:
            self._last = made.id
            self._rows, self._counted = self._rows + 1, self._counted + 1
            write_count(self._path, self._counted)
        return made

    def all(self) -> list[Decision]:
        """Return every decision, oldest first; problems go to `notice`."""
        if self._db is None:
            return []
        try:
            return rows_after(self._db, 0, self._is_sealed).decisions
        except sqlite3.Error as error:
            self._miss(f"{_reason(error)}; the history cannot be shown.")
            return []

    def _news(self, db: sqlite3.Connection) -> News:
        is_current(db, SCHEMA)  # a newer version may have migrated it since it was opened
        rows = rows_after(db, self._last, self._is_sealed)
        is_anew, self._is_anew = self._is_anew, False
        self._last = max(self._last, rows.last)
        self._rows += len(rows)
        self._counted = count_of(db) if self._is_sealed else self._rows
        self._damaged += rows.damaged
        return News(is_anew, rows.decisions)

    def _lack(self) -> str:
        """Return how decisions were lost, as a predicate to follow the file's name; "" if none."""
        if self._rows != self._counted:
            return (
                f"is damaged: it holds {self._rows:,} decisions where {self._counted:,} were made"
            )
        if self._rows < self._made:
            return (
                f"holds {self._rows:,} decisions where {self._made:,} were made: restore a newer "
                f"copy, or delete {count_path(self._path).name} to go on with these"
            )
        return ""

    def _current(self) -> sqlite3.Connection | None:
        """Return a connection to the file now at the path; None if it cannot be read."""
        stamp = _stamp(self._path)
        if not stamp:
            if self._db is not None:
                self._miss(f"{_DELETED}; decisions stand as far as known.")
            else:
                check_own(self._path)
                self._mend()
                if made := read_count(self._path):
                    self._miss(f"is gone, although {made:,} decisions were made: restore a copy.")
        elif self._is_writable and stamp[:2] == self._file:
            self._mend()
        elif stamp != self._refused or self._has_no_room:
            self._open(stamp)
        return self._db

    def _open(self, stamp: tuple[int, ...]) -> None:
        """Open the file. If it cannot be written, reread it only when it has changed."""
        try:
            self._use(open_database(self._path, SCHEMA), True)
        except (OSError, sqlite3.Error) as error:
            if code(error) == sqlite3.SQLITE_BUSY or isinstance(error, EmptyDatabase):
                raise
            self._has_no_room = code(error) in NO_ROOM
            before, self._refused = self._refused, stamp
            if self._db is None or _growing(stamp) != _growing(before):
                self._use(open_to_read(self._path, SCHEMA), False)
                self._trouble = f"{self._path} {_reason(error)}; nothing can be decided."

    def _to_write(self) -> sqlite3.Connection:
        """Return a connection for writing; creates the file if it does not exist."""
        if self._db is not None and self._is_writable:
            stamp = _stamp(self._path)
            if not stamp or stamp[:2] == self._file:
                return self._db
        if not _stamp(self._path) and (made := read_count(self._path)):
            self._gone = f"{self._path} was gone with {made:,} decisions, and was begun anew."
            write_count(self._path, 0)
        db = open_database(self._path, SCHEMA)
        self._use(db, True)
        return db

    def _use(self, db: sqlite3.Connection, is_writable: bool) -> None:
        self.close()
        self._db, self._is_writable = db, is_writable
        self._file = _stamp(self._path)[:2]
        self._exposure = exposure(self._path)
        self._is_anew, self._version, self._last = True, -1, 0
        self._is_sealed = SCHEMA.migrations[-1] in applied_migrations(db, SCHEMA)
        # Read the count before the rows: other programs write it after theirs.
        self._made, self._rows, self._counted, self._damaged = read_count(self._path), 0, 0, []
        self._mend()

    def _miss(self, words: str) -> None:
        """Report that decisions may be missing."""
        self._trouble, self._misses = f"{self._path} {words}", True

    def _mend(self) -> None:
        self._trouble, self._misses = "", False

    def _check_place(self) -> None:
        """Reject a file that was deleted: SQLite would keep writing to it."""
        if _stamp(self._path)[:2] != self._file:
            raise _Deleted


def _stamp(path: Path) -> tuple[int, ...]:
    """Return the identity and state of the file and its write-ahead log; () if there is no file.

    Raises OSError if that cannot be determined, EmptyDatabase if the file is empty.
    """
    stamp: tuple[int, ...] = ()
    for name in (path, path.with_name(path.name + "-wal")):
        try:
            stat = name.stat()
            is_file = S_ISREG(stat.st_mode)
        except FileNotFoundError:
            break
        if stat.st_size <= 1 and is_file and name is path:  # SQLite treats a one-byte file as empty
            raise EmptyDatabase("nothing is in it")
        if not stat.st_size:  # another program is about to write to it
            break
        stamp += (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return stamp


def _growing(stamp: tuple[int, ...]) -> tuple[int, ...]:
    """Return the part of a stamp that changes with each decision, but not when others only read.

    If there is a log, decisions are written there. Whoever closes the database moves its contents
    into the file, and SQLite changes the owner of the log when the superuser opens it.
    """
    return (*stamp[:2], *stamp[5:9]) if len(stamp) > 5 else stamp


def _reason(error: Exception) -> str:
    """Return what is wrong with the file, as a predicate to follow its name."""
    if isinstance(error, NewerDatabase):
        return "was written by a newer version of this program"
    if isinstance(error, _Deleted):
        return _DELETED
    if isinstance(error, _Incomplete):
        return str(error)
    if isinstance(error, EmptyDatabase):
        return _EMPTY
    if isinstance(error, UnicodeDecodeError):
        return _REASONS[sqlite3.SQLITE_CORRUPT]
    if isinstance(error, OSError) and error.errno in _FULL:
        return _REASONS[sqlite3.SQLITE_FULL]
    if isinstance(error, OSError):
        return f"cannot be used: {error.strerror}"
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        return _REASONS[sqlite3.SQLITE_FULL]
    said = " ".join(str(error).split())  # the message may quote damaged data
    return _REASONS.get(code(error), f"cannot be used: {said[:_LONGEST]}")


def _person() -> str:
    # Imported late: only needed to decide.
    from getpass import getuser
    from socket import gethostname

    try:
        user = getuser()
    except (ImportError, KeyError, OSError):
        user = "unknown"
    return well_formed(f"{user}@{gethostname()}")


def _listed(ids: list[int]) -> str:
    """Return a phrase naming the decisions that have changed."""
    named = ", ".join(map(str, ids[:5])) + (", …" if len(ids) > 5 else "")
    if len(ids) == 1:
        return f"decision {named} has changed on the disk and does not count"
    return f"{len(ids):,} decisions ({named}) have changed on the disk and do not count"
