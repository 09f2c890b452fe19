"""The processes that agents register in `<home>/sessions/<pid>.json`, read with distrust.

A crash leaves the file behind, its pid may belong to another program by now, and a synced home
contains files of other machines. A process therefore counts as alive only if all of this was
checked. For a file that is just being written, its previous content remains in effect.
"""

from __future__ import annotations

import json
import os
import socket
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...files.processes import pid_exists, process_started_at
from ...files.working_directory import resolved
from ...model.process import HEARTBEAT, Life, Process

HOSTED = "interactive-"
"""Prefix of the session id in an entry that names its process only: CodeBuddy's, for any session
that it was not given an id for."""

LOST = 15 * 60_000
"""Milliseconds without heartbeat after which a process is given up if its pid may have been reused.
"""

SLACK = 10_000
"""Tolerance for the start time of a process, in milliseconds, as clocks may disagree."""

LARGEST = 1_000_000
"""Maximum size of a registry file in bytes; larger files are ignored."""

EARLY = 5 * 60_000
"""Maximum milliseconds between the start of a program and its registration."""

DESKTOP = "__workbuddy_cli_host__"
"""In the directory of a process that works for the desktop app, in any project."""

SECONDS = 10**11
"""Smaller times are in seconds: as milliseconds they are before 1973, as seconds from 5138 on."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One registry file as of the last refresh."""

    stamp: tuple[int, int, int]
    said: Process | None


class Registry:
    """The registry of one home. A refresh costs one directory listing plus the changed files."""

    def __init__(self, home: Path, host: str | None = None) -> None:
        self.folder = home / "sessions"
        self.exists = False
        self._host = _short(host if host is not None else socket.gethostname())
        self._entries: dict[str, _Entry] = {}
        self._sessions: dict[str, list[Process]] = {}
        self._looks: dict[int, tuple[bool, int | None]] = {}
        """Whether a process exists and when it started, by pid, as looked up since the last
        refresh."""
        self._left: set[str] = set()
        self._hosted: dict[str, list[Process]] = {}
        """The processes that do not name their sessions, by real directory."""
        self._real: dict[str, str] = {}
        self._gone: dict[int, int] = {}
        """When processes were first found to be gone, by pid."""

    def refresh(self) -> bool:
        """Read changed files, and drop cached process states; return whether any file changed."""
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
        """Return the process that claims the session, in any state; the liveliest if several do."""
        processes = [self._judge(said, now) for said in self._sessions.get(session, ())]
        return max(processes, key=_liveliness, default=None)

    def hosted(self, directory: str, until: int, now: int) -> list[Process]:
        """Return the processes that may own sessions of a directory with records up to `until`.

        Processes that exited normally have no entry any more.
        """
        if not self._hosted:
            return []
        processes = self._hosted.get(self._real_path(directory), ())
        return [self._judge(said, now) for said in processes if (said.started_at or 0) <= until]

    def attached(self, session: str, now: int) -> Process | None:
        """Return the process that certainly owns the session now."""
        process = self.process(session, now)
        return process if process and process.is_attached else None

    def has_left(self, session: str) -> bool:
        """Return whether a process used to claim the session, but none does now."""
        return session in self._left

    def tells_all(self, now: int) -> bool:
        """Return whether a session without an entry certainly has no process.

        The desktop app's processes do not name their session, nor does a file that was never read
        completely.
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
        except (ValueError, RecursionError):  # for example while a heartbeat is being written
            return _Entry(stamp, known.said if known else _unnamed(file.name, modified))

    @staticmethod
    def _has_project(said: Process) -> bool:
        """Return whether a process has sessions of its own directory only."""
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
        """Return the state of a hosted process, whose entry is written once and has no heartbeat.

        If its directory does not exist here, or the pid belongs to a program that started long
        before it, the entry comes from another machine or container.
        """
        exists, started = self._look(said.pid)
        start = said.started_at or 0
        if not Path(said.cwd).is_dir() or (exists and started and started < start - EARLY):
            return "elsewhere"
        if not exists or (started and started > start + SLACK):
            return "dead"
        return "alive" if started or now - start <= LOST else "silent"

    def _look(self, pid: int) -> tuple[bool, int | None]:
        """Cached, as each lookup reads three system files and many sessions ask for the same."""
        if pid not in self._looks:
            self._looks[pid] = pid_exists(pid), process_started_at(pid)
        return self._looks[pid]


def _liveliness(process: Process) -> tuple[int, int]:
    order: tuple[Life, ...] = ("dead", "elsewhere", "silent", "alive")
    return order.index(process.life), process.heartbeat_at


def _unnamed(name: str, modified: int) -> Process | None:
    """Return the process of a file by its name alone; it started before the file was written."""
    pid = _pid(name.removesuffix(".json"))
    return Process(pid, "", "silent", modified, started_at=modified) if pid else None


def _said(record: Any, modified: int) -> Process | None:
    """Return the process in a registry file; None if it names no process with a session."""
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
        is_hosted=session.startswith(HOSTED),
    )


def _pid(value: Any) -> int | None:
    """Return a process id, which may be written as a string."""
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 10 else None
    pid = _number(value)
    return pid if pid and pid < 2**31 else None


def _time(value: Any) -> int | None:
    """Return a time in milliseconds since 1970, which may be written in seconds."""
    number = _number(value)
    return number * 1000 if number and number < SECONDS else number


def _number(value: Any) -> int | None:
    """Return a number as a positive integer below 2**53; None for anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 < value < 2**53 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _short(host: str) -> str:
    """Return a host name without its domain, as systems differ in whether they include it."""
    return host.partition(".")[0].casefold()
