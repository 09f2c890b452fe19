"""Which stores to look into: those that a person names, else those where agents keep theirs.

A root is a store's home, a project, or one transcript. What was named and is none of these is
refused with a sentence; a default place that is not there is awaited in silence.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..files.working_directory import DELETED
from ..private.places import expand

RootKind = Literal["home", "project", "file"]
Product = Literal["workbuddy", "workbuddy-ai", "codebuddy", "mycodeagent", ""]

TRANSCRIPTS = Path("memory", "transcripts")
"""Where a project keeps its transcripts."""

DEPTH = 3
"""Levels below a named directory at which projects are still looked for."""

NOTHING = (
    "holds nothing to show: a root is a home with projects/, "
    "a project with memory/transcripts/, or one .jsonl file"
)

DEFAULTS: tuple[tuple[str, Product], ...] = (
    (".workbuddy", "workbuddy"),
    (".workbuddy-ai", "workbuddy-ai"),
    (".codebuddy", "codebuddy"),
)
VARIABLES: tuple[tuple[str, Product], ...] = (
    ("WORKBUDDY_CONFIG_DIR", "workbuddy"),
    ("CODEBUDDY_CONFIG_DIR", "codebuddy"),
)


@dataclass(frozen=True, slots=True)
class Root:
    """A store to watch; `path` is as it was named, made absolute."""

    path: Path
    kind: RootKind
    product: Product
    """Whose store it is; "" where nothing tells."""

    @property
    def home(self) -> Path | None:
        """The home that holds the process registry and the desktop app's database."""
        if self.kind == "home":
            return self.path
        if self.kind == "project":
            return None
        above = self.path.parents
        return next(
            (above[n + 1] for n in (1, 3) if above[n : n + 1] and above[n].name == "projects"), None
        )

    @property
    def store(self) -> Path:
        """The directory with the transcripts, or the one transcript."""
        if self.kind == "home":
            return self.path / "projects"
        return self.path / TRANSCRIPTS if self.kind == "project" else self.path

    def folders(self, user: Path) -> tuple[Path, ...]:
        """The agent's folders, where nothing of ours may lie; `user` is the person's own home.

        A store is all the agent's, unless it is the home of a person who keeps `projects/` there.
        """
        if self.kind == "project":
            return (self.path / TRANSCRIPTS.parts[0],)
        if self.kind == "file" and self.path.parent.parts[-2:] == TRANSCRIPTS.parts:
            return (self.path.parent.parent,)
        home = self.home
        if home is None:
            return ()
        return (home / "projects", home / "sessions") if home == user else (home,)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A named root that cannot be used, and why, in one sentence."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Roots:
    """The roots there are, what was refused, and everywhere that was looked."""

    found: tuple[Root, ...] = ()
    refused: tuple[Refusal, ...] = ()
    looked: tuple[Path, ...] = ()
    awaited: tuple[Path, ...] = ()
    """Default places that hold no store yet; one may appear while the program runs."""
    trees: tuple[Path, ...] = ()
    """Named places that hold projects, or nothing yet; more may appear there likewise."""


def find_roots(
    named: Sequence[Path] | None,
    environ: Mapping[str, str],
    cwd: Path,
    home: Path,
    configured: Sequence[Path] = (),
) -> Roots:
    """The named roots, else those of SESSIONS_ROOT, else the configured ones, else the defaults."""
    wanted = [cwd / path for path in named or ()] or _from_environment(environ, cwd, home)
    wanted = wanted or [cwd / path for path in configured]
    return _named_roots(wanted) if wanted else _default_roots(environ, cwd, home)


def _from_environment(environ: Mapping[str, str], cwd: Path, home: Path) -> list[Path]:
    texts = environ.get("SESSIONS_ROOT", "").split(os.pathsep)
    return [expand(text, home, cwd) for text in texts if text]


def _default_roots(environ: Mapping[str, str], cwd: Path, home: Path) -> Roots:
    places = [(home / name, product) for name, product in DEFAULTS]
    for variable, product in VARIABLES:
        if text := environ.get(variable):
            places.append((expand(text, home, cwd), product))
    found = [Root(path, "home", product) for path, product in places if _is_home(path)]
    if _is_project(cwd):
        found.append(Root(cwd, "project", "mycodeagent"))
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
    """The roots that a named path stands for; OSError where it cannot be looked into."""
    if not stat.S_ISDIR(path.stat().st_mode):
        if path.name.endswith(".jsonl") and is_file(path):
            with path.open("rb"):
                yield Root(path, "file", _product_of_file(path))
        return
    with os.scandir(path):
        pass
    if _is_home(path) and _has_sessions(path):
        yield Root(path, "home", product_of(path))
        if _is_project(path):
            yield Root(path, "project", "mycodeagent")
        return
    projects = [Root(below, "project", "mycodeagent") for below in _projects(path)]
    if not projects and _is_home(path):
        yield Root(path, "home", product_of(path))
    yield from projects


def _projects(top: Path) -> Iterator[Path]:
    """The projects in a tree, its top included, each real directory once."""
    seen: set[str] = set()
    level = [str(top)]
    for depth in range(DEPTH + 1):
        below: list[str] = []
        for folder in level:
            real = os.path.realpath(folder)
            if real in seen:
                continue
            seen.add(real)
            if _is_project(Path(folder)):
                yield Path(folder)
            if depth < DEPTH:
                below += _folders(folder)
        level = below


def _folders(folder: str) -> list[str]:
    """The directories in a directory; none where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if _leads_to_directory(entry))
    except OSError:
        return []


def _leads_to_directory(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink():
        return is_directory(Path(entry.path))
    return entry.is_dir()


def _is_home(path: Path) -> bool:
    """WorkBuddy AI leaves an almost empty `.workbuddy`: the directory alone is not a store."""
    return is_directory(path / "projects") or is_file(path / "workbuddy.db")


def _is_project(path: Path) -> bool:
    return is_directory(path / TRANSCRIPTS)


def _has_sessions(home: Path) -> bool:
    """Whether `projects/` is a store's: an ordinary directory of that name holds projects."""
    if is_file(home / "workbuddy.db"):
        return True
    for folder in _folders(str(home / "projects")):
        try:
            with os.scandir(folder) as entries:
                if any(entry.name.endswith(".jsonl") for entry in entries):
                    return True
        except OSError:
            continue
    return False


def product_of(home: Path) -> Product:
    """Whose store a home is, by its name or by what lies in it."""
    for name, product in DEFAULTS:
        if home.resolve().name == name or home.name == name:
            return product
    return "workbuddy" if is_file(home / "workbuddy.db") else "codebuddy"


def _product_of_file(path: Path) -> Product:
    if path.parent.parts[-2:] == TRANSCRIPTS.parts:
        return "mycodeagent"
    home = Root(path, "file", "").home
    return product_of(home) if home else ""


def is_directory(path: Path) -> bool:
    """Whether a path leads to a directory; False for one that cannot even be asked for."""
    return stat.S_ISDIR(_mode(path))


def is_file(path: Path) -> bool:
    """Whether a path leads to an ordinary file; False for one that cannot even be asked for."""
    return stat.S_ISREG(_mode(path))


def _mode(path: Path) -> int:
    """The mode of what a path leads to; 0 where that cannot be known."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def _distinct(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Each place once, under the name that came first."""
    first: dict[str, Path] = {}
    for path in paths:
        # A `..` after a link does not lead back: only the file system knows where.
        plain = path.resolve() if ".." in path.parts else path
        first.setdefault(os.path.realpath(path), plain)
    return tuple(first.values())


def distinct_roots(roots: Iterable[Root]) -> tuple[Root, ...]:
    """Each store once, under the name that came first, however many links lead to it."""
    first: dict[tuple[str, RootKind], Root] = {}
    for root in roots:
        first.setdefault((os.path.realpath(root.path), root.kind), root)
    return tuple(first.values())
