"""The lock that writers of one transcript share, threads and processes alike.

It is a file of its own beside the transcript, so that readers never meet it. The file stays open
and is never removed: to open it for each record would take longer than to write the record.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from io import FileIO
from pathlib import Path

from portalocker import AlreadyLocked, LockException, LockFlags, lock, unlock

from .directories import open_file
from .errors import NotKept
from .fork_safety import part_in_child

PATIENCE = 30.0
"""Seconds that a writer waits for others before it gives up."""

_PAUSE = 0.0005
"""Seconds after which it asks again: a record takes about as long."""

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)

_AT_ONCE = LockFlags.EXCLUSIVE | LockFlags.NON_BLOCKING

_FREE = LockFlags.UNBLOCK

if sys.platform == "win32":

    def _flock(fd: int, flags: LockFlags) -> None:
        try:
            unlock(fd) if flags is _FREE else lock(fd, flags)
        except AlreadyLocked as error:
            raise BlockingIOError(errno.EAGAIN, "it is locked") from error
        except LockException as error:
            raise OSError(f"it cannot be locked: {error}") from error
else:
    from portalocker.portalocker import FlockLocker

    # What the library calls in the end: its checks of the flags, which are always the same, take
    # ten times as long, a fifth of a whole record.
    _flock = FlockLocker().locker


def lock_path(path: Path) -> Path:
    """The lock of a transcript. Its name begins with a dot and ends otherwise than a session's."""
    return path.with_name(f".{path.name}.lock")


class Lock:
    """The lock of one transcript, held by one thread of this process in a `with` block."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self._path = path
        self._name = os.fspath(lock_path(path))
        self._patience = patience
        self._file: FileIO | None = None
        self._identity: tuple[int, int] | None = None
        part_in_child(self)

    def __enter__(self) -> None:
        """Take it; NotKept where others do not let go, OSError where it cannot be had."""
        if not self._is_had():
            self._wait()

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            _flock(self._file.fileno(), _FREE)

    def close(self) -> None:
        """Close the file, which lets go of it; it is opened again if need be."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    part = close

    def _wait(self) -> None:
        deadline = time.monotonic() + self._patience
        while not self._is_had():
            if time.monotonic() > deadline:
                raise NotKept(f"{self._path} is locked by others for {self._patience:g} s now.")
            time.sleep(_PAUSE)

    def _is_had(self) -> bool:
        """Take it unless others have it."""
        file = self._file or self._opened()
        try:
            _flock(file.fileno(), _AT_ONCE)
        except (BlockingIOError, PermissionError):  # some network file systems say the latter
            return False
        if self._is_in_place():
            return True
        self.close()  # somebody moved or removed it, and others would hold another one
        return self._is_had()

    def _opened(self) -> FileIO:
        file = self._file = open_file(self._name, _FLAGS)
        stat = os.fstat(file.fileno())
        self._identity = stat.st_dev, stat.st_ino
        return file

    def _is_in_place(self) -> bool:
        """Whether the file that is held is the one that others would find."""
        try:
            stat = os.stat(self._name)  # noqa: PTH116 (a Path's own takes twice as long)
        except FileNotFoundError:
            return False
        return (stat.st_dev, stat.st_ino) == self._identity
