"""Files of our own, before they are opened: ordinary ones, for their owner alone.

SQLite creates the target of a link with the mode that the umask leaves, and waits for ever for
the writer of a pipe. So what has the name of one of our databases is looked at first.
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
"""What SQLite keeps beside a database, by what is appended to its name."""

_LEFTOVER_AFTER = 60.0
"""Seconds after which a file under creation has lost the program that created it."""

_OTHERS = stat.S_IRWXG | stat.S_IRWXO

_HAS_MODES = os.name != "nt"


def make_own(path: Path, content: Callable[[], bytes] = bytes) -> None:
    """Create a file where there is none, and have it and its companions for their owner alone.

    Nobody ever finds it without its content. Raises OSError where it cannot be created, or is not
    an ordinary file.
    """
    make_private(path.parent)
    check_own(path)
    # Only where it is new: to close a file of a database takes away the locks of its process.
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
    """Refuse what is not an ordinary file, or has anything else beside it in place of a log.

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
    """Who besides its owner may use a file, as a sentence; "" for nobody."""
    with suppress(OSError):
        if _is_open_to_others(path):
            mode = stat.S_IMODE(path.stat().st_mode)
            return f"{path} is open to other users (mode {mode:04o}), and this cannot be changed"
    return ""


def _create(path: Path, content: bytes) -> None:
    """Write a file under another name, and link that to its own; FileExistsError if it has one."""
    _remove_leftovers(path)
    with written_beside(path, content) as new:
        _link(new, path)


@contextmanager
def written_beside(path: Path, content: bytes) -> Iterator[Path]:
    """A file beside another, with its content on the disk: to be renamed, else it is removed.

    Raises OSError where it cannot be written.
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
    """Remove what programs left that were killed while they created the file."""
    for leftover in path.parent.glob(f".{path.name}.*"):
        with suppress(OSError):
            if time.time() - leftover.lstat().st_mtime > _LEFTOVER_AFTER:
                leftover.unlink()


def _link(new: Path, path: Path) -> None:
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except OSError:  # this file system has no links
        new.rename(path)


def _target(path: Path) -> os.stat_result:
    """What a link leads to."""
    try:
        return path.stat()
    except FileNotFoundError:
        # No FileNotFoundError: decisions may well be where it led, and are not begun anew.
        problem = "it is a link to a file that does not exist"
        raise OSError(errno.ELOOP, problem, str(path)) from None


def _beside(path: Path) -> list[Path]:
    """The other files that a database leaves: its logs, copies, and what was set aside."""
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
