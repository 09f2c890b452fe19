"""How a folder is named: by its last part first, and from the person's home where it lies there."""

from __future__ import annotations

from pathlib import Path, PurePath, PureWindowsPath


def below_home(path: str) -> str:
    """A path with `~` for the person's home directory."""
    try:
        home = str(Path.home())
    except RuntimeError:  # nobody can tell where it is
        return path
    if path == home:
        return "~"
    inside = path.startswith((home + "/", home + "\\"))
    return "~" + path[len(home) :] if inside else path


def folder_name(path: str) -> str:
    """The last folder of a path, whichever system it is from."""
    return _pure(path).name or path


def folder_place(path: str) -> str:
    """What stands above the last folder of a path; "" where there is nothing to tell."""
    pure = _pure(below_home(path))
    above = str(pure.parent)
    return "" if above in (".", str(pure)) else above


def _pure(path: str) -> PurePath:
    return PureWindowsPath(path) if "\\" in path else PurePath(path)
