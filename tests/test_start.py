"""What a start loads, and what is installed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.modules import LAYERS, ROOT, sources

PLACES = ("cache", "data")


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after some code."""
    code += "\nimport sys; sys.stderr.write('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split("\n"))


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
        for path in sources(*LAYERS)
        if path.name == "__init__.py"
    }
    assert set(setuptools["packages"]) == packages
