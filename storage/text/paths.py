"""The file that a call is about: the path in its arguments, on any system the agent ran on."""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

_KEYS = ("file_path", "notebook_path", "path")
"""Arguments that name the file a call is about, in order of preference."""

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/][^\\/]+")
"""Prefixes of absolute Windows paths; tested for every edit, for which `pathlib` is too slow."""


_EXPANDED = re.compile(
    r"~(?:[^/\\]*[/\\]|$)"
    r"|(?:\$[A-Z_][A-Z0-9_]*|\$\{[^/\\]*\}|\$env:\w+|%\w[\w ()]*%)(?:[/\\]|$)",
)
"""A leading home directory or variable. `$id.tsx` and `~$notes.docx` are ordinary file names."""

_KNOWN_VARIABLE = re.compile(
    r"(?:^|[/\\])(?:\$(?:env:)?|\$\{|%)"
    r"(?:HOME|HOMEPATH|HOMEDRIVE|USER|USERNAME|USERPROFILE|LOGNAME|PWD|TMPDIR|TEMP|TMP|APPDATA"
    r"|LOCALAPPDATA|XDG_\w+)[%}]?(?:[/\\]|$)",
    re.IGNORECASE,
)
"""A variable that every system sets, as a component of a path."""


def named_path(args: Any) -> str | None:
    """Return the path in a call's arguments, as written there.

    For a deferred tool the arguments are nested one level deeper.
    """
    if not isinstance(args, dict):
        return None
    if "toolName" in args and isinstance(params := args.get("params"), dict):
        args = params
    values = (args.get(key) for key in _KEYS)
    return next((value for value in values if value and isinstance(value, str)), None)


def absolute(named: str, directory: str | None) -> str | None:
    """Return a path as an absolute one of its own system; None if that cannot be determined.

    That is the case if the base directory is unknown, or if its agent may expand the path, as some
    do in some of their tools.
    """
    if may_expand(named):
        return None
    if is_absolute(named):
        return named
    if directory is None or not is_absolute(directory):
        return None
    # Regardless of this system, a path belongs to the one that the agent ran on.
    system = PureWindowsPath if _is_windows(directory) else PurePosixPath
    return str(system(directory) / named)


def may_expand(path: str) -> bool:
    """Return whether an agent or its shell may expand a home directory or variable in a path."""
    return (path[:1] in "~$%" and _EXPANDED.match(path) is not None) or (
        ("$" in path or "%" in path) and _KNOWN_VARIABLE.search(path) is not None
    )


def is_absolute(path: str) -> bool:
    """Return whether a path is absolute on any system."""
    return path.startswith("/") or _WINDOWS.match(path) is not None


def is_same(one: str, other: str) -> bool:
    """Return whether two absolute paths name the same file, judging by their spelling."""
    if one == other:
        return True
    if _is_windows(one):
        return spelled(one) == ntpath.normcase(ntpath.normpath(other))
    return spelled(one) == posixpath.normpath(other)


def spelled(path: str) -> str:
    """Return the normalised spelling of a path, the same for all spellings of one file."""
    if _is_windows(path):
        return ntpath.normcase(ntpath.normpath(path))
    return posixpath.normpath(path)


def is_foreign(path: str, windows: bool = os.name == "nt") -> bool:
    """Return whether an absolute path belongs to another machine.

    A Windows share always does: merely accessing it would log in there.
    """
    return path.startswith("\\\\") or _is_windows(path) != windows


def _is_windows(path: str) -> bool:
    return not path.startswith("/") and bool(PureWindowsPath(path).drive)


def typed_path(text: str, home: Path, base: Path) -> Path:
    """Return a path as typed by the user: `~` is `home`, relative paths are below `base`."""
    if text == "~" or text.startswith(("~/", "~\\")):
        return home / text[2:]
    return base / text
