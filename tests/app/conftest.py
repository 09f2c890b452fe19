"""What tests of the program share: `sessions` run in a home of its own, or sat at."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.app.command_line import main

from .sitting import home as home
from .sitting import sit as sit
from .sitting import threads as threads

CASES = Path(__file__).parents[1] / "cases"


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document that was printed."""
        return strict(self.out)

    @property
    def objects(self) -> list[Any]:
        """The JSON objects that were printed, one a line."""
        return [strict(line) for line in self.out.split("\n") if line]


def strict(text: str) -> Any:
    """JSON without NaN and Infinity, in text that is valid UTF-8."""
    text.encode()

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def alone(case: Path, folder: Path) -> Path:
    """A case in a folder of its own, whose neighbours need not be asked if they continue it."""
    if case.parents[1] != CASES and case.parent.name != "fuzz":
        return case  # one of a store, where others belong to it
    own = folder / f"{case.parent.name}-{case.stem}"
    own.mkdir()
    return Path(shutil.copy(case, own))


Sessions = Callable[..., Ran]


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory without anything in it."""
    home = tmp_path / "user"
    home.mkdir()
    for name in [*os.environ]:
        if name.startswith(("SESSIONS_", "XDG_", "WORKBUDDY_", "CODEBUDDY_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def sessions(own_home: Path, capsys: pytest.CaptureFixture[str]) -> Sessions:
    """Runs a command in this process."""

    def run(*words: object) -> Ran:
        try:
            code = main(
                [os.fspath(word) if isinstance(word, Path) else str(word) for word in words]
            )
        except SystemExit as ended:  # so does argparse
            code = int(ended.code or 0)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def program(own_home: Path) -> str:
    """The installed command, for tests that need a process of its own."""
    return str(Path(sys.executable).with_name("sessions"))


@pytest.fixture
def store() -> Path:
    """A whole store as found on disk."""
    return CASES / "product-store"
