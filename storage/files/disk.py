"""Inspection of a file that a call was about: bounded in time, and without side effects.

The type of the file is checked before it is opened: merely opening a pipe wakes up its writer, and
opening some devices triggers an action.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ..text.paths import is_foreign
from .lines import opened

LARGEST = 16 * 1024 * 1024
"""Maximum size of a file that is read, in bytes: far larger than any text that agents edit."""

ENTRIES = 10_000
"""Maximum number of directory entries searched for a temporary file."""

NEVER = 1 << 63
"""Later than any modification time."""

_KINDS = (
    (stat.S_ISDIR, "It is a directory, not a file."),
    (stat.S_ISFIFO, "It is a pipe, not a file."),
    (stat.S_ISSOCK, "It is a socket, not a file."),
)
_ERRORS = {
    errno.EACCES: "The file may not be read.",
    errno.EPERM: "The file may not be read.",
    errno.ENOTDIR: "A part of its path is not a directory.",
    errno.ENAMETOOLONG: "Its path is longer than this system allows.",
    errno.ELOOP: "It is a link that leads nowhere.",
}


@dataclass(frozen=True, slots=True)
class Look:
    """The state of a file when it was inspected."""

    problem: str = ""
    """Why its content cannot be judged, in one sentence; "" if it can."""
    exists: bool = False
    size: int | None = None
    stamp: int | None = None
    """Time of the last modification, in nanoseconds since 1970."""
    data: bytes | None = None
    sha256: str | None = None
    target: str = ""
    """Target of the link; "" if the file is not a link."""

    @property
    def modified_at(self) -> int | None:
        """Time of the last modification, in milliseconds since 1970."""
        return None if self.stamp is None else self.stamp // 1_000_000


def look_at(path: str, directory: str | None) -> Look:
    """Inspect the file at an absolute path; `directory`: where the agent ran, if known."""
    if is_foreign(path):
        return Look("Its path belongs to another machine than this one.")
    try:
        return _look(Path(path), directory)
    except OSError as error:
        return Look(_sentence(error))
    except ValueError:
        return Look("No file on this system can have its path.")


def leftover_beside(
    path: str, name: re.Pattern[str], since: int | None, until: int | None = None
) -> str:
    """Return the name of the newest file next to `path` that has such a name; "" if there is none.

    Files from before `since` or after `until` (milliseconds since 1970) belong to other calls.
    """
    try:
        with os.scandir(Path(path).resolve().parent) as entries:
            some = [entry for entry, _ in zip(entries, range(ENTRIES), strict=False)]
        found = [
            (entry.stat(follow_symlinks=False).st_mtime_ns // 1_000_000, entry.name)
            for entry in some
            if name.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
        ]
    except (OSError, RuntimeError, ValueError):
        return ""
    last = NEVER if until is None else until
    return max((pair for pair in found if (since or 0) <= pair[0] <= last), default=(0, ""))[1]


def read_whole(path: Path) -> Look:
    """Read an ordinary file unless it is too large or changing. Raises OSError."""
    with opened(path) as fd:
        for _ in range(2):
            before = os.fstat(fd)
            seen = Look("", True, before.st_size, before.st_mtime_ns)
            if before.st_size > LARGEST:
                megabytes = before.st_size / 1e6
                problem = f"The file is {megabytes:,.1f} MB large, too large to be looked through."
                return replace(seen, problem=problem)
            data = _read(fd, before.st_size + 1)
            if len(data) == before.st_size and _is_still(before, os.fstat(fd)):
                return replace(seen, data=data, sha256=sha256(data).hexdigest())
    return replace(seen, problem="The file changes while it is read.")


def _look(path: Path, directory: str | None) -> Look:
    try:
        own = path.lstat()
    except FileNotFoundError:
        return Look(_absence(path, directory))
    target = str(path.readlink()) if stat.S_ISLNK(own.st_mode) else ""
    try:
        info = path.stat() if target else own
    except OSError as error:
        return Look(_of_dangling(error), exists=True, target=target)
    seen = Look("", True, info.st_size, info.st_mtime_ns, target=target)
    if not stat.S_ISREG(info.st_mode):
        return replace(seen, size=None, problem=_kind(info.st_mode))
    try:
        return replace(read_whole(path), target=target)
    except OSError as error:
        return replace(seen, problem=_sentence(error))


def _absence(path: Path, directory: str | None) -> str:
    """Return why the absence of a file proves nothing; "" if it does prove something."""
    if directory is None:
        return "" if path.parent.is_dir() else "Its directory is not on this machine."
    if is_foreign(directory) or not Path(directory).is_dir():
        return "The directory in which the agent ran is not on this machine."
    return ""


def _of_dangling(error: OSError) -> str:
    gone = error.errno in (errno.ENOENT, errno.ENOTDIR)
    return _ERRORS[errno.ELOOP] if gone else _sentence(error)


def _kind(mode: int) -> str:
    return next((said for test, said in _KINDS if test(mode)), "It is a device, not a file.")


def _sentence(error: OSError) -> str:
    return _ERRORS.get(error.errno or 0) or f"The file cannot be read: {error.strerror or error}."


def _read(fd: int, size: int) -> bytes:
    """Read `size` bytes from the start, or the whole file if it is shorter."""
    os.lseek(fd, 0, os.SEEK_SET)
    pieces: list[bytes] = []
    while size > 0 and (piece := os.read(fd, size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _is_still(before: os.stat_result, after: os.stat_result) -> bool:
    return (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
