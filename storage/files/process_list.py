"""The processes of this machine with their commands and paths; those already read are reused.

Uses `/proc` on Linux, psutil elsewhere. A process whose directory cannot be read, for example
another user's, is hidden.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import processes

SETTLED = 10_000
"""Milliseconds after its start during which a process may still exec another program."""

PLACE_OPTIONS = ("--cwd", "--dir", "--directory", "--project", "--root", "-C")
"""Options whose value is a path even if it is relative."""

MOST_WORDS, LONGEST_WORD = 64, 4_096
"""Limits on the words of a command and the characters of a word."""


@dataclass(frozen=True, slots=True)
class Running:
    """A running process."""

    pid: int
    started_at: int
    """Milliseconds since 1970."""
    owner: int | None
    """User id; None if unknown."""
    command: tuple[str, ...] = ()
    """Command line; () for kernel processes."""
    directory: str | None = None
    """Working directory; None if it cannot be read."""
    places: tuple[str, ...] = ()
    """Real paths named in the command line."""

    @property
    def is_hidden(self) -> bool:
        """Whether its working directory cannot be read."""
        return self.directory is None and bool(self.command)


def running(before: Sequence[Running], now: int) -> list[Running]:
    """Return all processes; those in `before` that are still running are not read again."""
    known = {one.pid: one for one in before}
    return list(_of_proc(known, now) if processes.HAS_PROC else _of_psutil())


def _of_proc(known: Mapping[int, Running], now: int) -> Iterator[Running]:
    with os.scandir("/proc") as entries:
        pids = [int(entry.name) for entry in entries if entry.name.isdigit()]
    booted = processes.booted_at()
    for pid in pids:
        started = processes.start_since(pid, booted)
        if started is None:
            continue
        before = known.get(pid)
        if before and before.started_at == started and now - started > SETTLED:
            yield before
        elif one := _read(pid, started):
            yield one


def _read(pid: int, started: int) -> Running | None:
    folder = Path(f"/proc/{pid}")
    try:
        owner = folder.stat().st_uid
        data = (folder / "cmdline").read_bytes()[: MOST_WORDS * LONGEST_WORD]
    except OSError:
        return None  # it has ended
    command = _words(os.fsdecode(word) for word in data.split(b"\0") if word)
    try:
        directory = str((folder / "cwd").readlink()) if command else None
    except OSError:
        directory = None
    return _running(pid, started, owner, command, directory)


def _of_psutil() -> Iterator[Running]:
    library = processes.psutil()
    for process in library.process_iter() if library else ():
        try:
            with process.oneshot():
                started, command = int(process.create_time() * 1000), _words(process.cmdline())
                owner = process.uids().real if hasattr(process, "uids") else None
        except (library.Error, OSError):
            continue
        try:
            directory = process.cwd() or None
        except (library.Error, OSError):
            directory = None
        yield _running(process.pid, started, owner, command, directory)


def _words(words: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(word[:LONGEST_WORD] for word in [*words][:MOST_WORDS])


def _running(
    pid: int, started: int, owner: int | None, command: tuple[str, ...], directory: str | None
) -> Running:
    return Running(pid, started, owner, command, directory, tuple(_places(command, directory)))


def _places(command: Sequence[str], directory: str | None) -> Iterator[str]:
    """Yield the real paths of the paths in a command line."""
    before = ""
    for word in command[1:]:
        option, _, value = word.partition("=")
        path = value if option in PLACE_OPTIONS else word
        is_place = option in PLACE_OPTIONS or before in PLACE_OPTIONS
        before = word
        if Path(path).is_absolute():
            yield os.path.realpath(path)
        elif path and is_place and directory:
            yield os.path.realpath(Path(directory, path))
