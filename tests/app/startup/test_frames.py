"""How often the screen is drawn, and that nobody else is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.seat import Seat

PROGRAM = """
import os
from sessions_tui.app.startup.frames import quick_frames
with quick_frames():
    from textual import constants
print(constants.MAX_FPS, os.environ.get("TEXTUAL_FPS"))
"""


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({}, "120 None\n"),
        ({"TEXTUAL_FPS": "30"}, "30 30\n"),
        ({"TEXTUAL_FPS": "0"}, "120 0\n"),
        ({"TEXTUAL_FPS": "1000000000000"}, "120 1000000000000\n"),
        ({"TEXTUAL_FPS": "fast"}, "120 fast\n"),
    ],
)
def test_frames(wanted: dict[str, str], told: str) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environ | wanted, capture_output=True, text=True)
    assert done.stdout == told, done.stderr


def test_the_screen_is_imported_so() -> None:
    program = (
        "import sys; from sessions_tui.app.commands import open_; print('textual' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_no_variable_of_textuals_does_harm(tmp_path: Path, program: str) -> None:
    odd = {
        "TEXTUAL": "debug,devtools,headless,nonsense",
        "TEXTUAL_DRIVER": "nonsense",
        "TEXTUAL_DEBUG": "1",
        "TEXTUAL_LOG": str(tmp_path / "log"),
        "TEXTUAL_FILTERS": "nonsense",
        "TEXTUAL_COLOR_SYSTEM": "nonsense",
        "TEXTUAL_THEME": "nonsense",
        "TEXTUAL_PRESS": "ctrl+q",
        "TEXTUAL_SCREENSHOT": "0",
        "TEXTUAL_SCREENSHOT_LOCATION": str(tmp_path),
        "TEXTUAL_DIM_FACTOR": "-700",
        "TEXTUAL_ALLOW_SIGNALS": "1",
        "TEXTUAL_FPS": "0",
        "ESCDELAY": "nonsense",
    }
    environ = {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "130", "HOME": str(tmp_path)}
    seat = Seat([program], environ | odd, tmp_path)
    try:
        seat.sees(b"No sessions yet")
        seat.types(b"\x03?")  # no interrupt
        seat.sees(b"Help")
        seat.types(b"\x11")
        assert seat.ends() == 0
    finally:
        seat.leave()
    assert b"Traceback" not in seat.printed
    assert sorted(path.name for path in tmp_path.iterdir()) == [".local", "user"]
