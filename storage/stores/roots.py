"""Which session directories to use: those named by the user, else the agents' defaults.

A root is an agent's home, a project, or a single transcript. A named path that is none of these is
refused with a message; a missing default location is silently awaited.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..files.kinds import folders_in, is_file
from ..files.working_directory import DELETED
from ..model.store import SUFFIX, Root, RootKind
from ..text.paths import typed_path
from .layouts import homes, layout_at, layouts

DEPTH = 3
"""How many levels below a named directory projects are searched for."""

NOTHING = (
    "holds nothing to show: a root is a home with projects/, "
    "a project with memory/transcripts/, or one .jsonl file"
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A named root that cannot be used, and the reason in one sentence."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Roots:
    """The roots found, those refused, and all locations examined."""

    found: tuple[Root, ...] = ()
    refused: tuple[Refusal, ...] = ()
    looked: tuple[Path, ...] = ()
    awaited: tuple[Path, ...] = ()
    """Default locations without transcripts so far; they may appear while the program runs."""
    trees: tuple[Path, ...] = ()
    """Named directories with projects, or nothing so far; more may appear in the same way."""


def find_roots(
    named: Sequence[Path] | None,
    environ: Mapping[str, str],
    cwd: Path,
    home: Path,
    configured: Sequence[Path] = (),
) -> Roots:
    """Return the named roots, else those of SESSIONS_ROOT, else configured ones, else defaults."""
    wanted = [cwd / path for path in named or ()] or _from_environment(environ, cwd, home)
    wanted = wanted or [cwd / path for path in configured]
    return _named_roots(wanted) if wanted else _default_roots(environ, cwd, home)


def _from_environment(environ: Mapping[str, str], cwd: Path, home: Path) -> list[Path]:
    texts = environ.get("SESSIONS_ROOT", "").split(os.pathsep)
    return [typed_path(text, home, cwd) for text in texts if text]


def _default_roots(environ: Mapping[str, str], cwd: Path, home: Path) -> Roots:
    places = [(home / one.folder, one.brand) for one in homes()]
    for one in homes():
        if one.variable and (text := environ.get(one.variable)):
            places.append((typed_path(text, home, cwd), one.brand))
    kinds = {home.brand: layout for layout in layouts() for home in layout.homes}
    found = [Root(path, "home", brand) for path, brand in places if kinds[brand].is_home(path)]
    found += _projects_at(cwd)
    looked = _distinct([*(path for path, _ in places), *([cwd] if cwd != DELETED else [])])
    there = {root.path for root in found}
    awaited = tuple(path for path in looked if path not in there)
    return Roots(distinct_roots(found), (), looked, awaited)


def _named_roots(paths: Iterable[Path]) -> Roots:
    found: list[Root] = []
    refused: list[Refusal] = []
    trees: list[Path] = []
    looked = _distinct(paths)
    for path in looked:
        try:
            roots = list(_recognised(path))
        except OSError as error:
            roots = []
            refused.append(Refusal(path, f"{path} {_reason(error)}."))
        else:
            found += roots
            if not roots:
                refused.append(Refusal(path, f"{path} {NOTHING}."))
        if all(root.kind == "project" for root in roots):
            trees.append(path)
    return Roots(distinct_roots(found), tuple(refused), looked, trees=tuple(trees))


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    return f"cannot be read: {error.strerror}"


def _recognised(path: Path) -> Iterator[Root]:
    """Yield the roots in a named path; raises OSError if it cannot be read."""
    if not stat.S_ISDIR(path.stat().st_mode):
        if path.name.endswith(SUFFIX) and is_file(path):
            with path.open("rb"):
                yield Root(path, "file", layout_at(path).brand_of_file(path))
        return
    with os.scandir(path):
        pass
    likely = [layout for layout in layouts() if layout.is_home(path)]
    if used := [layout for layout in likely if layout.has_sessions(path)]:
        yield from (Root(path, "home", layout.brand(path)) for layout in used)
        yield from _projects_at(path)
        return
    projects = [root for below in _tree(path) for root in _projects_at(below)]
    if not projects:
        yield from (Root(path, "home", layout.brand(path)) for layout in likely)
    yield from projects


def _projects_at(path: Path) -> list[Root]:
    """Return the projects that a directory is, one for each agent that keeps transcripts in it."""
    return [Root(path, "project", one.brands[0]) for one in layouts() if one.is_project(path)]


def _tree(top: Path) -> Iterator[Path]:
    """Yield the directories of a tree, including its top, each real directory once."""
    seen: set[str] = set()
    level = [str(top)]
    for depth in range(DEPTH + 1):
        below: list[str] = []
        for folder in level:
            real = os.path.realpath(folder)
            if real in seen:
                continue
            seen.add(real)
            yield Path(folder)
            if depth < DEPTH:
                below += folders_in(folder)
        level = below


def _distinct(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return each real path once, under the name that came first."""
    first: dict[str, Path] = {}
    for path in paths:
        # A `..` after a link does not lead back; only the file system can resolve it.
        plain = path.resolve() if ".." in path.parts else path
        first.setdefault(os.path.realpath(path), plain)
    return tuple(first.values())


def distinct_roots(roots: Iterable[Root]) -> tuple[Root, ...]:
    """Return each root once, under the name that came first, however many links lead to it."""
    first: dict[tuple[str, RootKind], Root] = {}
    for root in roots:
        first.setdefault((os.path.realpath(root.path), root.kind), root)
    return tuple(first.values())
