"""Runs a program in a pseudo-terminal: waits for text, sends keys, and knows when all is drawn."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from .processes import Usage, usage_of

ESCAPE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[@-Z\\-_])"
)
OVERLAP = 8_192
"""Bytes that are searched again with each piece: text and escapes may come in two."""

PATIENCE = 120.0
"""Seconds after which text that was waited for will not come."""


class NotShown(Exception):
    """What was waited for did not come to the screen."""


class Terminal:
    """One program, from its start on."""

    def __init__(
        self, command: Sequence[str], size: tuple[int, int], environ: Mapping[str, str]
    ) -> None:
        self.started = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            _become(command, size, environ)
        self._heard = b""

    def wait_for(self, text: str, patience: float = PATIENCE) -> float:
        """The time at which a text came to the screen; what came before `forget` is not counted."""
        wanted, until = text.encode(), time.perf_counter() + patience
        if self.has_shown(text):
            return time.perf_counter()
        while (left := until - time.perf_counter()) > 0:
            piece = self.hear(left)
            if wanted in plain(self._heard[-len(piece) - OVERLAP :]):
                return time.perf_counter()
        raise NotShown(f"{text!r} did not come to the screen in {patience:.0f} s")

    def has_shown(self, text: str) -> bool:
        """Whether a text has come to the screen since `forget`."""
        return text.encode() in plain(self._heard)

    def send(self, keys: bytes) -> float:
        """Press keys; the time just before that."""
        now = time.perf_counter()
        os.write(self._fd, keys)
        return now

    def drawn(self, quiet: float, patience: float | None = None) -> float | None:
        """The time of the last output before a silence; None where there was silence only.

        Output may begin as late as after `patience` seconds.
        """
        last, wait = None, patience or quiet
        while self.hear(wait):
            last, wait = time.perf_counter(), quiet
        return last

    def rest(self, seconds: float) -> None:
        """Let the program run, drawing what it likes."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            self.hear(left)

    def hear(self, seconds: float) -> bytes:
        """The next piece of output; empty where none comes in time."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return b""
        try:
            piece = os.read(self._fd, 1 << 16)
        except OSError:  # so Linux tells that nobody holds the other end any more
            piece = b""
        if not piece:
            said = plain(self._heard[-OVERLAP:]).decode(errors="replace").strip()
            raise NotShown(f"the program ended and said: {said}")
        self._heard += piece
        return piece

    def forget(self) -> None:
        """Count only what comes from now on as shown."""
        self._heard = b""

    def usage(self) -> Usage:
        """What the program and its children use."""
        return usage_of(self.pid)

    def close(self) -> None:
        """End the program."""
        os.kill(self.pid, signal.SIGTERM)
        for _ in range(60):
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                break
            with suppress(NotShown):
                self.hear(0.05)
        else:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)


@contextmanager
def running(
    command: Sequence[str], size: tuple[int, int], environ: Mapping[str, str]
) -> Iterator[Terminal]:
    """A program in a terminal of (rows, columns), ended afterwards."""
    terminal = Terminal(command, size, environ)
    try:
        yield terminal
    finally:
        terminal.close()


def _become(command: Sequence[str], size: tuple[int, int], environ: Mapping[str, str]) -> None:
    """Turn the child into the program; never returns."""
    try:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        os.execvpe(command[0], list(command), dict(environ))
    finally:
        os._exit(127)


def plain(output: bytes) -> bytes:
    """Output without its escapes."""
    return ESCAPE.sub(b"", output)
