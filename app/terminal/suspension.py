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
    """Seconds in which the signal to go on is heard by the thread that stopped; between looks."""

    def attend(app: App[Any]) -> None:
        """Handle stop and continue signals so that the screen is restored, too.

        Textual does this in the signal handlers themselves, interrupting whatever the program does,
        and does not redraw afterwards.
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
        """Stop, and take the screen back on SIGCONT, setting `heard`.

        The event loop also wakes up for the SIGCONT handled here; `heard` makes it skip that one.
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
        """Stop until continued; return False at once if there is no shell to continue us.

        In that case (an orphaned process group) the system ignores the signal.
        """
        continued = threading.Event()

        def hear(number: int, frame: FrameType | None) -> None:
            continued.set()

        before = {
            signal.SIGTSTP: signal.signal(signal.SIGTSTP, signal.SIG_DFL),
            signal.SIGCONT: signal.signal(signal.SIGCONT, hear),
        }
        try:
            # To this thread, so that it has stopped and continued when the call returns.
            signal.pthread_kill(threading.get_ident(), signal.SIGTSTP)
            # Another thread may have received SIGCONT, and will soon hand it to this one.
            end = time.monotonic() + PATIENCE
            while not continued.is_set() and time.monotonic() < end:
                time.sleep(GLANCE)
            return continued.is_set()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _continue(app: App[Any], heard: asyncio.Event) -> None:
        """Resume after SIGSTOP; a stop that was made here has already been handled."""
        if heard.is_set():
            heard.clear()
        else:
            _come_back(app)

    def _come_back(app: App[Any], is_left: bool = False) -> None:
        """Restore the terminal to our settings; the shell has changed it since."""
        driver = app._driver
        if driver is None or not driver.can_suspend:
            return
        _wait_for_foreground()
        if not is_left:
            driver.suspend_application_mode()
        driver.resume_application_mode()
        app.refresh(layout=True)

    def _wait_for_foreground() -> None:
        """Wait to be in the foreground: until then the system stops us here."""
        with suppress(termios.error, OSError, ValueError, AttributeError):
            fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
            termios.tcsetattr(fd, termios.TCSANOW, termios.tcgetattr(fd))
