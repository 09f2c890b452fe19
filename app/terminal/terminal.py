"""The terminal apart from drawing: bell, title, and what to do when it is gone.

Textual writes from a separate thread, which then dies; the main thread waits for it forever, and no
longer handles signals.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from textual.app import App
from textual.driver import Driver

KEEP_TITLE, GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"

WRITER = "textual-output"


def driver_class() -> type[Driver] | None:
    """Return the driver class; None for Textual's own."""
    if sys.platform == "win32":
        return None
    from .driver import TerminalDriver

    return TerminalDriver


def end_without_terminal(save: Callable[[], None]) -> None:
    """End the process, after calling `save`, once the terminal cannot be written any more."""
    before = threading.excepthook

    def failed(failure: threading.ExceptHookArgs) -> None:
        is_writer = failure.thread is not None and failure.thread.name == WRITER
        if not (is_writer and isinstance(failure.exc_value, OSError)):
            before(failure)
            return
        save()
        os._exit(128 + getattr(signal, "SIGHUP", 1))

    threading.excepthook = failed


def leave_on_signals(app: App[Any]) -> None:
    """Exit cleanly on termination signals, restoring the terminal and saving everything."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
        with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
            number = getattr(signal, name)
            loop.add_signal_handler(number, partial(app.exit, return_code=128 + number))


def set_title(app: App[Any], title: str | None) -> None:
    """Set the title of the terminal's window or tab; None restores the previous one."""
    if app._driver and not app.is_headless:  # Textual has no public API for this
        app._driver.write(GIVE_TITLE_BACK if title is None else f"\x1b]2;{title}\x07")


def keep_title(app: App[Any]) -> None:
    """Save the current title, so that it can be restored."""
    if app._driver and not app.is_headless:
        app._driver.write(KEEP_TITLE)
