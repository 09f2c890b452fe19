"""Backups that CodeBuddy keeps of files from before a call.

Both names come from a transcript, so each must be a plain file name, and nothing outside the
agent's own backup folder is read, even if a link leads there.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from ...files.disk import read_whole
from ...files.kinds import is_file
from .stores import home_of

FOLDER = "file-history"


def backup_of(transcript: Path, sessions: tuple[str | None, ...], name: str) -> bytes | None:
    """Return the content of a backup made by one of `sessions`; None if there is none.

    `transcript` is that of one of the sessions, and locates the backup folder.
    """
    home = home_of(transcript.absolute())
    if home is None or not _is_plain(name):
        return None
    for session in sessions:
        if session and _is_plain(session):
            data = _content(home / FOLDER, home / FOLDER / session / name)
            if data is not None:
                return data
    return None


def first_backups(path: str, directory: str | None) -> tuple[str, ...]:
    """Return the possible names of a file's first backup, before any snapshot mentions it.

    CodeBuddy derives the name from a hash of the path as spelled in its snapshots: relative to the
    directory it was started in, or absolute. A snapshot written in the meantime names the file
    without a backup.
    """
    spellings = [path]
    if directory and path.startswith(directory.rstrip("/\\") + os.sep):
        spellings.insert(0, os.path.relpath(path, directory))
    digests = (hashlib.sha256(one.encode("utf-8", "surrogatepass")) for one in spellings)
    return tuple(f"{digest.hexdigest()[:16]}@v1" for digest in digests)


def _content(folder: Path, path: Path) -> bytes | None:
    try:
        real = path.resolve(strict=True)
        if real.is_relative_to(folder.resolve(strict=True)) and is_file(real):
            return read_whole(real).data
    except (OSError, RuntimeError, ValueError):
        pass
    return None


def _is_plain(name: str) -> bool:
    """Return whether a name is a plain file name on every system."""
    plain = PurePosixPath(name).name == PureWindowsPath(name).name == name
    return plain and name != ".." and ":" not in name
