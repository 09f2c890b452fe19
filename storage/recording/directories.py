"""The files and directories that are made for a transcript, and their names on the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from pathlib import Path

from ..private.places import make_private

_NEVER = frozenset({errno.EACCES, errno.EPERM, errno.EINVAL, errno.ENOTSUP, errno.ENOSYS})
"""Of a directory that may not be read, or a file system that cannot do it: it never can."""


def make_directories(folder: Path) -> None:
    """Make a directory and what leads to it, for the owner alone, so that a power cut leaves it."""
    if folder.is_dir():
        return
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    make_private(folder)
    for path in missing:
        reach_disk(path.parent)


def reach_disk(folder: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        if error.errno not in _NEVER:
            raise


class _OwnFile(FileIO):
    """Is closed once it is let go, whatever interrupts its user, and nobody is warned of that."""

    def __del__(self) -> None:
        self.close()


def open_file(path: str | Path, flags: int) -> FileIO:
    """A file for its owner alone."""
    return _OwnFile(path, "r+", opener=lambda name, _: os.open(name, flags, 0o600))


def make_file(path: Path, flags: int, write: Callable[[int], None]) -> FileIO:
    """Make a file and write to it. Nobody ever finds it without what was written.

    It is written under another name, and a link gives it its own, which never takes another's
    place. Where there are no links, or something that leads elsewhere has the name, it is written
    where it is.
    """
    new = _new_name(path)
    try:
        drop_leftover(path)
        file = open_file(new, flags | os.O_CREAT | os.O_EXCL)
    except OSError:
        return _made_there(path, flags, write)
    try:
        write(file.fileno())
        if _linked(new, path):
            return file
    finally:
        with suppress(OSError):
            new.unlink()
    return _made_there(path, flags, write)


def drop_leftover(path: Path) -> None:
    """Remove what is left of the making of a file whose maker was killed."""
    _new_name(path).unlink(missing_ok=True)


def _new_name(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def _linked(new: Path, path: Path) -> bool:
    try:
        os.link(new, path)
    except OSError:
        return False
    return True


def _made_there(path: Path, flags: int, write: Callable[[int], None]) -> FileIO:
    file = open_file(path, flags | os.O_CREAT)
    if os.fstat(file.fileno()).st_size:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    write(file.fileno())
    return file


def is_there(path: Path) -> bool:
    """Whether there is something of that name; raises OSError where that cannot be told."""
    try:
        os.stat(path)  # noqa: PTH116 (`exists` takes a directory that is closed for an absence)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
