"""The environment in which Textual is imported and the app is created.

Textual reads settings for its own developers from there: another driver, keys to press, a log file.
A wrong one ends in a traceback, and a log would be written wherever it says. Only what a user may
want is kept, if it is valid.

Textual draws at most sixty times a second; a change just after a frame waits for two more.
At twice the rate, an agent's record is on screen some milliseconds earlier.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

PREFIX = "TEXTUAL"

LEFT = frozenset({"TEXTUAL_ANIMATIONS", "TEXTUAL_DISABLE_KITTY_KEY", "TEXTUAL_SMOOTH_SCROLL"})

RATE = "TEXTUAL_FPS"
"""The variable that Textual reads when it is imported."""

FRAMES, MOST_FRAMES = 120, 240


@contextmanager
def quick_frames() -> Iterator[None]:
    """Import Textual and create the app within this; later child processes are unaffected."""
    before = {name: os.environ[name] for name in os.environ if name.startswith(PREFIX)}
    for name in before.keys() - LEFT:
        del os.environ[name]
    wanted = before.get(RATE, "")
    is_rate = wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= MOST_FRAMES
    os.environ[RATE] = wanted if is_rate else str(FRAMES)
    try:
        yield
    finally:
        del os.environ[RATE]
        os.environ.update(before)
