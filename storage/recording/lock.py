"""The lock shared by all writers of a transcript, threads and processes alike.

A separate file next to the transcript, so that readers never encounter it. The file stays open and
is never removed: opening it for each record would take longer than writing the record.
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
"""Seconds between attempts: about as long as it takes to write a record."""

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

    # The function that the library calls in the end. The library's checks of the flags, which never
    # change, take ten times as long: a fifth of the time for a whole record.
    _flock = FlockLocker().locker


def lock_path(path: Path) -> Path:
    """Return the path of a transcript's lock file: hidden, with a suffix no session has."""
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
        """Acquire the lock. Raises NotKept if others keep it, OSError if locking fails."""
        if not self._is_had():
            self._wait()

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            _flock(self._file.fileno(), _FREE)

    def close(self) -> None:
        """Close the file, which releases the lock; it is reopened if needed."""
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
        """Try to acquire the lock; return False if others hold it."""
        file = self._file or self._opened()
        try:
            _flock(file.fileno(), _AT_ONCE)
        except (BlockingIOError, PermissionError):  # some network file systems raise the latter
            return False
        if self._is_in_place():
            return True
        self.close()  # the lock file was moved or removed, so others would lock another one
        return self._is_had()

    def _opened(self) -> FileIO:
        file = self._file = open_file(self._name, _FLAGS)
        stat = os.fstat(file.fileno())
        self._identity = stat.st_dev, stat.st_ino
        return file

    def _is_in_place(self) -> bool:
        """Return whether the open file is still the one at the lock's path."""
        try:
            stat = os.stat(self._name)  # noqa: PTH116 (a Path's own takes twice as long)
        except FileNotFoundError:
            return False
        return (stat.st_dev, stat.st_ino) == self._identity
