"""The environment in which Textual is imported and the app is made.

Textual takes settings for its own developers from there: another driver, keys to press, a file to
log to. A wrong one ends in a traceback, and a log would be written wherever it says. Only what a
person may want is left, where it makes sense.

Textual draws sixty times a second at most; what changes just after a frame waits for two more.
Twice as often, an agent's record is on screen some milliseconds sooner.
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
    """Import Textual and make the app here; programs that are started later hear nothing of it."""
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
