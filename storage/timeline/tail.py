"""The new records of a transcript since the last call: every complete record once, in order."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator

from ..files.lines import LONGEST, opened, pread
from ..model.timeline import Alive
from ..transcript.transcript import Transcript
from .annotated import AnnotatedEvent, Annotator

REMEMBERED = 1000
"""Number of records whose digests are kept, to find the position again in a rewritten file."""


class Tail:
    """Follows one transcript that has been read so far. `alive` as in `Annotator`.

    If the file is truncated or replaced, everything after the last record already seen is new; if
    none of those is left, everything is, and `notice` says so.
    """

    def __init__(self, transcript: Transcript, alive: Alive) -> None:
        self.notice = ""
        self._transcript = transcript
        self._annotator = Annotator(transcript, alive)
        self._generation = transcript.generation
        self._seen = len(transcript.positions)
        self._digests: deque[bytes] = deque(maxlen=REMEMBERED)
        self._remember(max(0, self._seen - REMEMBERED))

    def last(self, count: int) -> Iterator[AnnotatedEvent]:
        """Yield the last `count` of the records that existed at the start."""
        return self._annotator.events(max(0, self._seen - count), self._seen)

    def new(self) -> Iterator[AnnotatedEvent]:
        """Yield the records added since; raises OSError if the file cannot be read."""
        self._transcript.read()
        if self._transcript.generation != self._generation:
            self._generation = self._transcript.generation
            self._seen = self._place_again()
        first = self._seen
        for told in self._annotator.events(first, len(self._transcript.positions)):
            self._seen += 1
            yield told
        self._remember(first)

    def _place_again(self) -> int:
        total = len(self._transcript.positions)
        known = set(self._digests)
        for index, digest in self._digests_back(total):
            if digest in known:
                return index + 1
        if known:
            self.notice = "The file was replaced by another; it is shown from its start."
        return 0

    def _remember(self, first: int) -> None:
        recent = max(first, len(self._transcript.positions) - REMEMBERED)
        if recent < len(self._transcript.positions):
            with opened(self._transcript.path) as fd:
                for index in range(recent, len(self._transcript.positions)):
                    self._digests.append(self._digest(fd, index))

    def _digests_back(self, total: int) -> Iterator[tuple[int, bytes]]:
        if total:
            with opened(self._transcript.path) as fd:
                for index in range(total - 1, -1, -1):
                    yield index, self._digest(fd, index)

    def _digest(self, fd: int, index: int) -> bytes:
        start, end = self._transcript.bounds(index)
        data = pread(fd, min(end - start, LONGEST), start).strip()
        return hashlib.blake2b(data, digest_size=16).digest()
