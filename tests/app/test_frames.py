"""How often the screen is drawn, and that nobody else is told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os
from sessions_tui.app.frames import quick_frames
with quick_frames():
    from textual import constants
print(constants.MAX_FPS, os.environ.get("TEXTUAL_FPS"))
"""


@pytest.mark.parametrize(
    ("wanted", "told"), [({}, "120 None\n"), ({"TEXTUAL_FPS": "30"}, "30 30\n")]
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
