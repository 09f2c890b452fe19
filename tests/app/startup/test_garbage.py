"""The collector rests while the program starts, looks again then, and finds nothing left behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from textual.dom import DOMNode

from sessions_tui.app.demo.steps import Answer, Prompt
from tests.app.sitting import Home, Sit

IMPORTED = """
import gc
from sessions_tui.app.startup import garbage
garbage.rest()
before = [one["collections"] for one in gc.get_stats()]
import sessions_tui.app.desk
print([one["collections"] for one in gc.get_stats()] == before)
garbage.take_up()
print(gc.isenabled(), gc.get_freeze_count() > 10_000)
"""

OPENED = """
import gc
from sessions_tui.app.command_line import main
print(main(["--root", {root!r}]), gc.isenabled(), gc.get_freeze_count() > 10_000)
"""


def test_it_rests_until_it_is_taken_up() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True)
    assert done.stdout == "True\nTrue True\n", done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_the_screen_takes_it_up(home: Home) -> None:
    from tests.app.seat import Seat

    home.agent("s").does(Prompt("ask"), Answer("answer"))
    words = [sys.executable, "-c", OPENED.format(root=str(home.root))]
    environ = {**os.environ, "HOME": str(home.folder), "TERM": "xterm-256color"}
    seat = Seat(words, environ, Path.cwd())
    try:
        seat.sees(b"Quit")
        seat.types(b"?")
        seat.sees(b"closes")
        seat.types(b"?q")
        assert seat.sees(b"0 True True")
    finally:
        seat.leave()


@pytest.mark.anyio
async def test_going_to_and_fro_leaves_nothing_behind(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("s")
        counts = []
        for _ in range(3):
            for _ in range(10):
                await mei.press("escape", "tab", "enter")
            await mei.pilot.pause()
            counts.append(widgets())
    assert counts[0] == counts[1] == counts[2]


def widgets() -> Counter[str]:
    """Widgets that anything still holds, by their class."""
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, DOMNode))
