"""Reads and follows the open session.

A long transcript is shown from its end, and its beginning is read afterwards, in slices.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from ...storage.search.find import find
from ...storage.timeline.annotated import left_records
from ...storage.transcript.continuations import address, place
from ...storage.transcript.transcript import Transcript, open_at_end
from .context import Context
from .insight import InsightWorker
from .messages import (
    MatchesFound,
    ReadingProgress,
    TranscriptGrew,
    TranscriptLost,
    TranscriptOpened,
)
from .requests import TAIL_LINES, OpenRequest

TAIL_BYTES = 1 << 20
"""Maximum number of bytes read from the end of a transcript before it is shown."""

SMALL = 512 * 1024
"""Maximum number of unread bytes for which a transcript is read completely before it is shown."""

BREATH = 0.15
"""Seconds without reading after a transcript is opened, so that the screen can draw it."""

PAUSE = 0.03
"""Seconds without reading after a new record, so that the screen can draw it."""

SLICE = 0.012
"""Seconds per slice of finding words; a key that is pressed meanwhile waits at most that long."""

SAID_EVERY = 1.0
"""Seconds between two progress messages."""


class AbandonedBranches:
    """Caches the records on abandoned branches; they change only when a prompt is sent again."""

    def __init__(self) -> None:
        self._key: tuple[Path, int, int] | None = None
        self._found: frozenset[int] = frozenset()

    def of(self, transcript: Transcript) -> frozenset[int]:
        """Return the indexes of these records; none while only the end of the file is loaded."""
        key = (transcript.path, transcript.generation, transcript.facts.branchings)
        if key != self._key and transcript.origin == 0:
            self._key, self._found = key, frozenset()
            with suppress(OSError):  # following the file reports that it is gone
                self._found = left_records(transcript)
        return self._found if key == self._key else frozenset()


class Follower:
    """Reads one session at a time for the screen; used by the feed's thread only.

    `claim` is called with a path before that transcript is read, as each may have one reader only.
    """

    def __init__(
        self, context: Context, claim: Callable[[Path], object] = lambda path: None
    ) -> None:
        self.path: Path | None = None
        self._claim = claim
        self._library = context.library
        self._post = context.post
        self._paths: list[Path] = []
        """Paths of all parts of the session, oldest first."""
        self._loaded: list[Transcript] = []
        """The loaded parts, newest last; the first may be loaded from its end only."""
        self._lines = TAIL_LINES
        self._lost = ""
        self._ahead: Iterator[object] | None = None
        """Reads the records before the loaded ones, a slice per step."""
        self._first_is_cut = False
        """Whether only the end of the first loaded part is loaded."""
        self.quiet_until = 0.0
        """Monotonic time until which only new records are read, so that the screen can draw."""
        self._finding: Iterator[object] | None = None
        self.insight = InsightWorker(context)
        self._abandoned = AbandonedBranches()

    @property
    def _shown(self) -> Transcript | None:
        """The newest part, or None while it is not loaded."""
        return self._loaded[-1] if self._loaded else None

    @property
    def _is_cut(self) -> bool:
        """Whether only the end of the newest part is loaded; the rest is being read."""
        return self._first_is_cut and len(self._loaded) == 1

    def show(self, asked: OpenRequest) -> None:
        """Open a session, or load more of the open one."""
        is_whole = bool(self._loaded) and not self._first_is_cut
        if asked.path == self.path and is_whole and asked.older >= len(self._loaded):
            self._ahead = self._reading_older(asked.older)
            return
        self.path, self._lines, self._lost = asked.path, asked.lines, ""
        self._show()

    def follow(self) -> bool:
        """Read and post new records of the open transcript; return whether anything changed."""
        path, shown = self.path, self._shown
        if path is None:
            return False
        if shown is None:
            self._show()  # a lost file may have come back
            return self._shown is not None
        before = (shown.generation, len(shown.positions))
        try:
            if self._is_cut:
                shown.read()
            else:
                self._library.read(path)
        except OSError as error:
            self._lose(error.strerror or str(error))
            return True
        if problem := self._library.unreadable.get(path):
            self._lose(problem.reason)
            return True
        if not self._is_cut and (own := self._library.transcript(path)) is not shown:
            self._loaded[-1] = own  # the library's cache had evicted this transcript
            self._tell_opened()
            return True
        if (shown.generation, len(shown.positions)) == before:
            return False
        if (now := time.monotonic()) > self.quiet_until + PAUSE:  # an agent may never pause
            self.quiet_until = now + PAUSE
        self._post(TranscriptGrew(path, shown, self._abandoned.of(shown)))
        self.insight.grew()
        if not self._ahead:
            self._understand()  # at once, as folding one record is cheap
        return True

    def find(self, words: str) -> None:
        """Start to find words in the session; `slice` does the work."""
        self._finding = self._find(words)

    def slice(self) -> bool:
        """Find words or read earlier records for a slice; return whether there was work."""
        if self._finding:
            self._find_on()
            return True
        if self._ahead is not None:
            if next(self._ahead, self) is self:
                self._ahead = None
            return True
        return self.path is not None and self._understand()

    def _find_on(self) -> None:
        """Find words for the length of a slice; a block takes less time than the pause after it."""
        end = time.monotonic() + SLICE
        while self._finding and time.monotonic() < end:
            if next(self._finding, self) is self:
                self._finding = None

    def relink(self) -> bool:
        """Follow the session into a new transcript, and take in other parts linked to it.

        Return whether the newest part is another transcript now.
        """
        paths = self._library.linked(self.path) if self.path else []
        if paths == self._paths:
            return False
        before, self._paths = self.path, paths
        if not self._loaded or before not in paths or not self._goes_on(paths):
            self.path = paths[-1] if paths else None
            self._show()
        else:
            self.path, self._lost = paths[-1], ""
            self.insight.grew()
            self._tell_opened()
        return self.path != before

    def _goes_on(self, paths: list[Path]) -> bool:
        """Load the parts after the loaded ones; return whether those are still in place."""
        loaded = [transcript.path for transcript in self._loaded]
        begin = paths.index(loaded[0]) if loaded[0] in paths else len(paths)
        if paths[begin : begin + len(loaded)] != loaded:
            return False
        for path in paths[begin + len(loaded) - 1 :]:
            if self._is_behind(path) and path not in loaded:
                return False
            if not (path in loaded and self._is_cut):
                self._library.read(path)
            if path not in loaded:
                self._loaded.append(self._library.transcript(path))
        return not any(path in self._library.unreadable for path in paths)

    def _is_behind(self, path: Path) -> bool:
        """Whether more of a transcript is unread than can be read without a visible delay."""
        return path.stat().st_size - self._library.transcript(path).fingerprint.offset > SMALL

    def _show(self) -> None:
        self._loaded, self._first_is_cut = [], False
        self._ahead = self._finding = None
        if self.path is None:
            return
        self._paths = self._library.linked(self.path)
        self.path = self._paths[-1]
        try:
            shown = self._open(self.path, self._lines)
        except OSError as error:
            self._lose(error.strerror or str(error))
            return
        if problem := self._library.unreadable.get(self.path):
            self._lose(problem.reason)
        else:
            self._loaded = [shown]
            self._tell_opened()

    def _tell_opened(self) -> None:
        *older, shown = self._loaded
        first = len(self._paths) - len(self._loaded)
        left = self._abandoned.of(shown)
        self._post(TranscriptOpened(shown.path, shown, left, tuple(older), first))

    def _open(self, path: Path, lines: int) -> Transcript:
        transcript = self._library.transcript(path)
        if path.stat().st_size - transcript.fingerprint.offset <= SMALL:
            self._library.read(path)
            return transcript
        tail = open_at_end(path, transcript.session, lines, TAIL_BYTES)
        tail.read()
        self._ahead, self._first_is_cut = self._reading_ahead(path, transcript), True
        self.quiet_until = time.monotonic() + BREATH
        return tail

    def _reading_ahead(self, path: Path, transcript: Transcript) -> Iterator[object]:
        """Read the whole transcript in slices, then show it in place of its end."""
        said = 0.0
        for events in self._library.advance(path):
            if time.monotonic() - said >= SAID_EVERY:
                said = time.monotonic()
                size = max(1, path.stat().st_size)
                self._post(ReadingProgress(path, 100 * transcript.fingerprint.offset // size))
            yield events
        self._library.read(path)
        self._loaded[0], self._first_is_cut = transcript, False
        self._tell_opened()

    def _reading_older(self, count: int) -> Iterator[object]:
        """Load older parts until `count` of them are loaded, then post them."""
        while len(self._loaded) <= count and len(self._loaded) < len(self._paths):
            path = self._paths[-1 - len(self._loaded)]
            yield from self._reading(path)
            self._loaded.insert(0, self._library.transcript(path))
            self._library.transcript(self._paths[-1])  # keeps the newest part in the cache
        self._tell_opened()

    def _reading(self, path: Path) -> Iterator[object]:
        """Read the unread rest of an older part in slices."""
        self._claim(path)
        yield from self._library.advance(path)

    def _understand(self) -> bool:
        try:
            return self.insight.slice(self._paths, self._shown, self._older)
        except OSError:
            return False  # following the file reports the error

    def _older(self) -> list[Transcript] | None:
        """Return the parts before the newest; None while one of them is not read completely."""
        known = [self._library.overview(path) for path in self._paths[:-1]]
        if not all(one is not None and one.whole for one in known):
            return None
        loaded = {transcript.path: transcript for transcript in self._loaded}
        if self._first_is_cut:
            return None
        older = [loaded.get(path) or self._read(path) for path in self._paths[:-1]]
        self._library.transcript(self._paths[-1])  # keeps the newest part in the cache
        return older

    def _read(self, path: Path) -> Transcript:
        self._claim(path)
        self._library.read(path)
        return self._library.transcript(path)

    def _find(self, words: str) -> Iterator[object]:
        if self.path is None or not self._loaded:
            return
        found: list[int] = []
        first = len(self._paths) - len(self._loaded)
        try:
            for part in reversed(range(first if self._first_is_cut else 0, len(self._paths))):
                if part < first:
                    yield from self._reading(self._paths[part])
                    transcript = self._library.transcript(self._paths[part])
                else:
                    transcript = self._loaded[part - first]
                for indexes in find(transcript, words):
                    found += [address(part, index) for index in indexes]
                    if indexes and part >= first:
                        self._post(MatchesFound(self.path, words, sorted(found), finished=False))
                    yield indexes
            if found and min(found) < address(first, 0):
                yield from self._reading_older(len(self._paths) - 1 - place(min(found))[0])
        except OSError:
            return  # following the file reports the error
        self._post(MatchesFound(self.path, words, sorted(found), finished=True))

    def _lose(self, reason: str) -> None:
        self._loaded, self._ahead, self._finding = [], None, None
        if self.path is not None and reason != self._lost:
            self._lost = reason
            self._post(TranscriptLost(self.path, reason))
