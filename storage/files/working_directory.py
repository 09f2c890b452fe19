"""The working directory, which may be deleted while the program, or its shell, is in it.

Paths that other programs wrote are never taken to be below it.
"""

from __future__ import annotations

import os
from pathlib import Path

DELETED = Path(os.devnull, "deleted-working-directory")
"""Stands for a working directory that was deleted: nothing below it exists or can be created."""


def working_directory() -> Path:
    """The working directory, or `DELETED`. Who takes relative paths refuses them there."""
    try:
        return Path.cwd()
    except OSError:
        return DELETED


def resolved(path: str | os.PathLike[str]) -> str:
    """Where an absolute path leads, with all links followed; any other path as it is."""
    return os.path.realpath(path) if Path(path).is_absolute() else os.fspath(path)
