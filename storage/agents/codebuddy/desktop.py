"""What WorkBuddy's desktop app knows of its sessions: `workbuddy.db`, read without a trace.

Renaming, archiving and deleting in the app change only this database. It is the app's: nothing
is written to it or made beside it, and whatever it does not tell is simply not known.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...files.foreign_database import read_table

COLUMNS = ("title", "custom_title", "status", "deleted_at", "last_activity_at", "model")
"""Those that are wanted; older databases lack some."""

_UNKNOWN = "what WorkBuddy says of its sessions may be out of date"

Stamp = tuple[tuple[int, int, int] | None, tuple[int, int, int] | None]


@dataclass(frozen=True, slots=True)
class DesktopSession:
    """A session's row in the app; times are milliseconds since 1970."""

    title: str = ""
    custom_title: str = ""
    status: str = ""
    """As the app writes it, in lower case: working, completed, archived, terminated …"""
    deleted: bool = False
    last_activity_at: int | None = None
    model: str = ""

    @property
    def archived(self) -> bool:
        """Whether the person put it away in the app."""
        return self.status == "archived"


class Desktop:
    """The rows of one home's database, by session id; read again only when its files changed."""

    def __init__(self, home: Path) -> None:
        self.path = home / "workbuddy.db"
        self.sessions: Mapping[str, DesktopSession] = {}
        self.problem = ""
        """Why nothing newer is known; "" where all is."""
        self._stamp: Stamp | None = None

    @property
    def is_there(self) -> bool:
        """Whether the home is the desktop app's: it has such a database."""
        return self._stamp is not None and self._stamp[0] is not None

    def refresh(self) -> bool:
        """Read what changed since; whether there was anything to read."""
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
            # A lock goes away without changing the files: ask again next time.
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            ):
                self._stamp = None
        return True

    def _read(self) -> dict[str, DesktopSession]:
        table = read_table(self.path, "sessions", "id", COLUMNS)
        self.problem = table.problem and f"{table.problem}; {_UNKNOWN}"
        return {_text(session): _session(row) for session, *row in table.rows}


def _session(row: list[Any]) -> DesktopSession:
    title, custom_title, status, deleted_at, last_activity_at, model = row
    return DesktopSession(
        title=_text(title),
        custom_title=_text(custom_title),
        status=_text(status).lower(),
        # Rows that came from the cloud say -1 for "not deleted".
        deleted=isinstance(deleted_at, int) and deleted_at > 0,
        last_activity_at=last_activity_at if isinstance(last_activity_at, int) else None,
        model=_text(model),
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
