"""What tests of a real terminal share: a person in front of a pty, and an agent to be resumed."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE = 60.0

AGENT = """\
#!{python}
import json, os, signal, sys, termios, tty
from pathlib import Path
report = {{
    "argv": sys.argv[1:], "cwd": os.getcwd(), "pid": os.getpid(),
    "environ": dict(os.environ),
    "local": termios.tcgetattr(0)[3] if os.isatty(0) else None,
    "ignored": [n.name for n in signal.valid_signals()
                if hasattr(n, "name") and signal.getsignal(n) == signal.SIG_IGN],
}}
place = Path({report!r})
place.with_suffix(".part").write_text(json.dumps(report))
place.with_suffix(".part").replace(place)
{body}
"""


def write_agent(path: Path, report: Path, body: str) -> Path:
    """An executable that says how it was called, then does what the body says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(AGENT.format(python=sys.executable, report=str(report), body=body))
    path.chmod(0o755)
    return path


def read_report(path: Path) -> dict[str, Any]:
    """How the agent was called."""
    return dict(json.loads(path.read_text()))


class Seat:
    """A program on a terminal of its own, and who sits at it."""

    def __init__(self, words: list[str], environ: dict[str, str], cwd: Path) -> None:
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execve(words[0], words, environ)
        self._open = [self._fd]
        self.printed = b""
        self._read_to = 0
        self.code: int | None = None

    def until(self, true: Callable[[], bool]) -> bool:
        """Read what is printed until something is so; whether it came to that."""
        deadline = time.monotonic() + PATIENCE
        while not true() and time.monotonic() < deadline:
            if select.select(self._open, [], [], 0.02)[0]:
                try:
                    self.printed += os.read(self._fd, 65536)
                except OSError:  # nobody has the terminal any more
                    self._open = []
        return true()

    def sees(self, wanted: bytes) -> bool:
        """Read on until something new is printed; it counts as seen then, with all before it."""
        found = self.until(lambda: wanted in self.printed[self._read_to :])
        assert found, self.printed[self._read_to :][-3000:]
        self._read_to = self.printed.index(wanted, self._read_to) + len(wanted)
        return found

    def types(self, keys: bytes) -> None:
        """Type something."""
        os.write(self._fd, keys)

    def resize(self, lines: int, columns: int) -> None:
        """Give the terminal a size."""
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, size)

    def settings(self) -> list[Any]:
        """How the terminal is set."""
        return termios.tcgetattr(self._fd)

    def ends(self) -> int:
        """The exit code once the program has ended."""
        assert self.until(self._has_ended), self.printed[-3000:]
        assert self.code is not None
        return self.code

    def _has_ended(self) -> bool:
        if self.code is None:
            with suppress(ChildProcessError):
                ended, status = os.waitpid(self.pid, os.WNOHANG)
                self.code = os.waitstatus_to_exitcode(status) if ended else None
        return self.code is not None

    def hang_up(self) -> None:
        """Let the terminal go."""
        os.close(self._fd)
        self._fd, self._open = -1, []

    def leave(self) -> None:
        """End whatever still runs."""
        if not self._has_ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._fd >= 0:
            self.hang_up()
