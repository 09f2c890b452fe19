"""The thread that reads for the screen: finds, opens, follows and indexes transcripts.

It alone holds the library. The screen asks with verbs that return at once, and hears in messages.
What a person waits for comes first: requests, then changes of the open transcript, then a search,
then its earlier records, then changes elsewhere, then everything not read yet. All of it is done in
slices of a few milliseconds with naps between, so that keys stay quick.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING

from textual.message import Message

from ...storage.library.update import first_and_rest
from ...storage.private.bookmarks import Bookmark, Bookmarks
from ...storage.private.places import Places
from ...storage.stores.roots import Roots
from ..startup.early import FIRST, Early
from .backlog import Backlog
from .follower import Follower
from .messages import ReadState, SessionsChanged
from .requests import (
    TAIL_LINES,
    Aspect,
    Changed,
    FindRequest,
    Look,
    Marks,
    OpenRequest,
    Request,
    SearchRequest,
    Subject,
    waiting,
)
from .watched_stores import WatchedStores
from .workers import Workers

if TYPE_CHECKING:
    from .tasks import Task

PATIENCE = 0.1
"""Seconds that screen and feed wait for one another while the program starts, at most."""

NAP = 0.001
"""Seconds left to the screen after each slice."""

TICK = 1.0
"""Seconds between looks at the open transcript and at states that age."""

POLL = 0.02
"""Seconds between looks at the open transcript where nothing can be watched."""

TOLD_EVERY, TOLD_AFTER = 0.5, 3.0
"""Seconds between two lists of sessions while much changes, at least and at most."""

SAVED_EVERY = 3.0
"""Seconds between two savings of what was read."""

SCANNED_EVERY, SCANNED_AFTER = 2.0, 15.0
"""Seconds between two looks for transcripts that came, went or changed unnoticed."""

SCANNED_REST = 20
"""How many times as long as a look took it rests at least: among 50,000 files one takes seconds."""

JUMP = 10_000
"""Milliseconds between two ticks after which a clock was set, or the machine slept."""

AGAIN = 0.5
"""Seconds after which a change that was not understood is looked at once more."""


class Feed(Thread):
    """Reads until stopped. `post` is called from this thread and must be safe for that.

    `now` tells the milliseconds since 1970.
    """

    def __init__(
        self,
        roots: Roots,
        places: Places,
        review_days: int,
        post: Callable[[Message], object],
        now: Callable[[], int],
        early: Early | None = None,
    ) -> None:
        super().__init__(name="feed", daemon=True)
        self._early = early
        self._roots = roots
        self._places = places
        self._review_days = review_days
        self._post = post
        self._now = now
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._running = True
        self._busy = self._dirty = True
        self._scans_again = False
        self._glanced = False
        """Whether every session is known at least by a glance."""
        self._changed: set[Path] = set()
        self._work: Iterator[object] | None = None
        self._work_path: Path | None = None
        self._look = Look("")
        self._told: SessionsChanged | None = None
        self._first_told, self._first_shown = Event(), Event()
        self._trouble = ""
        self._ticked_at = now()
        self._next_tick = self._next_list = self._next_save = self._next_scan = 0.0

    # What the screen asks for.

    def first_list(self) -> SessionsChanged | None:
        """The first list where it is there soon, so that the first frame need not be empty."""
        self._first_told.wait(PATIENCE)
        return self._told

    def go_on(self) -> None:
        """The first list is on screen: now the rest may take its time."""
        self._first_shown.set()

    def open(self, path: Path | None, lines: int = TAIL_LINES, older: int = 0) -> None:
        """Show a session from its end, with so many older parts, and follow it; None for none."""
        self._requests.put(OpenRequest(path, lines, older))

    def find(self, words: str) -> None:
        """Find words in the open transcript."""
        self._requests.put(FindRequest(words))

    def search(self, request: SearchRequest) -> None:
        """Tell from now on the newest events of all sessions that a query finds."""
        self._requests.put(request)

    def look_at(self, aspect: Aspect, subject: Subject | None = None) -> None:
        """Tell memory, recovery, cases, candidates or usage of a subject from now on.

        None is the open session.
        """
        self._requests.put(Look(aspect, subject))

    def carry_out(self, task: Task) -> None:
        """Do what the user decided, and tell what became of it."""
        self._requests.put(task)

    def keep(self, marks: Mapping[Path, Bookmark]) -> None:
        """Remember where the person was."""
        self._requests.put(Marks(marks))

    def stop(self) -> None:
        """End soon, keeping what was read."""
        self._requests.put(None)

    def _changed_paths(self, paths: set[str]) -> None:
        self._requests.put(Changed(frozenset(paths)))

    # The thread.

    def run(self) -> None:
        """Read until stopped."""
        early = self._early or Early(self._roots, self._places, self._review_days)
        self._library, self._decisions = early.take()
        self._workers = Workers(
            self._library, self._decisions, self._review_days, self._post, self._now
        )
        self._bookmarks = Bookmarks(self._places.data, self._now())
        self._marks = self._bookmarks.all()
        self._stores = WatchedStores(self._roots, self._changed_paths)
        self._follower = Follower(self._library, self._post, self._now, self._leave_alone)
        self._backlog = Backlog(self._library)
        try:
            self._begin()
            while self._running:
                self._turn()
        finally:
            self._stores.stop()
            self._bookmarks.close()
            self._library.close()
            self._decisions.close()

    def _begin(self) -> None:
        """Tell a first list, then begin to watch; the turns go on from wherever it got to."""
        try:
            self._glance()
            self._bookmarks.open()
            self._stores.start()
        except Exception as error:
            self._glanced = True
            self._trouble = f"reading was interrupted: {error!r}"

    def _turn(self) -> None:
        """What was asked, then what time brings, then a slice of work."""
        try:
            self._serve(self._patience())
            self._keep_time()
            if time.monotonic() >= self._follower.quiet_until:
                self._busy = self._work_on()
        except Exception as error:  # whatever one file does, the others are still read
            self._work = self._work_path = None
            self._trouble = f"reading was interrupted: {error!r}"
            time.sleep(TOLD_EVERY)
        if self._busy:
            time.sleep(NAP)

    def _work_on(self) -> bool:
        """Do a slice of what a person waits for most; whether there was anything."""
        workers = self._workers
        return workers.search_slice() or self._follower.slice() or workers.slice() or self._slice()

    def _patience(self) -> float:
        """Seconds to wait for a request: none while there is something to read."""
        now = time.monotonic()
        quiet = self._follower.quiet_until - now
        patience = quiet if self._busy else max(quiet, self._next_tick - now)
        return patience if self._stores.alive else min(patience, POLL)

    def _serve(self, patience: float) -> None:
        """Take what was asked for, and wait so long for it."""
        for request in waiting(self._requests, patience):
            self._take(request)
        if patience > 0 and not self._stores.alive:
            self._follow()

    def _take(self, request: Request) -> None:
        if request is None:
            self._running = False
        elif isinstance(request, OpenRequest):
            self._show(request)
        elif isinstance(request, FindRequest):
            self._follower.find(request.words)
        elif isinstance(request, SearchRequest):
            self._workers.search(request)
            self._busy = True
        elif isinstance(request, Look):
            self._look = request
            self._look_again()
        elif isinstance(request, Marks):
            self._marks.update(request.marks)
            self._bookmarks.keep(request.marks.items())
            self._dirty = True
        elif isinstance(request, Changed):
            self._hear({Path(path) for path in request.paths})
        else:
            self._workers.carry_out(request)
            self._dirty, self._next_list = True, 0.0

    def _show(self, asked: OpenRequest) -> None:
        before = self._follower.path
        if before is not None and before != asked.path:
            self._changed.add(before)  # its beginning may not have been read to the end
        self._leave_alone(asked.path)
        self._follower.show(asked)
        self._look_again()
        self._dirty = True

    def _leave_alone(self, path: Path | None) -> None:
        """Stop reading a transcript: it has one reader at a time."""
        if self._work_path == path:
            self._work = self._work_path = None

    def _look_again(self) -> None:
        """What is looked at is of the open transcript, or of all."""
        look, self._busy = self._look, True
        self._follower.understanding.look_at(look.aspect)
        self._workers.look_at(look.aspect, look.subject or self._follower.path)

    def _hear(self, paths: set[Path]) -> None:
        if self._follower.path in paths:
            self._follow()
        known = {path for path in paths if self._library.file(path)}
        self._changed |= known - {self._follower.path}
        if paths - known or not all(map(os.path.lexists, known)):
            self._next_scan, self._scans_again = 0.0, True

    def _follow(self) -> None:
        if self._follower.follow():
            self._dirty = self._busy = True

    # What time brings.

    def _keep_time(self) -> None:
        now = time.monotonic()
        if now >= self._next_tick:
            self._next_tick = now + TICK
            before, self._ticked_at = self._ticked_at, self._now()
            if abs(self._ticked_at - before) >= JUMP:  # nobody told what happened meanwhile
                self._next_scan = self._next_list = 0.0
            self._follow()
            self._dirty = True
        if now >= self._next_scan:
            self._scan()
        if now >= self._next_save:
            self._next_save = now + SAVED_EVERY
            self._library.save()
        if self._dirty and now >= max(self._next_list, self._follower.quiet_until):
            self._tell()
        # What this took itself is no jump, however long it was.
        self._ticked_at += int(1000 * (time.monotonic() - now))

    def _scan(self) -> None:
        """Look for transcripts that came, changed or went, as often as that is cheap."""
        start = time.monotonic()
        self._stores.look()
        self._library.catalogue.roots = self._stores.roots
        has_changed = self._library.rescan()
        if self._glanced and (has_changed or self._library.lost()):
            self._backlog.begin()
            self._dirty = self._busy = True
        self._stores.cover()
        end = time.monotonic()
        # Where nothing is watched, this is all that finds what is new.
        rest = 400 if self._stores.alive else 100
        pause = min(SCANNED_AFTER, max(SCANNED_EVERY, rest * (end - start)))
        self._next_scan = end + max(pause, SCANNED_REST * (end - start))
        if self._scans_again:  # the system says nothing of files in directories just made
            self._next_scan, self._scans_again = end + AGAIN, False

    def _tell(self) -> None:
        start = time.thread_time()  # by the clock, a busy machine would have lists come rarely
        bookmarks = ReadState(dict(self._marks), self._bookmarks.first_run_at)
        told = SessionsChanged(
            self._library.sessions(self._now()),
            self._backlog.progress(self._rest_of_work()),
            bookmarks,
            self._problems(),
        )
        if told != self._told:
            self._told = told
            self._first_told.set()
            self._post(told)
            self._workers.changed()
        if self._follower.relink():
            self._look_again()
        self._dirty = False
        rest = 20 * (time.thread_time() - start)
        self._next_list = time.monotonic() + max(TOLD_EVERY, min(rest, TOLD_AFTER), rest / 5)

    def _rest_of_work(self) -> int:
        """Bytes still to be read of the transcript that is being read."""
        path = self._work_path
        file = self._library.file(path) if path else None
        if path is None or file is None:
            return 0
        return max(0, file.stat.st_size - self._library.transcript(path).fingerprint.offset)

    def _problems(self) -> list[str]:
        """What is not as it should be, a sentence each."""
        unreadable = [f"{p.path}: {p.reason}" for p in self._library.unreadable.values()]
        notices = (
            self._library.notice,
            self._decisions.notice,
            self._bookmarks.notice,
            self._trouble,
        )
        return unreadable + [n for n in (*self._stores.problems(), *notices) if n]

    # Work that nobody waits for.

    def _glance(self) -> None:
        """Know every session roughly, newest first; the first screen full is told at once."""
        self._next_list = time.monotonic() + TOLD_EVERY
        for number, path in enumerate(first_and_rest(self._library)[0]):
            if not self._running:
                return
            self._library.glance(path)
            if number == FIRST or time.monotonic() >= self._next_list:
                self._tell()
                self._first_shown.wait(PATIENCE)
            self._serve(0.0)
        self._glanced = True
        self._backlog.begin()
        self._tell()
        self._next_list = time.monotonic() + TOLD_EVERY  # those to come are made of what changed

    def _slice(self) -> bool:
        """Read a slice of a transcript that is not open; whether there was any."""
        if self._work is None:
            self._work_path = self._next_path()
            self._work = self._library.advance(self._work_path) if self._work_path else None
        if self._work is None:
            return self._backlog.has_more
        if next(self._work, self) is self:
            self._work = self._work_path = None
            self._dirty = True
        return True

    def _next_path(self) -> Path | None:
        """What to read next, the open transcript apart: that is followed."""
        if self._changed:
            return self._changed.pop()
        return self._backlog.next(self._follower.path)
