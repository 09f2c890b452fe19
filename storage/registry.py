"""The processes that agents say they are: `<home>/sessions/<pid>.json`, read with distrust.

A crash leaves the file behind, its pid may belong to another program by now, and a synced home
brings files of other machines. So a process counts as alive only where all of this was checked.
A file that is just being written says nothing yet, so what it last said holds.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

HEARTBEAT = 60_000
"""Milliseconds after which a heartbeat is no longer fresh."""

LOST = 15 * 60_000
"""Milliseconds after which a heartbeat is given up where the pid may be another program's."""

SLACK = 10_000
"""Milliseconds by which clocks may disagree on when a process started."""

LARGEST = 1_000_000
"""Bytes of a registry file; a longer one is none."""

SECONDS = 10**11
"""Below this a time is in seconds: milliseconds were there in 1973, seconds will be in 5138."""

Life = Literal["alive", "dead", "silent", "elsewhere"]


@dataclass(frozen=True, slots=True)
class Process:
    """An agent's process as its registry file and this machine tell. Times are milliseconds.

    `silent`: the pid is there, without a fresh heartbeat. `elsewhere`: on another host.
    """

    pid: int
    session: str
    """Its session; "" where the file was never seen whole."""
    life: Life
    heartbeat_at: int
    started_at: int | None = None
    host: str = ""
    cwd: str = ""
    url: str = ""

    @property
    def is_attached(self) -> bool:
        """Whether it certainly runs on this machine."""
        return self.life == "alive"


@dataclass(frozen=True, slots=True)
class _Entry:
    """One registry file as it was when last looked at."""

    stamp: tuple[int, int, int]
    said: Process | None


class Registry:
    """The registry of one home. Reading it again costs one listing and what changed."""

    def __init__(self, home: Path, host: str | None = None) -> None:
        self.folder = home / "sessions"
        self.exists = False
        self._host = _short(host if host is not None else socket.gethostname())
        self._entries: dict[str, _Entry] = {}
        self._sessions: dict[str, list[Process]] = {}
        self._looks: dict[int, tuple[bool, int | None]] = {}
        """Whether a process is there, and since when, as looked up since the last refresh."""
        self._left: set[str] = set()

    def refresh(self) -> bool:
        """Look at the files again, and later at the processes; whether the files changed."""
        before = self._entries
        self._looks.clear()
        self._entries = self._read()
        if self._entries == before:
            return False
        left = self._left | self._sessions.keys()
        self._sessions = {}
        for entry in self._entries.values():
            if entry.said:
                self._sessions.setdefault(entry.said.session, []).append(entry.said)
        self._left = left - self._sessions.keys()
        return True

    def process(self, session: str, now: int) -> Process | None:
        """The process that says it has the session, however it is; the liveliest if several."""
        processes = [self._judge(said, now) for said in self._sessions.get(session, ())]
        return max(processes, key=_liveliness, default=None)

    def attached(self, session: str, now: int) -> Process | None:
        """The process that certainly has the session now."""
        process = self.process(session, now)
        return process if process and process.is_attached else None

    def has_left(self, session: str) -> bool:
        """Whether a process was seen to have the session, and none says so any more."""
        return session in self._left

    def tells_all(self, now: int) -> bool:
        """Whether a session without an entry has no process.

        The desktop app's hosted processes do not say which session they have, nor does a file
        that was never seen whole.
        """
        secretive = (
            said
            for session, processes in self._sessions.items()
            if not session or session.startswith("interactive-")
            for said in processes
        )
        return self.exists and not any(self._may_work(said, now) for said in secretive)

    def _read(self) -> dict[str, _Entry]:
        try:
            with os.scandir(self.folder) as entries:
                files = [entry for entry in entries if entry.name.endswith(".json")]
        except OSError:
            self.exists = False
            return {}
        self.exists = True
        return {file.name: self._entry(file) for file in files}

    def _entry(self, file: os.DirEntry[str]) -> _Entry:
        known = self._entries.get(file.name)
        try:
            stats = file.stat()
            stamp = (stats.st_ino, stats.st_size, stats.st_mtime_ns)
            if known and known.stamp == stamp:
                return known
            readable = stat.S_ISREG(stats.st_mode) and stats.st_size <= LARGEST
            data = Path(file.path).read_bytes() if readable else b"null"
        except OSError:
            return _Entry((0, 0, 0), known.said if known else None)
        modified = stats.st_mtime_ns // 1_000_000
        try:
            return _Entry(stamp, _said(json.loads(data), modified))
        except (ValueError, RecursionError):  # as while its heartbeat is being written
            return _Entry(stamp, known.said if known else _unnamed(file.name, modified))

    def _may_work(self, said: Process, now: int) -> bool:
        is_lost = said.session and now - said.heartbeat_at > LOST
        return not is_lost and self._life(said, now) != "dead"

    def _judge(self, said: Process, now: int) -> Process:
        return replace(said, life=self._life(said, now))

    def _life(self, said: Process, now: int) -> Life:
        if said.host and _short(said.host) != self._host:
            return "elsewhere"
        exists, started = self._look(said.pid)
        if not exists:
            return "dead"
        if started and said.started_at and started > said.started_at + SLACK:
            return "dead"
        silence = now - said.heartbeat_at
        if silence <= HEARTBEAT:
            return "alive"
        return "silent" if started or silence <= LOST else "dead"

    def _look(self, pid: int) -> tuple[bool, int | None]:
        """Each look costs three files of the system, and many sessions ask for the same."""
        if pid not in self._looks:
            self._looks[pid] = pid_exists(pid), process_started_at(pid)
        return self._looks[pid]


def _liveliness(process: Process) -> tuple[int, int]:
    order: tuple[Life, ...] = ("dead", "elsewhere", "silent", "alive")
    return order.index(process.life), process.heartbeat_at


def _unnamed(name: str, modified: int) -> Process | None:
    """Who a file belongs to by its name alone; it was written after its process began."""
    pid = _pid(name.removesuffix(".json"))
    return Process(pid, "", "silent", modified, started_at=modified) if pid else None


def _said(record: Any, modified: int) -> Process | None:
    """What a registry file says; None where it names no process with a session."""
    if not isinstance(record, dict) or record.get("kind") == "prewarm":
        return None
    pid, session = _pid(record.get("pid")), record.get("sessionId")
    if not pid or not isinstance(session, str) or not session:
        return None
    return Process(
        pid=pid,
        session=session,
        life="silent",
        heartbeat_at=_time(record.get("lastHeartbeat"))
        or _time(record.get("updatedAt"))
        or modified,
        started_at=_time(record.get("startedAt")),
        host=_text(record.get("hostname")),
        cwd=_text(record.get("cwd")),
        url=_text(record.get("url")),
    )


def _pid(value: Any) -> int | None:
    """A process's number, which some write as a string."""
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 10 else None
    pid = _number(value)
    return pid if pid and pid < 2**31 else None


def _time(value: Any) -> int | None:
    """Milliseconds since 1970, which some write in seconds."""
    number = _number(value)
    return number * 1000 if number and number < SECONDS else number


def _number(value: Any) -> int | None:
    """A positive whole number that any system could hold; None for all else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 < value < 2**53 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _short(host: str) -> str:
    """A host name without its domain: systems do not agree on giving one."""
    return host.partition(".")[0].casefold()


if sys.platform == "win32":

    def pid_exists(pid: int) -> bool:
        """Whether a process has this pid; `os.kill` would send it a Ctrl+C here."""
        import ctypes

        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle:
            return bool(kernel.GetLastError() == 5)  # ERROR_ACCESS_DENIED: there, not ours
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        kernel.CloseHandle(handle)
        return code.value == 259  # STILL_ACTIVE

else:

    def pid_exists(pid: int) -> bool:
        """Whether a process has this pid, be it another user's; a zombie is none."""
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        except OSError:
            return False
        fields = _proc_fields(pid)
        return not fields or fields[0] not in ("Z", "X")


def process_started_at(pid: int) -> int | None:
    """When a process started, in milliseconds since 1970; None where the system does not tell."""
    fields = _proc_fields(pid)
    try:
        ticks = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return int((_booted_at() + ticks) * 1000)
    except (IndexError, ValueError, OSError, AttributeError):
        return None


def _proc_fields(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat from the state on; the name before may hold anything."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes().decode("ascii", "replace")
    except OSError:
        return []
    return line.rpartition(")")[2].split()


def _booted_at() -> int:
    """Seconds since 1970 at which the machine started."""
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == "btime":
            return int(value)
    raise ValueError("no btime")
