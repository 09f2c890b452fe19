"""The transcripts that are still to be read behind the screen, and how far that is."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

from ...storage.library.library import Library
from ...storage.library.update import first_and_rest
from .messages import Progress

RATE_AFTER = 1.0
"""Seconds of reading from which on one may tell how long the rest takes."""

LOOKED_AT = 20
"""Transcripts that are looked at in one slice for whether they have to be read."""


class Backlog:
    """What to read next. Tens of thousands of sub-agents come last, and are not counted before."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._behind: deque[Path] = deque()
        self._rest: deque[Path] = deque()
        self._done = 0
        self._since = 0.0

    def begin(self) -> None:
        """Read what changed since it was read."""
        first, rest = first_and_rest(self._library)
        self._behind = deque(self._library.pending(first) if first else ())
        self._rest = deque(rest)
        self._done, self._since = 0, time.monotonic()

    @property
    def has_more(self) -> bool:
        """Whether anything is left to look at."""
        return bool(self._behind or self._rest)

    def next(self, open_path: Path | None) -> Path | None:
        """The next one to read but that at `open_path`; None where there is none at once."""
        while self._behind:
            path = self._behind.popleft()
            if (file := self._library.file(path)) and path != open_path:
                self._done += file.stat.st_size
                return path
        for _ in range(min(LOOKED_AT, len(self._rest))):
            path = self._rest.popleft()
            if self._library.file(path) and path != open_path and self._library.pending([path]):
                return path
        return None

    def progress(self, unread: int = 0) -> Progress:
        """How far it is; `unread` bytes are left of the transcript that is being read."""
        left = [file for path in self._behind if (file := self._library.file(path))]
        size, done = sum(file.stat.st_size for file in left) + unread, self._done - unread
        passed = time.monotonic() - self._since
        seconds = round(passed * size / done) if done > 0 and passed > RATE_AFTER else None
        return Progress(len(left) + (unread > 0), size, done, seconds)
