"""When Python looks for what can be let go of: not while the program starts.

What is there then stays, and would be looked at several times before it is there, a tenth of the
time that the start takes, and again for a tenth of a second whenever an agent has written a lot.
"""

from __future__ import annotations

import gc

THRESHOLDS = (700, 10, 40)
"""As Python has them, but for a fourth as many looks at everything: each stops the screen."""


def rest() -> None:
    """Look for nothing until `take_up`."""
    gc.disable()


def take_up() -> None:
    """Look again, but never at what there is now."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
