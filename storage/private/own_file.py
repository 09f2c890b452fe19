"""The program's own files before they are opened: regular files, accessible to the owner only.

SQLite would create the target of a link with the umask's mode, and wait forever for the writer of a
pipe. So anything with the name of one of our databases is checked first.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident

from .places import make_private

_COMPANIONS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps next to a database."""

_LEFTOVER_AFTER = 60.0
"""Seconds after which a file under creation is considered abandoned."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO

_HAS_MODES = os.name != "nt"


def make_own(path: Path, content: Callable[[], bytes] = bytes) -> None:
    """Create a file if there is none, and make it and its companions accessible to the owner only.

    The file never exists without its content. Raises OSError if it cannot be created, or is not a
    regular file.
    """
    make_private(path.parent)
    check_own(path)
    # Only if it is new: closing a database file releases all locks of the process on it.
    if not path.exists():
        data = content()
        with suppress(FileExistsError):
            if data:
                _create(path, data)
            else:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    if _is_open_to_others(path):
        for file in (path, *_beside(path)):
            with suppress(OSError):
                _close_to_others(file)


def check_own(path: Path) -> None:
    """Reject anything but a regular file, and anything but regular files in place of its logs.

    Raises OSError, whose `strerror` continues a sentence that begins with the file's name.
    """
    with suppress(FileNotFoundError):
        info = path.lstat()
        if stat.S_ISLNK(info.st_mode):
            info = _target(path)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(errno.EINVAL, "it is not an ordinary file", str(path))
    for suffix in _COMPANIONS:
        beside = path.with_name(path.name + suffix)
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(beside.lstat().st_mode):
                problem = f"{beside.name} beside it is not an ordinary file"
                raise OSError(errno.EINVAL, problem, str(path))


def exposure(path: Path) -> str:
    """Return a sentence if others than the owner have access to a file; "" if not."""
    with suppress(OSError):
        if _is_open_to_others(path):
            mode = stat.S_IMODE(path.stat().st_mode)
            return f"{path} is open to other users (mode {mode:04o}), and this cannot be changed"
    return ""


def _create(path: Path, content: bytes) -> None:
    """Write a file under another name and link it; raises FileExistsError if `path` exists."""
    _remove_leftovers(path)
    with written_beside(path, content) as new:
        _link(new, path)


@contextmanager
def written_beside(path: Path, content: bytes) -> Iterator[Path]:
    """Yield a file next to another, flushed to disk; rename it, or it is deleted on exit.

    Raises OSError if it cannot be written.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}-{get_ident()}")
    try:
        new.unlink(missing_ok=True)
        fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(fd)
        yield new
    finally:
        new.unlink(missing_ok=True)


def _remove_leftovers(path: Path) -> None:
    """Remove files of programs that were killed while creating the file."""
    for leftover in path.parent.glob(f".{path.name}.*"):
        with suppress(OSError):
            if time.time() - leftover.lstat().st_mtime > _LEFTOVER_AFTER:
                leftover.unlink()


def _link(new: Path, path: Path) -> None:
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        new.rename(path)


def _target(path: Path) -> os.stat_result:
    """Return the stat of a link's target."""
    try:
        return path.stat()
    except FileNotFoundError:
        # Not FileNotFoundError: decisions may be where it pointed, and must not be started anew.
        problem = "it is a link to a file that does not exist"
        raise OSError(errno.ELOOP, problem, str(path)) from None


def _beside(path: Path) -> list[Path]:
    """Return the other files of a database: logs, backups, and what was set aside."""
    copies = path.parent.glob(f"{path.stem}.before-*.db")
    logs = (path.with_name(path.name + suffix) for suffix in _COMPANIONS)
    return [*logs, *map(path.with_suffix, (".broken", ".count")), *copies]


def _is_open_to_others(path: Path) -> bool:
    return _HAS_MODES and bool(path.stat().st_mode & _OTHERS)


def _close_to_others(path: Path) -> None:
    info = path.lstat()
    if stat.S_ISLNK(info.st_mode):
        info = path.stat()
    if stat.S_ISREG(info.st_mode) and info.st_mode & _OTHERS:
        path.chmod(stat.S_IMODE(info.st_mode) & ~_OTHERS)
