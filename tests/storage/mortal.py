"""A program that makes one decision and is killed before the first statement to the database.

Then it makes it again, elsewhere, and is killed before the second, and so on until it lives to
see it kept. `python mortal.py DIRECTORY` does so in DIRECTORY/1, DIRECTORY/2 …
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import sqlite_utils  # noqa: F401 (once, not in every life)

from sessions_tui.storage.decisions.decisions import Decisions


class Mortal(sqlite3.Connection):
    """A connection that takes its program with it before a certain statement of them all."""

    left = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.set_trace_callback(self._count)

    def _count(self, statement: str) -> None:
        Mortal.left -= 1
        if Mortal.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def live(directory: Path, death: int) -> None:
    """Decide, or die of it."""
    Mortal.left = death
    sqlite3.connect = partial(sqlite3.connect, factory=Mortal)  # type: ignore[assignment]
    Decisions(directory).set_pinned("s-1", Path("/s-1.jsonl"), True, 1)
    os._exit(0)


def main(directory: Path) -> None:
    """Die before every statement once."""
    for death in count(1):
        child = os.fork()
        if child == 0:
            live(directory / str(death), death)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != -signal.SIGKILL:
            sys.exit(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
