"""Suspending and continuing the program: by a key, a signal, or the shell's job control."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import Any

from textual.app import App

if sys.platform == "win32":

    def attend(app: App[Any]) -> None:
        """Do nothing: there is no job control."""

    def suspend(app: App[Any]) -> None:
        """Do nothing: there is no job control."""

else:
    import termios

    PATIENCE, GLANCE = 0.5, 0.005
    """Maximum seconds to wait until this thread handles SIGCONT, and seconds between checks."""

    def attend(app: App[Any]) -> None:
        """Handle stop and continue signals so that the screen is restored as well.

        Textual's own handlers interrupt the program at any point, and do not redraw afterwards.
        """
        loop, heard = asyncio.get_running_loop(), asyncio.Event()
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(signal.SIGTSTP, _stop, app, heard)
            loop.add_signal_handler(signal.SIGCONT, _continue, app, heard)

    def suspend(app: App[Any]) -> None:
        """Stop the whole process group, as the shell's own ctrl+z does."""
        if not app.is_headless:
            os.killpg(os.getpgrp(), signal.SIGTSTP)

    def _stop(app: App[Any], heard: asyncio.Event) -> None:
        """Stop, restore the screen when continued, and set `heard` if the process was stopped.

        The event loop also receives that SIGCONT; `heard` makes `_continue` ignore it.
        """
        driver = app._driver
        if driver is None or not driver.can_suspend:
            return
        driver.suspend_application_mode()
        if _has_stopped():
            heard.set()
        else:
            app.notify("There is no shell to go back to.", severity="warning", markup=False)
        _come_back(app, is_left=True)

    def _has_stopped() -> bool:
        """Stop until continued; return False at once if there is no shell to continue the process.

        The system ignores SIGTSTP in such an orphaned process group.
        """
        continued = threading.Event()

        def hear(number: int, frame: FrameType | None) -> None:
            continued.set()

        before = {
            signal.SIGTSTP: signal.signal(signal.SIGTSTP, signal.SIG_DFL),
            signal.SIGCONT: signal.signal(signal.SIGCONT, hear),
        }
        try:
            # Sent to this thread, so that it has been stopped and continued when the call returns.
            signal.pthread_kill(threading.get_ident(), signal.SIGTSTP)
            # Another thread may have received SIGCONT; Python runs the handler in this one soon.
            end = time.monotonic() + PATIENCE
            while not continued.is_set() and time.monotonic() < end:
                time.sleep(GLANCE)
            return continued.is_set()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _continue(app: App[Any], heard: asyncio.Event) -> None:
        """Restore the screen after SIGSTOP; `_stop` has already handled its own SIGCONT."""
        if heard.is_set():
            heard.clear()
        else:
            _come_back(app)

    def _come_back(app: App[Any], is_left: bool = False) -> None:
        """Set up the terminal again, as the shell has changed its settings.

        `is_left` means that application mode is already suspended.
        """
        driver = app._driver
        if driver is None or not driver.can_suspend:
            return
        _wait_for_foreground()
        if not is_left:
            driver.suspend_application_mode()
        driver.resume_application_mode()
        app.refresh(layout=True)

    def _wait_for_foreground() -> None:
        """Wait for the foreground: setting attributes stops a background process until then."""
        with suppress(termios.error, OSError, ValueError, AttributeError):
            fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
            termios.tcsetattr(fd, termios.TCSANOW, termios.tcgetattr(fd))
