"""The modules of the program as their source shows them: what they import, name and define."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYERS = ("app", "widgets", "storage")
CASES = ROOT / "tests" / "cases"
"""Files as other programs leave them, Python among them."""


def sources(*folders: str) -> list[Path]:
    """The Python files below some folders of the repository."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if CASES not in path.parents)


def name_of(path: Path) -> str:
    """A path as it is spelled from the top of the repository."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    """The parsed source of a module."""
    return ast.parse(path.read_bytes())


@cache
def modules() -> dict[tuple[str, ...], Path]:
    """Each module of the program by its dotted path: layer, packages, name."""
    found = {path.relative_to(ROOT).with_suffix("").parts: path for path in sources(*LAYERS)}
    return {parts[:-1] if parts[-1] == "__init__" else parts: at for parts, at in found.items()}


@cache
def imports(path: Path) -> frozenset[Path]:
    """The modules of the program that one imports, those for types alone left out."""
    tree = tree_of(path)
    for_types = {
        id(inner) for node in ast.walk(tree) if _is_for_types(node) for inner in ast.walk(node)
    }
    names = {
        name
        for node in ast.walk(tree)
        if id(node) not in for_types
        for name in _imported(node, path)
    }
    found = {at for name in names if (at := modules().get(name) or modules().get(name[:-1]))}
    return frozenset(found - {path})


def _imported(node: ast.AST, path: Path) -> Iterator[tuple[str, ...]]:
    """The dotted paths that an import names, from the top of the repository or of the package."""
    if isinstance(node, ast.Import):
        names = [tuple(alias.name.split(".")) for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        package = path.relative_to(ROOT).parent.parts
        start = package[: len(package) - node.level + 1] if node.level else ()
        module = (*start, *(node.module or "").split(".")) if node.module else start
        names = [(*module, alias.name) for alias in node.names]
    else:
        return
    yield from (name[1:] if name[0] == "sessions_tui" else name for name in names)


def place_of(path: Path) -> tuple[str, str]:
    """The layer and the package of a module; "" for one of the layer itself."""
    layer, *rest = path.relative_to(ROOT).parts
    return layer, rest[0] if len(rest) > 1 else ""


def texts_in(path: Path) -> Iterator[str]:
    """The strings of a module that are not docstrings."""
    tree = tree_of(path)
    said = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is str and id(node) not in said:
            yield node.value


def reads_attribute(path: Path, owner: str, *names: str) -> bool:
    """Whether a module says `owner.name`, or `….owner.name`; `_owner` is the same."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in names
        and owner == getattr(node.value, "attr", getattr(node.value, "id", "")).lstrip("_")
        for node in ast.walk(tree_of(path))
    )


def classes(path: Path) -> Iterator[ast.ClassDef]:
    """The classes that a module defines at its top."""
    return (node for node in tree_of(path).body if isinstance(node, ast.ClassDef))


def attributes(kind: ast.ClassDef) -> set[str]:
    """What a class declares, and what its methods set on `self`."""
    declared = {
        node.target.id
        for node in kind.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return declared | {
        node.attr
        for node in ast.walk(kind)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


def methods(kind: ast.ClassDef) -> list[str]:
    """The methods that a class defines."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in kind.body if isinstance(node, functions)]


def cycles() -> list[set[str]]:
    """The groups of modules that import each other, directly or through others.

    The table of an agent imports the agent's parts when they are first used, so it closes no cycle.
    """
    reach = {
        path: set[Path]() if _is_table(path) else set(imports(path)) for path in modules().values()
    }
    found: list[set[str]] = []
    for path in reach:
        seen = _below(path, reach)
        if path in seen:
            group = {name_of(path)} | {name_of(one) for one in seen if path in _below(one, reach)}
            if group not in found:
                found.append(group)
    return found


def _is_table(path: Path) -> bool:
    return path.name == "__init__.py" and path.parents[1].name == "agents"


def _below(path: Path, reach: dict[Path, set[Path]]) -> set[Path]:
    seen, left = set[Path](), list(reach[path])
    while left:
        if (one := left.pop()) not in seen:
            seen.add(one)
            left.extend(reach[one])
    return seen


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
