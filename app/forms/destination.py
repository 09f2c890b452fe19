"""Where an export may be written: what a person typed as a path, and what speaks against it."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def destination(typed: str, directory: Path) -> Path:
    """The file that was meant: `~` is the home, what is relative lies in the directory."""
    try:
        return directory / Path(typed).expanduser()
    except RuntimeError:  # there is no such home
        return directory / typed


def objection(path: Path) -> str:
    """Why no file can be written there, in a sentence; "" if one can, as far as looking tells."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "" if path.parent.is_dir() else "There is no such folder."
    except PermissionError:
        return "You may not look into this folder."
    except (OSError, ValueError):
        return "No file can have this name."
    if stat.S_ISDIR(mode):
        return "This is a folder; add a file's name."
    return "" if stat.S_ISREG(mode) else "This is not an ordinary file."


def is_taken(path: Path) -> bool:
    """Whether something of this name is there already, be it a link to nowhere."""
    return os.path.lexists(path)
