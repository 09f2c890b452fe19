"""Reads the transcripts that are not open: chooses the next one and measures progress."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from ...storage.library.library import Library
from ...storage.library.update import first_and_rest
from .messages import Progress

RATE_AFTER = 1.0
"""Seconds of reading after which the remaining time is estimated."""

LOOKED_AT = 20
"""Number of transcripts checked for changes in one slice."""


class Backlog:
    """Read transcripts that are not open, in slices; call `read` after each complete one.

    Changed transcripts come first. Sub-agents, of which there may be tens of thousands, come last
    and are not part of the progress.
    """

    def __init__(self, library: Library, read: Callable[[], object]) -> None:
        self._library = library
        self._read = read
        self._changed: set[Path] = set()
        self._behind: deque[Path] = deque()
        self._rest: deque[Path] = deque()
        self._path: Path | None = None
        self._work: Iterator[object] | None = None
        """Reads the transcript at `_path`, a slice per step."""
        self._done = 0
        self._since = 0.0

    def add(self, paths: set[Path]) -> None:
        """Read these changed transcripts next."""
        self._changed |= paths

    def begin(self) -> None:
        """Queue all transcripts that have changed since they were read."""
        first, rest = first_and_rest(self._library)
        self._behind = deque(self._library.pending(first) if first else ())
        self._rest = deque(rest)
        self._done, self._since = 0, time.monotonic()

    @property
    def has_more(self) -> bool:
        """Whether any transcripts are queued."""
        return bool(self._behind or self._rest)

    def leave(self, path: Path | None) -> None:
        """Stop reading a transcript, as each may have one reader only."""
        if self._path == path:
            self.stop()

    def stop(self) -> None:
        """Stop reading the current transcript."""
        self._work = self._path = None

    def slice(self, open_path: Path | None) -> bool:
        """Read one slice, but not of the transcript at `open_path`; return whether work is left."""
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
        """Return the next transcript to read; None if none was found in one slice."""
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
        """Return the progress and an estimate of the remaining time."""
        unread = self._unread()
        left = [file for path in self._behind if (file := self._library.file(path))]
        size, done = sum(file.stat.st_size for file in left) + unread, max(0, self._done - unread)
        passed = time.monotonic() - self._since
        seconds = round(passed * size / done) if done > 0 and passed > RATE_AFTER else None
        return Progress(len(left) + (unread > 0), size, done, seconds)

    def _unread(self) -> int:
        """Return the number of unread bytes of the current transcript."""
        file = self._library.file(self._path) if self._path else None
        if self._path is None or file is None:
            return 0
        offset = self._library.transcript(self._path).fingerprint.offset
        return max(0, file.stat.st_size - offset)
