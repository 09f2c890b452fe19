"""The shape of the code: which way imports point, what a start loads, how long a file may be."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("app", "widgets", "storage")
BELOW = {
    "app": {"app", "widgets", "storage"},
    "widgets": {"widgets", "storage"},
    "storage": {"storage"},
}
PLAIN_DATA = {"folds", "model", "text"}
"""Packages of storage that hold shapes alone, so that widgets may know them."""
CASES = ROOT / "tests" / "cases"
"""Files as other programs leave them, Python among them."""
LONGEST_FILE = 400
PLACES = ("cache", "data")


def sources(*folders: str) -> list[Path]:
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in found if CASES not in path.parents)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """What a file imports, as dotted paths from the top of the repository or of a package."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = (*start, *(node.module or "").split(".")) if node.module else start
            yield from ((*module, alias.name) for alias in node.names)


def room_of(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Inside our own names: the path from the room on; otherwise nothing."""
    parts = parts[1:] if parts[0] == "sessions_tui" else parts
    return parts if parts and parts[0] in ROOMS else ()


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after some code."""
    code += "\nimport sys; sys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split("\n"))


@pytest.mark.parametrize("path", sources(*ROOMS), ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    for parts in imported(path):
        if inside := room_of(parts):
            assert inside[0] in BELOW[room], f"{name_of(path)} imports {'.'.join(parts)}"


@pytest.mark.parametrize("path", sources("widgets"), ids=name_of)
def test_widgets_know_plain_data_alone(path: Path) -> None:
    for parts in imported(path):
        inside = room_of(parts)
        if inside[:1] == ("storage",):
            assert inside[1] in PLAIN_DATA, f"{name_of(path)} imports {'.'.join(parts)}"


@pytest.mark.parametrize("path", sources(*ROOMS, "tests", "screenshots"), ids=name_of)
def test_files_are_short_and_say_why_they_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    assert lines <= LONGEST_FILE
    assert ast.get_docstring(ast.parse(text)), "a module without a docstring"


@pytest.mark.parametrize("path", sources(*ROOMS), ids=name_of)
def test_what_is_public_has_a_docstring(path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.name.startswith("_") or ast.get_docstring(node), node.name


def test_storage_needs_no_terminal() -> None:
    modules = [
        "sessions_tui." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sources("storage")
    ]
    loaded = loaded_by("\n".join(f"import {name.removesuffix('.__init__')}" for name in modules))
    assert not {"textual", "rich"} & loaded
    assert not any(name.startswith("sessions_tui.widgets") for name in loaded)


@pytest.mark.parametrize("arguments", [["--version"], ["list"], ["list", "--json"]])
def test_a_cold_start_loads_no_textual(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    options = [f"--root={tmp_path}", *(f"--{name}-dir={tmp_path / name}" for name in PLACES)]
    words = arguments if "--version" in arguments else [*arguments, *options]
    code = (
        "import sys, contextlib\n"
        "from sessions_tui.app.command_line import main\n"
        f"sys.argv = ['sessions', *{words!r}]\n"
        "with contextlib.suppress(SystemExit):\n    main()"
    )
    loaded = loaded_by(code)
    assert "sessions_tui.app.command_line" in loaded
    assert "textual" not in loaded
    assert "watchfiles" not in loaded


def test_every_package_is_installed() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packages = {
        ".".join(("sessions_tui", *path.relative_to(ROOT).parent.parts))
        for path in sources(*ROOMS)
        if path.name == "__init__.py"
    }
    assert set(setuptools["packages"]) == packages


def test_nothing_names_the_place_of_the_checkout() -> None:
    texts = [*sources(*ROOMS, "tests", "screenshots"), *ROOT.glob("*.md"), ROOT / "Makefile"]
    for path in texts:
        assert str(ROOT) not in path.read_text(encoding="utf-8"), name_of(path)
