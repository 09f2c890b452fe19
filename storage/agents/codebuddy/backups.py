"""What the product has kept of a file from before a call.

Both names come out of a transcript, so each may only be a plain name, and nothing is read that
lies outside the store's own folder of backups, however a link leads there.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from ...files.disk import read_whole
from ...stores.roots import Root, is_file

FOLDER = "file-history"


def backup_of(transcript: Path, sessions: tuple[str | None, ...], name: str) -> bytes | None:
    """The content of a backup of one of the sessions, of which one transcript is; None: none."""
    home = Root(transcript.absolute(), "file", "").home
    if home is None or not _is_plain(name):
        return None
    for session in sessions:
        if session and _is_plain(session):
            data = _content(home / FOLDER, home / FOLDER / session / name)
            if data is not None:
                return data
    return None


def first_backups(path: str, directory: str | None) -> tuple[str, ...]:
    """The names that the first backup of a file may have, though no snapshot tells it yet.

    CodeBuddy calls it by a hash of the path as its snapshots spell it, relative to the directory
    it was started in or whole. A snapshot that is written meanwhile names the file without it.
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
    """Whether it is a file's name and nothing else, on any system."""
    plain = PurePosixPath(name).name == PureWindowsPath(name).name == name
    return plain and name != ".." and ":" not in name
