"""A bounded search for files below a directory that were modified after a time.

Opens no file and follows no link. Skips what tools and agents keep for themselves. Searches breadth
first, so a search that is cut short has covered the files nearest the top.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..private.places import OWN_FILES
from ..stores.layouts import own_folders

PASSED_BY = frozenset(
    {
        *(".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "__pycache__"),
        *(".venv", "venv", ".tox", ".nox", ".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache"),
        *(".claude", ".codex"),
    }
)
"""Directories of version control, package managers, caches and agents."""

OWN_SIGNS = frozenset({*OWN_FILES, "pyvenv.cfg", "CACHEDIR.TAG"})
"""Files that mark a directory as belonging to this program, a virtual environment or a cache."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search."""

    entries: int = 20_000
    depth: int = 12
    seconds: float = 0.5
    files: int = 50
    """Maximum number of files returned: the earliest modified."""


class ChangedFile(NamedTuple):
    """A file and its modification time in milliseconds since 1970."""

    path: str
    modified_at: int


class ChangedFiles(NamedTuple):
    """The files found, earliest modified first."""

    files: tuple[ChangedFile, ...] = ()
    missing: str = ""
    """Why the list may be incomplete, in one sentence; "" if it is complete."""


def changed_files(
    directory: str,
    since: int,
    skip: Collection[str] = (),
    limits: Limits = Limits(),
    clock: Callable[[], float] = time.monotonic,
) -> ChangedFiles:
    """Return regular files below a directory modified after `since` (ms since 1970).

    `skip`: paths of further directories to skip.
    """
    if why := _refused(directory):
        return ChangedFiles((), why)
    walk = _Walk(limits, clock() + limits.seconds, clock, frozenset(skip))
    found = sorted(walk.changed(directory, since), key=lambda file: (file.modified_at, file.path))
    missing = walk.missing
    if len(found) > limits.files:
        missing = f"{len(found) - limits.files:,} more files changed later. {missing}".strip()
    return ChangedFiles(tuple(found[: limits.files]), missing)


def _refused(directory: str) -> str:
    """Return why a directory is not searched; "" if it can be."""
    try:
        path = Path(directory)
        if not path.is_absolute() or not path.is_dir():
            return "The working directory is not on this machine."
        real = path.resolve()
        if real == Path(real.anchor) or real == Path.home().resolve():
            return "The working directory is too large to be looked through."
    except (OSError, RuntimeError, ValueError):
        return "The working directory cannot be read."
    return ""


class _Walk:
    """One breadth-first walk through a directory."""

    def __init__(
        self, limits: Limits, end: float, clock: Callable[[], float], skip: frozenset[str]
    ) -> None:
        self.missing = ""
        self._own_folders = own_folders()
        self._limits, self._end, self._clock, self._skip = limits, end, clock, skip
        self._entries = 0

    def changed(self, directory: str, since: int) -> Iterator[ChangedFile]:
        waiting: deque[tuple[str, int]] = deque([(directory, 0)])
        while waiting:
            if self._clock() > self._end:
                self.missing = "The search took too long and was cut short."
                return
            path, depth = waiting.popleft()
            files, folders = self._entries_of(path)
            if OWN_SIGNS & files.keys() and depth:
                continue
            yield from (file for file in files.values() if file.modified_at > since)
            if self._entries > self._limits.entries:
                self.missing = f"The search was cut short after {self._limits.entries:,} entries."
                return
            if depth < self._limits.depth:
                waiting.extend((folder, depth + 1) for folder in folders)
            elif folders:
                self.missing = f"Folders more than {self._limits.depth} levels deep were left out."

    def _entries_of(self, path: str) -> tuple[dict[str, ChangedFile], list[str]]:
        """Return the files in a directory, by name, and the directories to descend into."""
        files: dict[str, ChangedFile] = {}
        folders: list[str] = []
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    self._entries += 1
                    if self._entries > self._limits.entries:
                        break
                    self._take(entry, files, folders)
        except OSError:
            self.missing = "Some folders cannot be read."
        return files, folders

    def _take(
        self, entry: os.DirEntry[str], files: dict[str, ChangedFile], folders: list[str]
    ) -> None:
        try:
            if entry.is_dir(follow_symlinks=False):
                if not self._is_passed_by(entry):
                    folders.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                modified = entry.stat(follow_symlinks=False).st_mtime_ns // 1_000_000
                files[entry.name] = ChangedFile(entry.path, modified)
        except OSError:
            return  # deleted meanwhile

    def _is_passed_by(self, entry: os.DirEntry[str]) -> bool:
        if entry.name in PASSED_BY or entry.path in self._skip:
            return True
        parts = Path(entry.path).parts
        return any(parts[-len(names) :] == names for names in self._own_folders)
