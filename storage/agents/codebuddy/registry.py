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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ...files.processes import pid_exists, process_started_at
from ...files.working_directory import resolved

HEARTBEAT = 60_000
"""Milliseconds after which a heartbeat is no longer fresh."""

LOST = 15 * 60_000
"""Milliseconds after which a heartbeat is given up where the pid may be another program's."""

SLACK = 10_000
"""Milliseconds by which clocks may disagree on when a process started."""

LARGEST = 1_000_000
"""Bytes of a registry file; a longer one is none."""

EARLY = 5 * 60_000
"""Milliseconds that a program takes at most to say that it started."""

HOSTED = "interactive-"
"""Begins the session id of an entry that names its process only: CodeBuddy's, for any session that
it was not given an id for."""

DESKTOP = "__workbuddy_cli_host__"
"""Begins the directory of a process that works for the desktop app, in any project."""

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
    gone_at: int | None = None
    """When it was first seen to be gone, where it was watched."""

    @property
    def is_hosted(self) -> bool:
        """Whether its entry does not say which sessions it has: those of its directory."""
        return self.session.startswith(HOSTED)

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
        self._hosted: dict[str, list[Process]] = {}
        """The processes that do not say which sessions they have, by their real directories."""
        self._real: dict[str, str] = {}
        self._gone: dict[int, int] = {}
        """When processes were first seen to be gone."""

    def refresh(self) -> bool:
        """Look at the files again, and later at the processes; whether the files changed."""
        before = self._entries
        self._looks.clear()
        self._entries = self._read()
        if self._entries == before:
            return False
        left = self._left | self._sessions.keys()
        self._sessions, self._hosted = {}, {}
        self._real.clear()
        for entry in self._entries.values():
            if (said := entry.said) is None:
                continue
            self._sessions.setdefault(said.session, []).append(said)
            if said.is_hosted and said.started_at and said.cwd:
                self._hosted.setdefault(self._real_path(said.cwd), []).append(said)
        self._left = left - self._sessions.keys()
        return True

    def process(self, session: str, now: int) -> Process | None:
        """The process that says it has the session, however it is; the liveliest if several."""
        processes = [self._judge(said, now) for said in self._sessions.get(session, ())]
        return max(processes, key=_liveliness, default=None)

    def hosted(self, directory: str, until: int, now: int) -> list[Process]:
        """The processes that may have sessions of a directory with records from `until` or later.

        Of those that ended in order no entry is left.
        """
        if not self._hosted:
            return []
        processes = self._hosted.get(self._real_path(directory), ())
        return [self._judge(said, now) for said in processes if (said.started_at or 0) <= until]

    def attached(self, session: str, now: int) -> Process | None:
        """The process that certainly has the session now."""
        process = self.process(session, now)
        return process if process and process.is_attached else None

    def has_left(self, session: str) -> bool:
        """Whether a process was seen to have the session, and none says so any more."""
        return session in self._left

    def tells_all(self, now: int) -> bool:
        """Whether a session without an entry has no process.

        The desktop app's processes do not say which session they have, nor does a file that was
        never seen whole.
        """
        secretive = (
            said
            for session, processes in self._sessions.items()
            for said in processes
            if not session or (said.is_hosted and not self._has_project(said))
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

    @staticmethod
    def _has_project(said: Process) -> bool:
        """Whether a process has only sessions of its own directory."""
        return bool(said.cwd and said.started_at) and DESKTOP not in said.cwd

    def _real_path(self, directory: str) -> str:
        if directory not in self._real:
            self._real[directory] = resolved(directory)
        return self._real[directory]

    def _may_work(self, said: Process, now: int) -> bool:
        is_lost = said.session and now - said.heartbeat_at > LOST
        return not is_lost and self._life(said, now) != "dead"

    def _judge(self, said: Process, now: int) -> Process:
        life = self._life(said, now)
        if life != "dead":
            return replace(said, life=life)
        return replace(said, life=life, gone_at=self._gone.setdefault(said.pid, now))

    def _life(self, said: Process, now: int) -> Life:
        if said.host and _short(said.host) != self._host:
            return "elsewhere"
        if said.is_hosted and self._has_project(said):
            return self._hosted_life(said, now)
        exists, started = self._look(said.pid)
        if not exists:
            return "dead"
        if started and said.started_at and started > said.started_at + SLACK:
            return "dead"
        silence = now - said.heartbeat_at
        if silence <= HEARTBEAT:
            return "alive"
        return "silent" if started or silence <= LOST else "dead"

    def _hosted_life(self, said: Process, now: int) -> Life:
        """Such an entry is written once: its heartbeat tells nothing, its start does.

        Where its directory is not here, or its pid is of a program that began long before it, the
        entry comes from another machine or container.
        """
        exists, started = self._look(said.pid)
        start = said.started_at or 0
        if not Path(said.cwd).is_dir() or (exists and started and started < start - EARLY):
            return "elsewhere"
        if not exists or (started and started > start + SLACK):
            return "dead"
        return "alive" if started or now - start <= LOST else "silent"

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
