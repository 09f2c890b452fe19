"""Waits for a command to end, or for a line of input, while handling signals and hang-ups.

A signal may be delivered to any thread, and does not interrupt waiting for a child: so this waits
on a pipe that the low-level signal handler writes to.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

GRACE = 5.0
"""Seconds a command has to end after its terminal is gone."""

SWEEP = 1.0
"""Seconds between checks, on systems that report fewer terminal events."""


def wait(child: subprocess.Popen[bytes], lost: Callable[[], object]) -> int | None:
    """Return the code a child ended with; None if it long outlives the terminal.

    `lost` is called when the terminal is lost.
    """
    if sys.platform == "win32":
        return child.wait()
    with signal_pipe() as pipe:
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        terminal = _terminal()
        if terminal is not None:
            poll.register(terminal, 0)  # hang-ups are always reported
        while (code := child.poll()) is None:
            for fd, state in poll.poll(SWEEP * 1000):
                if fd == pipe:
                    os.read(pipe, 1024)
                elif state & (select.POLLHUP | select.POLLERR | select.POLLNVAL):
                    lost()
                    return _end_soon(child)
        return code


def wait_for_enter() -> None:
    """Wait for enter or the end of input, so that the screen can be read; signals may raise."""
    with suppress(OSError, ValueError, AttributeError):
        fd = sys.__stdin__.fileno()  # type: ignore[union-attr]
        if sys.platform == "win32":
            _read_line(fd)
            return
        with signal_pipe() as pipe:
            poll = select.poll()
            poll.register(pipe, select.POLLIN)
            poll.register(fd, select.POLLIN)
            while True:
                ready = dict(poll.poll())
                if pipe in ready:
                    os.read(pipe, 1024)
                if fd in ready and _ends_line(os.read(fd, 1024)):
                    return


def _read_line(fd: int) -> None:
    while not _ends_line(os.read(fd, 1024)):
        pass


def _ends_line(data: bytes) -> bool:
    return not data or b"\n" in data or b"\r" in data


def _end_soon(child: subprocess.Popen[bytes]) -> int | None:
    with suppress(subprocess.TimeoutExpired):
        return child.wait(GRACE)
    return None


def _terminal() -> int | None:
    with suppress(OSError, ValueError, AttributeError):
        if os.isatty(fd := sys.__stdin__.fileno()):  # type: ignore[union-attr]
            return fd
    return None


@contextmanager
def signal_pipe() -> Iterator[int]:
    """Yield a pipe that becomes readable on each handled signal, and when a child ends."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.signal(signal.SIGCHLD, lambda number, frame: None)
    wakeup = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL if before is None else before)
        os.close(reading)
        os.close(writing)
