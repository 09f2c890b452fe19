"""The history of decisions in its file: read on from where one was, added to, never changed.

The file is made with the first decision. Whatever is wrong with it, it stays as it is: nothing
is repaired, set aside or begun anew.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from .database import NO_ROOM, NewerDatabase, Schema, code, is_current, open_database, open_to_read
from .decision import Decision
from .own_file import check_own, exposure
from .text import well_formed

FILE = "decisions.db"

SCHEMA = Schema(
    "decisions", ("decisions",), "decisions_schema", synchronous="full", keeps_backup=True
)

_COLUMNS = "at, by, kind, session, subject, path, sha256, undoes, value"

_REASONS = {
    sqlite3.SQLITE_FULL: "cannot be written, because the disk is full",
    sqlite3.SQLITE_BUSY: "is locked by another program",
    sqlite3.SQLITE_READONLY: "cannot be written, only read",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened or written",
    sqlite3.SQLITE_NOTADB: "is not a database",
    sqlite3.SQLITE_CORRUPT: "is damaged",
}
"""What is wrong with the file, by SQLite's code, as it goes on after the file's name."""

_DELETED = "was deleted while in use: start sessions again to begin a new one"


class DecisionsError(Exception):
    """Why a decision could not be kept, in one sentence."""


class _Deleted(OSError):
    """The file is nowhere any more, though it is open."""


class News(NamedTuple):
    """Decisions not known before; `is_anew`: all there are, since the file was opened anew."""

    is_anew: bool
    decisions: list[Decision]


class History:
    """All decisions ever made, in one file that several programs add to; used by one thread.

    `notice` says in a sentence what is wrong with the file, "" if nothing is; `is_whole` is False
    while it says that decisions may be missing.
    """

    def __init__(self, directory: Path) -> None:
        self.notice = ""
        self.is_whole = True
        self._path = directory / FILE
        self._exposure = ""
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, ...] = ()
        self._refused: tuple[int, ...] = ()
        """How the file looked when it could at most be read."""
        self._has_no_room = False
        self._is_writable = self._is_anew = False
        self._version, self._last = -1, 0

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    @property
    def is_begun(self) -> bool:
        """Whether there is, or may be, a file."""
        try:
            return self._db is not None or bool(_stamp(self._path))
        except OSError:
            return True

    def look(self) -> News:
        """What was decided since the last look; trouble becomes the notice.

        Where nothing was, that is one question to the system and one to the database.
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
        except (OSError, sqlite3.Error) as error:
            self._miss(f"{_reason(error)}; decisions stand as far as known.")
            return News(False, [])

    def decide(self, ask: Callable[[News], Decision | None]) -> Decision | None:
        """Add what `ask` says in view of all that was decided before; it is durable then.

        Meanwhile no other program decides. Raises DecisionsError, and nothing was added.
        """
        try:
            db = self._to_write()
            db.execute("begin immediate")
            try:
                decision = ask(self._news(db))
                made = self._add(db, decision) if decision else None
                self._check_place()
                db.commit()
            finally:
                db.rollback()
        except (OSError, sqlite3.Error) as error:
            reason = _reason(error)
            raise DecisionsError(f"The decision was not kept: {self._path} {reason}.") from error
        self._last = made.id if made else self._last
        return made

    def all(self) -> list[Decision]:
        """Every decision, oldest first; trouble becomes the notice."""
        if self._db is None:
            return []
        sql = f"select id, {_COLUMNS} from decisions order by id"
        try:
            return [_decision(*row) for row in self._db.execute(sql).fetchall()]
        except sqlite3.Error as error:
            self._miss(f"{_reason(error)}; the history cannot be shown.")
            return []

    def _news(self, db: sqlite3.Connection) -> News:
        is_current(db, SCHEMA)  # a newer version may have come since it was opened
        sql = f"select id, {_COLUMNS} from decisions where id > ? order by id"
        rows = db.execute(sql, (self._last,)).fetchall()
        is_anew, self._is_anew = self._is_anew, False
        self._last = rows[-1][0] if rows else self._last
        return News(is_anew, [_decision(*row) for row in rows])

    def _add(self, db: sqlite3.Connection, decision: Decision) -> Decision:
        row = (
            decision.at,
            _person(),
            decision.kind,
            decision.session,
            decision.subject,
            _encoded(decision.path),
            decision.sha256,
            decision.undoes,
            orjson.dumps(decision.value).decode(),
        )
        sql = f"insert into decisions ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) returning id"
        return _decision(db.execute(sql, row).fetchone()[0], *row)

    def _current(self) -> sqlite3.Connection | None:
        """A connection to the file that lies there now, if one does that can be read."""
        stamp = _stamp(self._path)
        if not stamp:
            if self._db is not None:
                self._miss(f"{_DELETED}; decisions stand as far as known.")
            else:
                check_own(self._path)
                self._mend()
        elif self._is_writable and stamp[:2] == self._file:
            self._mend()
        elif stamp != self._refused or self._has_no_room:
            self._open(stamp)
        return self._db

    def _open(self, stamp: tuple[int, ...]) -> None:
        """Use the file; one that takes no decisions is read again only where it has changed."""
        try:
            self._use(open_database(self._path, SCHEMA), True)
        except (OSError, sqlite3.Error) as error:
            if code(error) == sqlite3.SQLITE_BUSY:
                raise
            self._has_no_room = code(error) in NO_ROOM
            before, self._refused = self._refused, stamp
            if self._db is None or _growing(stamp) != _growing(before):
                self._use(open_to_read(self._path, SCHEMA), False)
                self.notice = f"{self._path} {_reason(error)}; nothing can be decided."

    def _to_write(self) -> sqlite3.Connection:
        """A connection that takes decisions; the file is made where there never was one."""
        if self._db is not None and self._is_writable:
            stamp = _stamp(self._path)
            if not stamp or stamp[:2] == self._file:
                return self._db
        db = open_database(self._path, SCHEMA)
        self._use(db, True)
        return db

    def _use(self, db: sqlite3.Connection, is_writable: bool) -> None:
        self.close()
        self._db, self._is_writable = db, is_writable
        self._file = _stamp(self._path)[:2]
        self._exposure = exposure(self._path)
        self._is_anew, self._version, self._last = True, -1, 0
        self._mend()

    def _miss(self, words: str) -> None:
        """Say that decisions may be missing."""
        self.notice, self.is_whole = f"{self._path} {words}", False

    def _mend(self) -> None:
        self.notice, self.is_whole = self._exposure, True

    def _check_place(self) -> None:
        """Refuse a file that was deleted: SQLite would go on writing to it."""
        if _stamp(self._path)[:2] != self._file:
            raise _Deleted


def _stamp(path: Path) -> tuple[int, ...]:
    """Which file it is, and how it and its log look; empty where there is none, or nothing in it.

    Raises OSError where that cannot be told.
    """
    stamp: tuple[int, ...] = ()
    for name in (path, path.with_name(path.name + "-wal")):
        try:
            stat = name.stat()
        except FileNotFoundError:
            break
        if not stat.st_size:  # another program is about to make it, or to write to its log
            break
        stamp += (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return stamp


def _growing(stamp: tuple[int, ...]) -> tuple[int, ...]:
    """What of a stamp changes with every decision, and not with every program that looks.

    Where there is a log, decisions go there. Whoever closes the file moves what fits from there
    into it, and SQLite sets the owner of the log when the superuser opens it.
    """
    return (*stamp[:2], *stamp[5:9]) if len(stamp) > 5 else stamp


def _reason(error: Exception) -> str:
    """What is wrong with the file, as it goes on after the file's name."""
    if isinstance(error, NewerDatabase):
        return "was written by a newer version of this program"
    if isinstance(error, _Deleted):
        return _DELETED
    if isinstance(error, OSError):
        return f"cannot be used: {error.strerror}"
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        return _REASONS[sqlite3.SQLITE_FULL]
    return _REASONS.get(code(error), f"cannot be used: {error}")


def _person() -> str:
    # Imported late: only a decision needs them.
    from getpass import getuser
    from socket import gethostname

    try:
        user = getuser()
    except (ImportError, KeyError, OSError):
        user = "unknown"
    return well_formed(f"{user}@{gethostname()}")


def _encoded(path: Path) -> bytes:
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:  # no file can have that name
        return os.fsencode(well_formed(str(path)))


def _decision(id: int, *row: Any) -> Decision:
    at, by, kind, session, subject, path, sha256, undoes, value = row
    what = None
    with suppress(orjson.JSONDecodeError):  # written by hand; makes no sense and does not count
        what = orjson.loads(value)
    place = Path(os.fsdecode(path))
    return Decision(id, at, by, kind, session, subject, place, sha256, undoes, what)
