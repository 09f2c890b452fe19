"""A second process that reads transcripts in parallel, because parsing occupies a core."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

import orjson

WORTH = 48 << 20
"""Bytes to read from which on a second process pays: starting it takes a tenth of a second."""

Next = Callable[[], tuple[Path, str] | None]
"""Gives the next transcript with its session id; None when there is no more."""


class WorkerProcess(Thread):
    """Lets another process read transcripts until there are no more.

    `done`: paths that are now in the index; `left`: those that could not be read this way.
    """

    def __init__(self, directory: Path, next_one: Next) -> None:
        super().__init__(name="helper", daemon=True)
        self.done: list[Path] = []
        self.left: list[Path] = []
        self.bytes_read = 0
        self.parsed: set[Path] = set()
        """Those of which any record was read."""
        self._next = next_one
        module = f"{__package__}.worker"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, os.fspath(directory), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def run(self) -> None:
        """Request one transcript after another."""
        while (one := self._next()) is not None:
            path, session = one
            answer = self._ask(path, session)
            if answer is None or answer[1] or not answer[2]:
                self.left.append(path)  # to be read, and to fail, in the usual way
            else:
                self.done.append(path)
                self.bytes_read += answer[0]
                if answer[0] > 0:
                    self.parsed.add(path)
            if answer is None:
                return

    def finish(self) -> None:
        """Wait until the current transcript was read, and end the process."""
        self.join()
        with suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def _ask(self, path: Path, session: str) -> tuple[int, str, bool] | None:
        """Return bytes read, what is wrong with the file, whether it was saved; None if it died."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(orjson.dumps([os.fsencode(name).hex() for name in (path, session)]) + b"\n")
            stdin.flush()
            line = stdout.readline()
        except OSError:
            return None
        if not line:
            return None
        read, problem, is_kept = orjson.loads(line)
        return int(read), str(problem), bool(is_kept)
