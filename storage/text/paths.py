"""The file that a call is about: the path in its arguments, on whichever system its agent ran."""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

_KEYS = ("file_path", "notebook_path", "path")
"""Arguments that name the file a call is about, in the order in which they are asked."""

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/][^\\/]+")
"""How absolute paths begin there; asked of every edit, so `pathlib` would be slow."""


_EXPANDED = re.compile(
    r"~(?:[^/\\]*[/\\]|$)"
    r"|(?:\$[A-Z_][A-Z0-9_]*|\$\{[^/\\]*\}|\$env:\w+|%\w[\w ()]*%)(?:[/\\]|$)",
)
"""A home, or a variable, in front. Files that are named `$id.tsx` or `~$notes.docx` are files."""

_KNOWN_VARIABLE = re.compile(
    r"(?:^|[/\\])(?:\$(?:env:)?|\$\{|%)"
    r"(?:HOME|HOMEPATH|HOMEDRIVE|USER|USERNAME|USERPROFILE|LOGNAME|PWD|TMPDIR|TEMP|TMP|APPDATA"
    r"|LOCALAPPDATA|XDG_\w+)[%}]?(?:[/\\]|$)",
    re.IGNORECASE,
)
"""A variable that every system sets, as a part of a path."""


def named_path(args: Any) -> str | None:
    """The path that a call's arguments name, as they name it.

    Those of a deferred tool stand a level deeper, beside its name.
    """
    if not isinstance(args, dict):
        return None
    if "toolName" in args and isinstance(params := args.get("params"), dict):
        args = params
    values = (args.get(key) for key in _KEYS)
    return next((value for value in values if value and isinstance(value, str)), None)


def absolute(named: str, directory: str | None) -> str | None:
    """A path as its own system writes it; None where nobody knows what it is relative to.

    That is so, too, where its agent may expand it: some do, in some of their tools.
    """
    if may_expand(named):
        return None
    if is_absolute(named):
        return named
    if directory is None or not is_absolute(directory):
        return None
    # Whichever system this is, a path belongs to the one that the agent ran on.
    system = PureWindowsPath if _is_windows(directory) else PurePosixPath
    return str(system(directory) / named)


def may_expand(path: str) -> bool:
    """Whether an agent or its shell may take a part of a path for a home or a variable."""
    return (path[:1] in "~$%" and _EXPANDED.match(path) is not None) or (
        ("$" in path or "%" in path) and _KNOWN_VARIABLE.search(path) is not None
    )


def is_absolute(path: str) -> bool:
    """Whether a path is absolute on any system."""
    return path.startswith("/") or _WINDOWS.match(path) is not None


def is_same(one: str, other: str) -> bool:
    """Whether two absolute paths name one file, as far as their writing tells."""
    if one == other:
        return True
    if _is_windows(one):
        return spelled(one) == ntpath.normcase(ntpath.normpath(other))
    return spelled(one) == posixpath.normpath(other)


def spelled(path: str) -> str:
    """A path in one spelling for all that name the same file, as far as their writing tells."""
    if _is_windows(path):
        return ntpath.normcase(ntpath.normpath(path))
    return posixpath.normpath(path)


def is_foreign(path: str, windows: bool = os.name == "nt") -> bool:
    """Whether an absolute path leads to another machine than this one.

    A share of Windows always does: only asking for it would sign in there.
    """
    return path.startswith("\\\\") or _is_windows(path) != windows


def _is_windows(path: str) -> bool:
    return not path.startswith("/") and bool(PureWindowsPath(path).drive)
