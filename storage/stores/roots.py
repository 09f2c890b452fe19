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
from typing import Literal

from ..files.working_directory import DELETED
from ..private.places import expand

RootKind = Literal["home", "project", "file"]
Product = Literal["workbuddy", "workbuddy-ai", "codebuddy", "mycodeagent", ""]

TRANSCRIPTS = Path("memory", "transcripts")
"""Where a project keeps its transcripts."""

DEPTH = 3
"""How many levels below a named directory projects are searched for."""

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
    """A session directory to watch; `path` is as named by the user, made absolute."""

    path: Path
    kind: RootKind
    product: Product
    """The agent it belongs to; "" if unknown."""

    @property
    def home(self) -> Path | None:
        """The home with process registry and desktop app database; None if there is none."""
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
        """The directory with the transcripts, or the single transcript."""
        if self.kind == "home":
            return self.path / "projects"
        return self.path / TRANSCRIPTS if self.kind == "project" else self.path

    def folders(self, user: Path) -> tuple[Path, ...]:
        """Return the agent's folders, where we must not write; `user` is the user's home directory.

        The whole home belongs to the agent, unless it is the user's own home with a `projects/` in
        it.
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
    """Yield the roots in a named path; raises OSError if it cannot be read."""
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
    """Yield the projects in a tree, including its top, each real directory once."""
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
    """Return the directories in a directory; none if it cannot be read."""
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
    """Check for content, as WorkBuddy AI leaves an almost empty `.workbuddy` behind."""
    return is_directory(path / "projects") or is_file(path / "workbuddy.db")


def _is_project(path: Path) -> bool:
    return is_directory(path / TRANSCRIPTS)


def _has_sessions(home: Path) -> bool:
    """Return whether `projects/` is an agent's, not an ordinary directory of that name."""
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
    """Return the agent that a home belongs to, by its name or content."""
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
    """Return whether a path leads to a directory; False for an invalid path."""
    return stat.S_ISDIR(_mode(path))


def is_file(path: Path) -> bool:
    """Return whether a path leads to a regular file; False for an invalid path."""
    return stat.S_ISREG(_mode(path))


def _mode(path: Path) -> int:
    """Return the mode of what a path leads to; 0 if unknown."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


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
