"""The transcripts that are read behind the screen: which are next, and how far that is."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from ...storage.library.library import Library
from ...storage.library.update import first_and_rest
from .messages import Progress

RATE_AFTER = 1.0
"""Seconds of reading from which on one may tell how long the rest takes."""

LOOKED_AT = 20
"""Transcripts that are looked at in one slice for whether they have to be read."""


class Backlog:
    """Reads transcripts that are not open, in slices; `read` is called when it has read one whole.

    What changed comes first. Tens of thousands of sub-agents come last, and are not counted before.
    """

    def __init__(self, library: Library, read: Callable[[], object]) -> None:
        self._library = library
        self._read = read
        self._changed: set[Path] = set()
        self._behind: deque[Path] = deque()
        self._rest: deque[Path] = deque()
        self._path: Path | None = None
        self._work: Iterator[object] | None = None
        """Reads the transcript at that path."""
        self._done = 0
        self._since = 0.0

    def add(self, paths: set[Path]) -> None:
        """Read these soon: they changed."""
        self._changed |= paths

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

    def leave(self, path: Path | None) -> None:
        """Stop reading a transcript: it has one reader at a time."""
        if self._path == path:
            self.stop()

    def stop(self) -> None:
        """Stop reading whatever is being read."""
        self._work = self._path = None

    def slice(self, open_path: Path | None) -> bool:
        """Read a little, not of the one at `open_path`; whether there was anything to read."""
        if self._work is None:
            self._path = self._next(open_path)
            self._work = self._library.advance(self._path) if self._path else None
        if self._work is None:
            return self.has_more
        if next(self._work, self) is self:
            self.stop()
            self._read()
        return True

    def _next(self, open_path: Path | None) -> Path | None:
        """The next one to read; None where there is none at once."""
        if self._changed:
            return self._changed.pop()
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

    def progress(self) -> Progress:
        """How far it is."""
        unread = self._unread()
        left = [file for path in self._behind if (file := self._library.file(path))]
        size, done = sum(file.stat.st_size for file in left) + unread, max(0, self._done - unread)
        passed = time.monotonic() - self._since
        seconds = round(passed * size / done) if done > 0 and passed > RATE_AFTER else None
        return Progress(len(left) + (unread > 0), size, done, seconds)

    def _unread(self) -> int:
        """Bytes that are left of the transcript that is being read."""
        file = self._library.file(self._path) if self._path else None
        if self._path is None or file is None:
            return 0
        offset = self._library.transcript(self._path).fingerprint.offset
        return max(0, file.stat.st_size - offset)
