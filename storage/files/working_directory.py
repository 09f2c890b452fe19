"""The working directory, which may be deleted while the program, or its shell, is in it.

Paths written by other programs are never resolved against it.
"""

from __future__ import annotations

import os
from pathlib import Path

DELETED = Path(os.devnull, "deleted-working-directory")
"""Stands for a deleted working directory: nothing below it exists or can be created."""


def working_directory() -> Path:
    """Return the working directory, or `DELETED`, which rejects relative paths."""
    try:
        return Path.cwd()
    except OSError:
        return DELETED


def resolved(path: str | os.PathLike[str]) -> str:
    """Return the real path of an absolute path, and any other path unchanged."""
    return os.path.realpath(path) if Path(path).is_absolute() else os.fspath(path)
