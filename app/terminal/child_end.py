"""Waits for a command to end, or a line to be typed, while signals and hang-ups are heard.

A signal may reach any thread of the program, and waiting for a child is not interrupted then: so
what is waited for is a pipe that the system's own handler writes to.
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
"""Seconds that a command has to end after its terminal has gone."""

SWEEP = 1.0
"""Seconds after which is looked at all events, on systems that tell less of a terminal."""


def wait(child: subprocess.Popen[bytes], lost: Callable[[], object]) -> int | None:
    """The code with which a child ended; None if it lives on long after the terminal has gone.

    `lost` is called when the terminal goes.
    """
    if sys.platform == "win32":
        return child.wait()
    with signal_pipe() as pipe:
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        terminal = _terminal()
        if terminal is not None:
            poll.register(terminal, 0)  # a hang-up is told unasked
        while (code := child.poll()) is None:
            for fd, state in poll.poll(SWEEP * 1000):
                if fd == pipe:
                    os.read(pipe, 1024)
                elif state & (select.POLLHUP | select.POLLERR | select.POLLNVAL):
                    lost()
                    return _end_soon(child)
        return code


def wait_for_enter() -> None:
    """Let what is on the screen be read; any end of the input will do, and a signal that raises."""
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
    """The end of a pipe that can be read after each signal with a handler, and a child's end."""
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
