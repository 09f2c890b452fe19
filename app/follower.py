"""The open transcript: shown from its end, followed as it grows, its beginning read behind that."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from ..storage.library import Library
from ..storage.telling import left_records
from ..storage.transcript import Transcript, open_at_end
from .messages import Found, ReadingAhead, TranscriptGrew, TranscriptLost, TranscriptOpened
from .understanding import Understanding

TAIL_LINES = 300
TAIL_BYTES = 1 << 20
"""What is read of a transcript before it is shown: about so many lines, at most so many bytes."""

SMALL = 512 * 1024
"""A transcript that is behind by no more is read to its end before it is shown."""

BREATH = 0.15
"""Seconds left to the screen for showing a transcript before its earlier records are read."""

PAUSE = 0.03
"""Seconds left to it for showing a new record, which reading on at once would slow."""

SLICE = 0.012
"""Seconds of searching at a time: a key that is pressed meanwhile waits no longer than that."""

SAID_EVERY = 1.0
"""Seconds between two words on how far the reading is."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A transcript to show, None for none, and how many lines of its end if it is long."""

    path: Path | None
    lines: int = TAIL_LINES


class Follower:
    """Follows one transcript at a time for the screen; used by the feed's thread alone.

    `now` tells the milliseconds since 1970.
    """

    def __init__(
        self, library: Library, post: Callable[[Message], object], now: Callable[[], int]
    ) -> None:
        self.path: Path | None = None
        self._library = library
        self._post = post
        self._now = now
        self._shown: Transcript | None = None
        self._lines = TAIL_LINES
        self._lost = ""
        self._ahead: Iterator[object] | None = None
        self.quiet_until = 0.0
        """Monotonic time until which nothing is read but what is new: the screen is at work."""
        self._finding: Iterator[object] | None = None
        self.understanding = Understanding(post)
        self._left_key: tuple[Path, int, int] | None = None
        self._left_found: frozenset[int] = frozenset()

    def show(self, asked: Asked) -> None:
        """Show a transcript instead of another."""
        self.path, self._lines, self._lost = asked.path, asked.lines, ""
        self._show()

    def follow(self) -> bool:
        """Read what is new and tell it; whether there was anything."""
        path, shown = self.path, self._shown
        if path is None:
            return False
        if shown is None:
            self._show()  # it was lost, and may have come back
            return self._shown is not None
        before = (shown.generation, len(shown.positions))
        try:
            if self._ahead:
                shown.read()
            else:
                self._library.read(path)
        except OSError as error:
            self._lose(error.strerror or str(error))
            return True
        if problem := self._library.unreadable.get(path):
            self._lose(problem.reason)
            return True
        if (shown.generation, len(shown.positions)) == before:
            return False
        if (now := time.monotonic()) > self.quiet_until + PAUSE:  # an agent may never pause
            self.quiet_until = now + PAUSE
        self._post(TranscriptGrew(path, shown, self._left(shown)))
        self.understanding.grew()
        if not self._ahead:
            self._understand(path)  # at once: one record costs little
        return True

    def find(self, words: str) -> None:
        """Find words in the transcript, slice by slice."""
        self._finding = self._find(words)

    def slice(self) -> bool:
        """Read a slice of what is earlier, or search one; whether there was any."""
        if self._finding:
            self._find_on()
            return True
        if self._ahead is not None:
            if next(self._ahead, self) is self:
                self._ahead = None
            return True
        return self.path is not None and self._understand(self.path)

    def _find_on(self) -> None:
        """Search for as long as a slice may take: a block takes less than a nap after it."""
        end = time.monotonic() + SLICE
        while self._finding and time.monotonic() < end:
            if next(self._finding, self) is self:
                self._finding = None

    def _show(self) -> None:
        self._shown = self._ahead = self._finding = None
        if self.path is None:
            return
        try:
            shown = self._open(self.path, self._lines)
        except OSError as error:
            self._lose(error.strerror or str(error))
            return
        if problem := self._library.unreadable.get(self.path):
            self._lose(problem.reason)
        else:
            self._shown = shown
            self._post(TranscriptOpened(self.path, shown, self._left(shown)))

    def _open(self, path: Path, lines: int) -> Transcript:
        transcript = self._library.transcript(path)
        if path.stat().st_size - transcript.foothold.offset <= SMALL:
            self._library.read(path)
            return transcript
        tail = open_at_end(path, transcript.session, lines, TAIL_BYTES)
        tail.read()
        self._ahead = self._reading_ahead(path, transcript)
        self.quiet_until = time.monotonic() + BREATH
        return tail

    def _reading_ahead(self, path: Path, transcript: Transcript) -> Iterator[object]:
        """Read the whole transcript behind its end, then show that instead."""
        said = 0.0
        for events in self._library.advance(path):
            if time.monotonic() - said >= SAID_EVERY:
                said = time.monotonic()
                size = max(1, path.stat().st_size)
                self._post(ReadingAhead(path, 100 * transcript.foothold.offset // size))
            yield events
        self._library.read(path)
        self._shown = transcript
        self._post(TranscriptOpened(path, transcript, self._left(transcript)))

    def _understand(self, path: Path) -> bool:
        try:
            return self.understanding.slice(path, self._shown, self._is_alive(path))
        except OSError:
            return False  # following it tells what happened

    def _is_alive(self, path: Path) -> bool:
        session = self._library.session(path, self._now())
        return session is not None and session.status == "working"

    def _left(self, transcript: Transcript) -> frozenset[int]:
        """The records on branches that were left, found anew when a prompt was resent."""
        key = (transcript.path, transcript.generation, transcript.facts.notices)
        if key != self._left_key and transcript.origin == 0:
            self._left_key, self._left_found = key, frozenset()
            with suppress(OSError):  # a file that goes now is told of when it is followed
                self._left_found = left_records(transcript)
        return self._left_found if key == self._left_key else frozenset()

    def _find(self, words: str) -> Iterator[object]:
        path, transcript = self.path, self._shown
        if path is None or transcript is None:
            return
        from ..storage.finding import find  # the first list does not wait for it

        found: list[int] = []
        try:
            for indexes in find(transcript, words):
                found += indexes
                if indexes:
                    self._post(Found(path, words, list(found), finished=False))
                yield indexes
        except OSError:
            return  # following it tells what happened
        self._post(Found(path, words, found, finished=True))

    def _lose(self, reason: str) -> None:
        self._ahead = self._shown = self._finding = None
        if self.path is not None and reason != self._lost:
            self._lost = reason
            self._post(TranscriptLost(self.path, reason))
