"""WorkBuddy's data about its sessions: `workbuddy.db`, read without leaving a trace.

Renaming, archiving and deleting in the app change only this database. It belongs to the app:
nothing is written to it or created next to it, and what it does not contain is unknown.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...files.foreign_database import read_table
from ...model.process import AppSession

APP = "WorkBuddy"

COLUMNS = ("title", "custom_title", "status", "deleted_at", "last_activity_at", "model")
"""The columns to read; older databases lack some."""

_UNKNOWN = "what WorkBuddy says of its sessions may be out of date"

Stamp = tuple[tuple[int, int, int] | None, tuple[int, int, int] | None]


class Desktop:
    """The rows of one home's database, by session id; read again only if its files changed."""

    def __init__(self, home: Path) -> None:
        self.path = home / "workbuddy.db"
        self.sessions: Mapping[str, AppSession] = {}
        self.problem = ""
        """Why the rows may be out of date; "" if they are current."""
        self._stamp: Stamp | None = None

    @property
    def is_there(self) -> bool:
        """Whether the home belongs to the desktop app, which is so if it has the database."""
        return self._stamp is not None and self._stamp[0] is not None

    def refresh(self) -> bool:
        """Read the database if it changed; return whether it did."""
        stamp = (_stamp(self.path), _stamp(self.path.with_name(self.path.name + "-wal")))
        if stamp == self._stamp:
            return False
        self._stamp, self.problem = stamp, ""
        if stamp[0] is None:
            self.sessions = {}
            return True
        try:
            self.sessions = self._read()
        except (sqlite3.Error, OSError) as error:
            self.problem = f"{error}; {_UNKNOWN}"
            # A lock is released without changing the files, so retry next time.
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            ):
                self._stamp = None
        return True

    def _read(self) -> dict[str, AppSession]:
        table = read_table(self.path, "sessions", "id", COLUMNS)
        self.problem = table.problem and f"{table.problem}; {_UNKNOWN}"
        return {_text(session): _session(row) for session, *row in table.rows}


def _session(row: list[Any]) -> AppSession:
    title, custom_title, status, deleted_at, last_activity_at, model = row
    return AppSession(
        title=_text(title),
        custom_title=_text(custom_title),
        status=_text(status).lower(),
        # Rows from the cloud have -1 for "not deleted".
        deleted=isinstance(deleted_at, int) and deleted_at > 0,
        last_activity_at=last_activity_at if isinstance(last_activity_at, int) else None,
        model=_text(model),
        app=APP,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        stats = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(stats.st_mode):
        return None
    return stats.st_ino, stats.st_size, stats.st_mtime_ns
