"""Where an export may be written: resolving and checking a typed path."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def destination(typed: str, directory: Path) -> Path:
    """Return the path that was typed: `~` is expanded, relative paths start at `directory`."""
    try:
        return directory / Path(typed).expanduser()
    except RuntimeError:  # there is no such home directory
        return directory / typed


def objection(path: Path) -> str:
    """Return why no file can be written there, in a sentence; "" if none is known."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "" if path.parent.is_dir() else "That folder does not exist."
    except PermissionError:
        return "You may not look into this folder."
    except (OSError, ValueError):
        return "No file can have this name."
    if stat.S_ISDIR(mode):
        return "This is a folder; add a file's name."
    return "" if stat.S_ISREG(mode) else "This is not an ordinary file."


def is_taken(path: Path) -> bool:
    """Return whether the path exists, even as a dangling link."""
    return os.path.lexists(path)
