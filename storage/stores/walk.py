"""A walk through session directories that opens no transcript and lists no directory twice."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..model.store import SUFFIX, Named, TranscriptFile

_COPY = re.compile(r"(.+?)(?: \(\d+\)|\.sync-conflict-.*)\.jsonl", re.DOTALL)
"""Names that file synchronisers give to second copies of a transcript."""


class Unreadable(NamedTuple):
    """A file or directory that could not be read, and the reason."""

    path: Path
    reason: str


class Folder(NamedTuple):
    """A directory: the path by which it was reached, and its real path."""

    path: Path
    real: Path

    def child(self, entry: os.DirEntry[str]) -> Folder:
        """Return a directory in this one."""
        real = _real(entry.path) if entry.is_symlink() else self.real / entry.name
        return Folder(self.path / entry.name, real)

    def below(self, name: str) -> Folder:
        """Return a directory in this one that is no link."""
        return Folder(self.path / name, self.real / name)


@dataclass(slots=True)
class Walk:
    """The results so far. Links to files are followed last, so that real names take precedence."""

    files: list[TranscriptFile] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    entered: dict[Path, Path] = field(default_factory=dict)
    """Directories already listed, by real path."""
    links: list[tuple[os.DirEntry[str], Path, Named]] = field(default_factory=list)

    @staticmethod
    def folder(path: Path) -> Folder:
        """Return a directory with its real path."""
        return Folder(path, _real(path))

    @staticmethod
    def transcripts(entries: Iterable[os.DirEntry[str]]) -> list[os.DirEntry[str]]:
        """Return the entries named like a transcript, without copies made by synchronisers."""
        named = {
            entry.name: entry
            for entry in entries
            if entry.name.endswith(SUFFIX) and not entry.name.startswith(".")
        }
        return [entry for name, entry in named.items() if not _is_copy(name, named)]

    def take(self, entry: os.DirEntry[str], directory: Path, name: Named) -> None:
        """Add the transcript of a directory entry."""
        if entry.is_symlink():
            self.links.append((entry, directory, name))
        else:
            self._stat(entry, directory, name)

    def take_path(self, path: Path, name: Named) -> None:
        """Add the transcript at a path."""
        try:
            self._add(path.stat(), path.parent, path.name, name)
        except OSError as error:
            self.refuse(path, error)

    def follow_links(self) -> None:
        """Add the linked transcripts that were not found under their real names."""
        if not self.links:
            return
        real = {path: real for real, path in self.entered.items()}
        seen = {real.get(file.directory, file.directory) / file.name for file in self.files}
        for entry, directory, name in self.links:
            target = _real(entry.path)
            if target not in seen:
                seen.add(target)
                self._stat(entry, directory, name)

    def enter(self, folder: Folder) -> list[os.DirEntry[str]]:
        """Return the entries of a directory; none if it was already listed."""
        if folder.real in self.entered:
            return []
        self.entered[folder.real] = folder.path
        return self.entries(folder.path)

    def entries(self, directory: Path) -> list[os.DirEntry[str]]:
        """Return the entries of a directory; none if it cannot be read."""
        try:
            with os.scandir(directory) as entries:
                return list(entries)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self.refuse(directory, error)
            return []

    def is_directory(self, entry: os.DirEntry[str]) -> bool:
        """Return whether an entry is a directory or leads to one."""
        try:
            return entry.is_dir()
        except OSError as error:
            self.refuse(Path(entry.path), error)
            return False

    def refuse(self, path: Path, error: OSError) -> None:
        """Note that something cannot be read."""
        self.unreadable.append(Unreadable(path, error.strerror or str(error)))

    def _stat(self, entry: os.DirEntry[str], directory: Path, name: Named) -> None:
        try:
            self._add(entry.stat(), directory, entry.name, name)
        except OSError as error:
            self.refuse(Path(entry.path), error)

    def _add(self, stats: os.stat_result, directory: Path, file: str, name: Named) -> None:
        if stat.S_ISREG(stats.st_mode):
            session, workspace, owner, is_agent, has_notes = name
            self.files.append(
                TranscriptFile(
                    directory,
                    file,
                    session,
                    workspace.name,
                    owner,
                    stats,
                    workspace,
                    is_agent,
                    has_notes,
                )
            )
        elif not stat.S_ISDIR(stats.st_mode):
            self.unreadable.append(Unreadable(directory / file, "is not a regular file"))


def _is_copy(name: str, named: Mapping[str, object]) -> bool:
    match = _COPY.fullmatch(name) if name.endswith(").jsonl") or ".sync-" in name else None
    return match is not None and match[1] + SUFFIX in named


def _real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))
