"""Lends the terminal to another program and restores it, whatever that program did to it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

FRESH = (
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l"  # no mouse
    "\x1b[?1004l\x1b[?2004l\x1b[?2048l"  # no reports of focus, pastes and size
    "\x1b[?1047l\x1b[?7h\x1b[?1l\x1b>\x1b7\x1b[r\x1b8"  # the normal screen, all of it
    "\x1b[?25h\x1b[0m"
)
"""Resets the terminal's modes without moving the cursor."""

if sys.platform == "win32":

    @contextmanager
    def terminal_kept() -> Iterator[None]:
        """Do nothing: the system restores a console here."""
        yield

else:
    import termios

    @contextmanager
    def terminal_kept() -> Iterator[None]:
        """Lend the terminal in its normal state, and take it back; without one, do nothing."""
        fd = _terminal()
        if fd is None:
            yield
            return
        before = None
        with suppress(termios.error):
            before = termios.tcgetattr(fd)
        _freshen()
        try:
            yield
        finally:
            _take_back(fd)
            if before is not None:
                with suppress(termios.error):
                    termios.tcsetattr(fd, termios.TCSADRAIN, before)
                    termios.tcflush(fd, termios.TCIFLUSH)
            _freshen()

    def _terminal() -> int | None:
        with suppress(OSError, ValueError, AttributeError):
            if os.isatty(fd := sys.__stdin__.fileno()):  # type: ignore[union-attr]
                return fd
        return None

    def _take_back(fd: int) -> None:
        """Return to the foreground if the command left another process group there."""
        with suppress(OSError):
            if os.tcgetpgrp(fd) == os.getpgrp():
                return
            before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            try:
                os.tcsetpgrp(fd, os.getpgrp())
            finally:
                signal.signal(signal.SIGTTOU, before)

    def _freshen() -> None:
        """Turn off modes the command left on; before it, one that Textual does: mouse by pixels."""
        with suppress(OSError, ValueError, AttributeError):
            out = sys.__stdout__
            if out and out.isatty() and os.environ.get("TERM", "dumb") != "dumb":
                out.flush()
                os.write(out.fileno(), FRESH.encode())
