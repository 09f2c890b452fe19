"""The thread that reads for the screen: finds, opens, follows and indexes transcripts.

It alone holds the library. The screen asks with `open` and `earlier`, which return at once, and
hears in messages. What a person waits for comes first: requests, then changes of the open
transcript, then its earlier records, then changes elsewhere, then everything not read yet. All of
it is done in slices of a few milliseconds with naps between, so that keys stay quick.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from textual.message import Message

from ..storage.bookmarks import Bookmark, Bookmarks
from ..storage.finding import find
from ..storage.library import Library
from ..storage.places import Places
from ..storage.roots import Root
from ..storage.transcript import Transcript, open_at_end
from .messages import (
    Bookmarked,
    Found,
    Progress,
    ReadingAhead,
    SessionsChanged,
    TranscriptGrew,
    TranscriptLost,
    TranscriptOpened,
)
from .watching import Watching

TAIL_LINES = 1_000
TAIL_BYTES = 1 << 20
"""What is read of a transcript before it is shown: about so many lines, at most so many bytes."""

SMALL = 512 * 1024
"""A transcript that is behind by no more is read to its end before it is shown."""

NAP = 0.0005
"""Seconds left to the screen after each slice."""

TICK = 1.0
"""Seconds between looks at the open transcript and at states that age."""

SHOWN_EVERY = 0.25
"""Seconds between two lists of sessions while much changes."""

SAVED_EVERY = 3.0
"""Seconds between two savings of what was read."""

POLL = 0.02
"""Seconds between looks at the open transcript where nothing can be watched."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Show this transcript instead of another; `lines` of its end if it is long."""

    path: Path | None
    lines: int = TAIL_LINES


@dataclass(frozen=True, slots=True)
class FindRequest:
    """Find words in the open transcript; "" ends finding."""

    words: str


@dataclass(frozen=True, slots=True)
class KeepRequest:
    """Remember where the person was."""

    marks: Mapping[Path, Bookmark]


Request = OpenRequest | FindRequest | KeepRequest | set[str] | None
"""What is asked of the feed; a set are paths that changed, None is to stop."""


class Feed(Thread):
    """Reads until stopped. `post` is called from this thread and must be safe for that."""

    def __init__(
        self,
        roots: tuple[Root, ...],
        places: Places,
        review_days: int,
        post: Callable[[Message], object],
    ) -> None:
        super().__init__(name="feed", daemon=True)
        self._roots = roots
        self._places = places
        self._review_days = review_days
        self._post = post
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._running = True
        self._open: Path | None = None
        self._shown: Transcript | None = None
        self._ahead: Iterator[object] | None = None
        self._changed: set[Path] = set()
        self._behind: deque[Path] = deque()
        self._work: Iterator[object] | None = None
        self._finding: Iterator[object] | None = None
        self._marks: dict[Path, Bookmark] = {}
        self._told: SessionsChanged | None = None
        self._dirty = True
        self._next_tick = self._next_list = self._next_save = self._next_scan = 0.0
        self._bytes_done = 0

    def open(self, path: Path | None, lines: int = TAIL_LINES) -> None:
        """Show a transcript from its end, and go on following it; None shows none."""
        self._requests.put(OpenRequest(path, lines))

    def find(self, words: str) -> None:
        """Find words in the open transcript."""
        self._requests.put(FindRequest(words))

    def keep(self, marks: Mapping[Path, Bookmark]) -> None:
        """Remember where the person was."""
        self._requests.put(KeepRequest(marks))

    def stop(self) -> None:
        """End soon, keeping what was read."""
        self._requests.put(None)

    def run(self) -> None:
        """Read until stopped."""
        self._library = Library(self._roots, self._places.cache, self._review_days)
        self._bookmarks = Bookmarks(self._places.data)
        self._marks = self._bookmarks.all()
        self._watching = Watching(self._roots, self._requests.put)
        try:
            self._scan()
            for _ in self._glances():
                self._serve(wait=False)
            self._watching.start()
            while self._running:
                self._turn()
        finally:
            self._watching.stop()
            self._bookmarks.close()
            self._library.close()

    # One turn: what was asked, then what time brings, then a slice of work.

    def _turn(self) -> None:
        busy = self._ahead or self._finding or self._changed or self._behind or self._work
        self._serve(wait=not busy)
        self._keep_time()
        if self._slice():
            time.sleep(NAP)

    def _serve(self, wait: bool) -> None:
        """Take what was asked for; wait for it until the next tick if there is nothing else."""
        try:
            timeout = max(0.0, self._next_tick - time.monotonic()) if wait else 0.0
            if self._open and not self._watching.alive:
                timeout = min(timeout, POLL)
            request = self._requests.get(timeout=timeout) if wait else self._requests.get_nowait()
            while True:
                self._take(request)
                request = self._requests.get_nowait()
        except Empty:
            pass
        if wait and self._open and not self._watching.alive:
            self._follow()

    def _take(self, request: Request) -> None:
        if request is None:
            self._running = False
        elif isinstance(request, OpenRequest):
            self._show(request)
        elif isinstance(request, FindRequest):
            self._finding = self._find(request.words)
        elif isinstance(request, KeepRequest):
            self._marks.update(request.marks)
            self._bookmarks.keep(request.marks.items())
            self._dirty = True
        else:
            self._hear({Path(path) for path in request})

    def _hear(self, paths: set[Path]) -> None:
        if self._open in paths:
            self._follow()
        known = {path for path in paths if self._library.file(path)}
        self._changed |= known - {self._open}
        if paths - known:
            self._next_scan = 0.0

    # The open transcript.

    def _show(self, request: OpenRequest) -> None:
        self._open, self._shown, self._ahead, self._finding = request.path, None, None, None
        path = request.path
        if path is None:
            return
        try:
            transcript = self._library.transcript(path)
            behind = path.stat().st_size - transcript.foothold.offset
            if behind <= SMALL:
                self._library.read(path)
            else:
                session = transcript.session
                transcript = open_at_end(path, session, request.lines, TAIL_BYTES)
                transcript.read()
                self._ahead = self._reading_ahead(path)
            problem = self._library.unreadable.get(path)
        except OSError as error:
            self._lose(path, error.strerror or str(error))
            return
        if problem:
            self._lose(path, problem.reason)
            return
        self._shown = transcript
        self._post(TranscriptOpened(path, transcript))
        self._dirty = True

    def _follow(self) -> None:
        """Read what is new of the open transcript and tell it."""
        path, shown = self._open, self._shown
        if path is None or shown is None:
            return
        before = (shown.generation, len(shown.positions))
        try:
            if self._ahead:
                shown.read()
            else:
                self._library.read(path)
        except OSError as error:
            self._lose(path, error.strerror or str(error))
            return
        if problem := self._library.unreadable.get(path):
            self._lose(path, problem.reason)
        elif (shown.generation, len(shown.positions)) != before:
            self._post(TranscriptGrew(path, shown))
            self._dirty = True

    def _reading_ahead(self, path: Path) -> Iterator[object]:
        """Read the whole of the open transcript behind its end, then show that instead."""
        transcript = self._library.transcript(path)
        told = -1
        for events in self._library.advance(path):
            percent = 100 * transcript.foothold.offset // max(1, path.stat().st_size)
            if percent != told:
                told = percent
                self._post(ReadingAhead(path, percent))
            yield events
        self._library.read(path)
        self._shown = transcript
        self._post(TranscriptOpened(path, transcript))
        self._dirty = True

    def _find(self, words: str) -> Iterator[object]:
        path, transcript = self._open, self._shown
        if path is None or transcript is None:
            return
        found: list[int] = []
        try:
            for indexes in find(transcript, words):
                found += indexes
                if indexes:
                    self._post(Found(path, words, list(found), finished=False))
                yield None
        except OSError:
            return
        self._post(Found(path, words, found, finished=True))

    def _lose(self, path: Path, reason: str) -> None:
        self._ahead = self._shown = None
        self._post(TranscriptLost(path, reason))
        self._next_scan = 0.0

    # What time brings.

    def _keep_time(self) -> None:
        now = time.monotonic()
        if now >= self._next_tick:
            self._next_tick = now + TICK
            self._follow()
            self._dirty = True
        if now >= self._next_scan:
            self._scan()
        if now >= self._next_save:
            self._next_save = now + SAVED_EVERY
            self._library.save()
        if self._dirty and now >= self._next_list:
            self._tell()

    def _scan(self) -> None:
        """Look for transcripts that came, changed or went, as often as that is cheap."""
        start = time.monotonic()
        if self._library.rescan():
            self._behind = deque(self._library.pending())
            self._bytes_done = 0
            self._dirty = True
        self._watching.cover()
        took = time.monotonic() - start
        self._next_scan = time.monotonic() + max(2.0, 100 * took)

    def _tell(self) -> None:
        start = time.monotonic()
        left = [file for path in self._behind if (file := self._library.file(path))]
        progress = Progress(len(left), sum(file.stat.st_size for file in left), self._bytes_done)
        problems = [f"{p.path}: {p.reason}" for p in self._library.unreadable.values()]
        problems += [
            notice
            for notice in (
                *self._watching.problems(),
                self._library.index.notice,
                self._bookmarks.notice,
            )
            if notice
        ]
        bookmarks = Bookmarked(dict(self._marks), self._bookmarks.first_run_at)
        told = SessionsChanged(self._library.sessions(), progress, bookmarks, problems)
        if told != self._told:
            self._told = told
            self._post(told)
        self._dirty = False
        took = time.monotonic() - start
        self._next_list = time.monotonic() + max(SHOWN_EVERY, 20 * took)

    # Work that nobody waits for.

    def _glances(self) -> Iterator[None]:
        """Know every session roughly, newest first; the first screenful is told at once."""
        self._behind = deque(self._library.pending())
        for number, path in enumerate(list(self._behind)):
            self._library.glance(path)
            if number in (40, 400) or time.monotonic() >= self._next_list:
                self._tell()
            yield
        self._tell()

    def _slice(self) -> bool:
        """Do a slice of the most urgent work; whether there was any."""
        if self._ahead:
            if next(self._ahead, self) is self:
                self._ahead = None
            return True
        if self._finding:
            if next(self._finding, self) is self:
                self._finding = None
            return True
        if self._work is None:
            self._work = self._next_work()
        if self._work is None:
            return False
        if next(self._work, self) is self:
            self._work = None
            self._dirty = True
        return True

    def _next_work(self) -> Iterator[object] | None:
        if self._changed:
            return self._library.advance(self._changed.pop())
        while self._behind:
            path = self._behind.popleft()
            if file := self._library.file(path):
                self._bytes_done += file.stat.st_size
                return self._library.advance(path)
        return None
