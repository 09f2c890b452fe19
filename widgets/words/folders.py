"""Names of folders: the last part, and paths relative to the user's home."""

from __future__ import annotations

from pathlib import Path, PurePath, PureWindowsPath


def below_home(path: str) -> str:
    """Return a path with `~` for the user's home directory."""
    try:
        home = str(Path.home())
    except RuntimeError:  # the home directory is unknown
        return path
    if path == home:
        return "~"
    inside = path.startswith((home + "/", home + "\\"))
    return "~" + path[len(home) :] if inside else path


def folder_name(path: str) -> str:
    """Return the last folder of a path, from any operating system."""
    return _pure(path).name or path


def folder_place(path: str) -> str:
    """Return what precedes the last folder of a path; "" if there is nothing to show."""
    pure = _pure(below_home(path))
    above = str(pure.parent)
    return "" if above in (".", str(pure)) else above


def _pure(path: str) -> PurePath:
    return PureWindowsPath(path) if "\\" in path else PurePath(path)
