"""How often the screen is drawn.

Textual draws sixty times a second at most; what changes just after a frame waits for two more.
Twice as often, an agent's record is on screen some milliseconds sooner.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

RATE = "TEXTUAL_FPS"
"""The variable that Textual reads when it is imported."""

FRAMES = 120


@contextmanager
def quick_frames() -> Iterator[None]:
    """Import Textual here; programs that are started later hear nothing of it."""
    if RATE in os.environ:
        yield
        return
    os.environ[RATE] = str(FRAMES)
    try:
        yield
    finally:
        del os.environ[RATE]
