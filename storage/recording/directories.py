"""Directories that are made for a transcript, and their names on the disk."""

from __future__ import annotations

import os
from pathlib import Path

from ..places import make_private


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
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def is_there(path: Path) -> bool:
    """Whether there is something of that name; raises OSError where that cannot be told."""
    try:
        os.stat(path)  # noqa: PTH116 (`exists` takes a directory that is closed for an absence)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
