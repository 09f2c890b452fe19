"""What WorkBuddy's desktop app knows of its sessions: `workbuddy.db`, read without a trace.

Renaming, archiving and deleting in the app change only this database. It is the app's: nothing
is written to it or made beside it, and whatever it does not tell is simply not known.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLUMNS = ("title", "custom_title", "status", "deleted_at", "last_activity_at", "model")
"""Those that are wanted; older databases lack some."""

PATIENCE = 0.05
"""Seconds to wait for a locked database; it is asked again soon."""

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

    def refresh(self) -> bool:
        """Read what changed since; whether there was anything to read."""
        stamp = (_stamp(self.path), _stamp(self._wal))
        if stamp == self._stamp:
            return False
        self._stamp, self.problem = stamp, ""
        if stamp[0] is None:
            self.sessions = {}
            return True
        try:
            self.sessions = self._read()
        except sqlite3.Error as error:
            self.problem = f"{error}; what WorkBuddy says of its sessions may be out of date"
            # A lock goes away without changing the files: ask again next time.
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            ):
                self._stamp = None
        return True

    @property
    def _wal(self) -> Path:
        return self.path.with_name(self.path.name + "-wal")

    def _read(self) -> dict[str, DesktopSession]:
        with closing(self._connect()) as database:
            have = {row[1] for row in database.execute("PRAGMA table_info(sessions)")}
            if "id" not in have:
                raise sqlite3.DatabaseError("it has no sessions of WorkBuddy's")
            wanted = [f'"{name}"' if name in have else "NULL" for name in COLUMNS]
            rows = database.execute(f"SELECT id, {', '.join(wanted)} FROM sessions")
            return {_text(session): _session(row) for session, *row in rows}

    def _connect(self) -> sqlite3.Connection:
        # A plain read-only connection makes `-wal` and `-shm` beside a closed database, and
        # writes its marks into `-shm` of a live one: `readonly_shm` keeps even that from it.
        live = self._wal.exists() and self.path.with_name(self.path.name + "-shm").exists()
        options = "mode=ro&readonly_shm=1" if live else "mode=ro&immutable=1"
        uri = f"{self.path.absolute().as_uri()}?{options}"
        database = sqlite3.connect(uri, uri=True, timeout=PATIENCE)
        database.text_factory = _decode
        return database


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


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        stats = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(stats.st_mode):
        return None
    return stats.st_ino, stats.st_size, stats.st_mtime_ns
