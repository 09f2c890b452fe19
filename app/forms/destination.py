"""Where an export may be written: what a person typed as a path, and what speaks against it."""

from __future__ import annotations

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
        if path.is_dir():
            return "This is a folder; add a file's name."
        if path.exists() and not path.is_file():
            return "This is not an ordinary file."
        return "" if path.parent.is_dir() else "There is no such folder."
    except (OSError, ValueError):
        return "No file can have this name."


def is_taken(path: Path) -> bool:
    """Whether a file is there already."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
