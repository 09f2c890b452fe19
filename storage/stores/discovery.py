"""Which transcripts a session directory contains, found by name: no transcript is opened.

CodeBuddy keeps sessions directly in a workspace's folder, and sub-agents in a folder named after
their parent's id; everything else there (backups, outputs, conflict copies) is not a session.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..files.working_directory import working_directory
from ..text.printed_name import begins, is_printed, unquoted
from .roots import TRANSCRIPTS, Root

SUFFIX = ".jsonl"
META = ".meta.json"
"""Suffix of the file with notes next to a CodeBuddy transcript."""

AGENT = "agent-"
"""Prefix of a sub-agent's file name, before its id."""

_OWN_AGENT = "subagent-"
"""Prefix of the session ids of MyCodeAgent's sub-agents, which are stored among all others."""

PREFIX = "transcript-"
"""Prefix of a transcript's file name in a project, before the session id."""

BACKUPS = frozenset({"_merged_backups", "_jsonl_backup"})
"""Folders that repair tools leave next to the workspaces."""

COPY = re.compile(r"(.+?)(?: \(\d+\)|\.sync-conflict-.*)\.jsonl", re.DOTALL)
"""Names that file synchronisers give to second copies of a transcript."""


class TranscriptFile(NamedTuple):
    """A transcript on disk, identified by its path: directories get copied, including the ids."""

    directory: Path
    name: str
    session: str
    folder: str
    """Name of its workspace's folder."""
    owner: str | None
    """For a sub-agent, the id of its parent, from the folder it is in; else None."""
    stat: os.stat_result
    has_meta: bool = False
    """Whether there is a file of notes, which for a fork names its source."""

    @property
    def path(self) -> Path:
        """Created on demand: ten thousand at once would double the time of a listing."""
        return self.directory / self.name

    @property
    def is_agent(self) -> bool:
        """Whether its location and name are those of a sub-agent."""
        return self.owner is not None or self.session.startswith(_OWN_AGENT)

    @property
    def workspace(self) -> Path:
        """Directory of its workspace."""
        return self.directory if self.owner is None else self.directory.parent.parent


def workspace_of(path: Path) -> Path:
    """Return the directory of a transcript's workspace, derived from the path alone."""
    directory = path.parent
    is_agent = directory.name == "subagents" and path.name.startswith(AGENT)
    return directory.parent.parent if is_agent else directory


class Unreadable(NamedTuple):
    """A file or directory that could not be read, and the reason."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class FoundTranscripts:
    """The transcripts of a root, and what could not be read."""

    files: tuple[TranscriptFile, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


def discover(root: Root) -> FoundTranscripts:
    """Return all transcripts of a root in no particular order, each once despite links."""
    search = _Search()
    if root.kind == "home":
        search.home(root.path)
    elif root.kind == "project":
        search.project(root.path)
    else:
        search.single(root.path)
    search.follow_links()
    return FoundTranscripts(tuple(search.files), tuple(search.unreadable))


def families(
    files: Iterable[TranscriptFile],
    inner_ids: Mapping[Path, str],
    delegated: Mapping[Path, Iterable[str]] | None = None,
) -> dict[Path, Path | None]:
    """Return the parent of each transcript; None if it has none, or the parent is missing.

    `inner_ids`: session ids inside sub-agents' records, as a nested sub-agent is in a folder named
    after its parent's. `delegated`: ids of MyCodeAgent's sub-agents, by path of their parent.
    """
    files = list(files)
    mains = {(file.workspace, file.session): file.path for file in files if file.owner is None}
    agents: dict[tuple[Path, str], Path] = {}
    for file in files:
        if file.owner is not None and (inner := inner_ids.get(file.path)) is not None:
            agents.setdefault((file.workspace, inner), file.path)
    parents: dict[Path, Path | None] = {}
    for file in files:
        key = (file.workspace, file.owner or "")
        parents[file.path] = mains.get(key) or agents.get(key) if file.owner is not None else None
    for parent, children in (delegated or {}).items():
        for child in children:
            if path := mains.get((parent.parent, f"{_OWN_AGENT}{child}")):
                parents[path] = parent
    return without_circles(parents)


@dataclass(frozen=True, slots=True)
class Unknown:
    """No session matches the query."""

    query: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several sessions match the query."""

    query: str
    paths: tuple[Path, ...]


def resolve(query: str, known: Iterable[tuple[str, Path]]) -> Path | Unknown | Ambiguous:
    """Return the transcript for an id, a unique prefix of one, or a path, even if not in `known`.

    An exact id takes precedence over longer ones with that prefix, and an exact name over others
    that are printed the same way.
    """
    known, query = list(known), unquoted(query)
    if path := _resolve_path(query, known):
        return path
    if not query:
        return Unknown(query)
    matches: list[Path] = []
    for means in (str.__eq__, str.startswith, _is_printed, _begins):
        matches = matches or [path for session, path in known if means(session, query)]
    if len(matches) == 1:
        return matches[0]
    return Ambiguous(query, tuple(sorted(matches))) if matches else Unknown(query)


def _resolve_path(query: str, known: Iterable[tuple[str, Path]]) -> Path | None:
    if not query.endswith(SUFFIX) or "\0" in query:
        return None
    named, real = working_directory() / query, _real(query)
    for _, path in known:
        if path == named or (path.name == real.name and _real(path) == real):
            return path
    if os.path.lexists(named):
        return named
    printed = [path for _, path in known if is_printed(str(named), str(path))]
    return printed[0] if len(printed) == 1 else None


def _is_printed(name: str, text: str) -> bool:
    return is_printed(text, name)


def _begins(name: str, text: str) -> bool:
    return begins(text, name)


def without_circles(parents: dict[Path, Path | None]) -> dict[Path, Path | None]:
    """Remove links that make a transcript its own ancestor; modifies and returns `parents`."""
    for path in parents:
        seen = {path}
        at, above = path, parents[path]
        while above is not None and above not in seen:
            seen.add(above)
            at, above = above, parents.get(above)
        if above is not None:
            parents[at] = None
    return parents


class _Folder(NamedTuple):
    """A directory: the path by which it was reached, and its real path."""

    path: Path
    real: Path

    def child(self, entry: os.DirEntry[str]) -> _Folder:
        real = _real(entry.path) if entry.is_symlink() else self.real / entry.name
        return _Folder(self.path / entry.name, real)


class _Name(NamedTuple):
    """What the location of a transcript says about it."""

    session: str
    folder: str
    owner: str | None = None
    has_meta: bool = False


@dataclass(slots=True)
class _Search:
    """The results so far. Links to files are followed last, so that real names take precedence."""

    files: list[TranscriptFile] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    entered: dict[Path, Path] = field(default_factory=dict)
    """Directories already listed, by real path."""
    links: list[tuple[os.DirEntry[str], Path, _Name]] = field(default_factory=list)

    def home(self, home: Path) -> None:
        projects = _folder(home / "projects")
        for entry in sorted(self._entries(projects.path), key=os.DirEntry.is_symlink):
            if entry.name not in BACKUPS and self._is_directory(entry):
                self._workspace(projects.child(entry))

    def project(self, project: Path) -> None:
        folder = _folder(project / TRANSCRIPTS)
        for entry in _transcripts(self._enter(folder)):
            if entry.name.startswith(PREFIX):
                session = entry.name[len(PREFIX) : -len(SUFFIX)]
                self._take(entry, folder.path, _Name(session, project.name))

    def single(self, path: Path) -> None:
        directory, session = path.parent, path.name[: -len(SUFFIX)]
        owner = directory.parent.name if directory.name == "subagents" else None
        workspace = directory if owner is None else directory.parent.parent
        if directory.parts[-2:] == TRANSCRIPTS.parts:
            session, workspace = session.removeprefix(PREFIX), directory.parent.parent
        name = _Name(session, workspace.name, owner)
        try:
            self._add(path.stat(), directory, path.name, name)
        except OSError as error:
            self._refuse(path, error)
        if owner is None:
            self._agents(_folder(directory / session), workspace.name)

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

    def _workspace(self, folder: _Folder) -> None:
        entries, workspace = self._enter(folder), folder.path.name
        fork_notes = {entry.name for entry in entries if entry.name.endswith(META)}
        for entry in _transcripts(entries):
            session = entry.name[: -len(SUFFIX)]
            name = _Name(session, workspace, has_meta=session + META in fork_notes)
            self._take(entry, folder.path, name)
        for entry in entries:
            if not entry.name.endswith(SUFFIX) and self._is_directory(entry):
                self._agents(folder.child(entry), workspace)

    def _agents(self, session: _Folder, workspace: str) -> None:
        folder = _Folder(session.path / "subagents", session.real / "subagents")
        for entry in _transcripts(self._enter(folder)):
            if entry.name.startswith(AGENT):
                name = _Name(entry.name[: -len(SUFFIX)], workspace, session.path.name)
                self._take(entry, folder.path, name)

    def _take(self, entry: os.DirEntry[str], directory: Path, name: _Name) -> None:
        if entry.is_symlink():
            self.links.append((entry, directory, name))
        else:
            self._stat(entry, directory, name)

    def _stat(self, entry: os.DirEntry[str], directory: Path, name: _Name) -> None:
        try:
            self._add(entry.stat(), directory, entry.name, name)
        except OSError as error:
            self._refuse(Path(entry.path), error)

    def _add(self, stats: os.stat_result, directory: Path, file: str, name: _Name) -> None:
        if stat.S_ISREG(stats.st_mode):
            told = (name.session, name.folder, name.owner, stats, name.has_meta)
            self.files.append(TranscriptFile(directory, file, *told))
        elif not stat.S_ISDIR(stats.st_mode):
            self.unreadable.append(Unreadable(directory / file, "is not a regular file"))

    def _enter(self, folder: _Folder) -> list[os.DirEntry[str]]:
        """Return the entries of a directory; none if it was already listed."""
        if folder.real in self.entered:
            return []
        self.entered[folder.real] = folder.path
        return self._entries(folder.path)

    def _entries(self, directory: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(directory) as entries:
                return list(entries)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self._refuse(directory, error)
            return []

    def _is_directory(self, entry: os.DirEntry[str]) -> bool:
        try:
            return entry.is_dir()
        except OSError as error:
            self._refuse(Path(entry.path), error)
            return False

    def _refuse(self, path: Path, error: OSError) -> None:
        self.unreadable.append(Unreadable(path, error.strerror or str(error)))


def _folder(path: Path) -> _Folder:
    return _Folder(path, _real(path))


def _real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))


def _transcripts(entries: Iterable[os.DirEntry[str]]) -> list[os.DirEntry[str]]:
    """Return the entries named like a transcript, without second copies made by synchronisers."""
    named = {
        entry.name: entry
        for entry in entries
        if entry.name.endswith(SUFFIX) and not entry.name.startswith(".")
    }
    return [entry for name, entry in named.items() if not _is_copy(name, named)]


def _is_copy(name: str, named: Mapping[str, object]) -> bool:
    match = COPY.fullmatch(name) if name.endswith(").jsonl") or ".sync-" in name else None
    return match is not None and match[1] + SUFFIX in named
