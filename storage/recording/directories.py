"""Creating the files and directories of a transcript, with durable names."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from pathlib import Path

from ..private.places import make_private

_NEVER = frozenset({errno.EACCES, errno.EPERM, errno.EINVAL, errno.ENOTSUP, errno.ENOSYS})
"""An unreadable directory, or a file system without support: retrying is useless."""


def make_directories(folder: Path) -> None:
    """Create a directory and its parents, private to the user, and durable after a power cut."""
    if folder.is_dir():
        return
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    make_private(folder)
    for path in missing:
        reach_disk(path.parent)


def reach_disk(folder: Path) -> None:
    """Wait until the names in a directory are on disk, if the system supports that."""
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
    """A file that closes when it is garbage collected, without a ResourceWarning."""

    def __del__(self) -> None:
        self.close()


def open_file(path: str | Path, flags: int) -> FileIO:
    """Open a file, private to the user if it is created."""
    return _OwnFile(path, "r+", opener=lambda name, _: os.open(name, flags, 0o600))


def make_file(path: Path, flags: int, write: Callable[[int], None]) -> FileIO:
    """Create a file and write to it. It never appears under its name without its contents.

    It is written under another name and then hard-linked, which never replaces an existing file. If
    hard links are not supported, or a dangling symbolic link has the name, it is written in place.
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
    """Remove the temporary file of a writer that was killed while creating the file."""
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
    """Return whether a path exists. Raises OSError if that cannot be determined."""
    try:
        os.stat(path)  # noqa: PTH116 (`exists` takes a directory that is closed for an absence)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
