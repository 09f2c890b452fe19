"""What a path leads to: a directory, a regular file, or neither."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def is_directory(path: Path) -> bool:
    """Return whether a path leads to a directory; False for an invalid path."""
    return stat.S_ISDIR(_mode(path))


def is_file(path: Path) -> bool:
    """Return whether a path leads to a regular file; False for an invalid path."""
    return stat.S_ISREG(_mode(path))


def folders_in(folder: str) -> list[str]:
    """Return the directories in a directory; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if _leads_to_directory(entry))
    except OSError:
        return []


def _leads_to_directory(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink():
        return is_directory(Path(entry.path))
    return entry.is_dir()


def _mode(path: Path) -> int:
    """Return the mode of what a path leads to; 0 if unknown."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0
