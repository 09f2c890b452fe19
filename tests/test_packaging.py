"""The wheel holds our namespace alone, and works beside a project with an `app` of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.modules import LAYERS, ROOT

HOSTILE = "raise SystemExit('the wrong app was imported')\n"


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy so that the checkout stays as it is."""
    place = tmp_path_factory.mktemp("build")
    copy = place / "copy"
    for room in LAYERS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", place, copy)
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `sessions`, installed from the wheel; what it depends on is borrowed."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(place), "install", "-q", "--no-deps"]
    run(*pip, wheel)
    (site,) = place.glob("lib/python*/site-packages")
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    # Plain paths: the editable install's own hooks are not borrowed.
    (site / "borrowed.pth").write_text("\n".join(borrowed) + "\n", encoding="utf-8")
    return place / "bin" / "sessions"


def test_the_wheel_holds_our_namespace_alone(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "sessions_tui",
        "sessions_tui-0.1.0.dist-info",
    }
    rooms = {name.split("/")[1] for name in names if name.startswith("sessions_tui/")}
    assert rooms == set(LAYERS)


def test_the_wheel_holds_every_module_and_style_sheet(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for room in LAYERS:
        for path in [*(ROOT / room).rglob("*.py"), *(ROOT / room).rglob("*.tcss")]:
            assert f"sessions_tui/{path.relative_to(ROOT).as_posix()}" in names


def test_a_hostile_app_beside_it_is_not_imported(installed: Path, tmp_path: Path) -> None:
    for name in LAYERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(HOSTILE, encoding="utf-8")
    env = os.environ | {"PYTHONPATH": "."}
    assert run(installed, "--version", cwd=tmp_path, env=env) == "sessions 0.1.0\n"
    (tmp_path / "home" / "projects").mkdir(parents=True)
    places = [f"--{name}-dir={tmp_path / name}" for name in ("cache", "data")]
    listed = run(
        installed, "list", "--json", f"--root={tmp_path / 'home'}", *places, cwd=tmp_path, env=env
    )
    assert '"sessions"' in listed
