"""When Python collects garbage: not while the program starts.

Objects created by then stay alive, and would be traversed several times during the start, taking a
tenth of its time, and again for a tenth of a second whenever an agent has written a lot.
"""

from __future__ import annotations

import gc

THRESHOLDS = (700, 10, 40)
"""Python's defaults, but with a fourth as many full collections: each one blocks the UI."""


def rest() -> None:
    """Disable garbage collection until `take_up`."""
    gc.disable()


def take_up() -> None:
    """Enable it again, ignoring everything that exists now."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
