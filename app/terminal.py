"""What to do when the terminal goes away while the program draws.

Textual writes from a thread of its own, which dies then; its main thread waits for that for ever,
and hears no signal any more.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

WRITER = "textual-output"


def end_without_terminal(save: Callable[[], None]) -> None:
    """End the process, after `save`, as soon as nothing can be written any more."""
    before = threading.excepthook

    def failed(failure: threading.ExceptHookArgs) -> None:
        is_writer = failure.thread is not None and failure.thread.name == WRITER
        if not (is_writer and isinstance(failure.exc_value, OSError)):
            before(failure)
            return
        save()
        os._exit(128 + getattr(signal, "SIGHUP", 1))

    threading.excepthook = failed
