"""The thread that finds, opens, follows and indexes transcripts for the screen.

It owns the library. The screen calls methods that return at once, and gets the results as
messages. Priorities, highest first: requests, changes of the open transcript, a search, the
earlier records of the open transcript, changes elsewhere, and everything not read yet. The work is
cut into slices of a few milliseconds with a pause after each, so that the screen stays responsive.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from textual.message import Message

from ...storage.library.update import first_and_rest
from ...storage.private.bookmarks import Bookmark
from ..startup.early import FIRST, Early
from .backlog import Backlog
from .context import Context
from .follower import Follower
from .messages import SessionsChanged
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
from .session_list import LatestList, SessionLists
from .timetable import TOLD_EVERY, Timetable
from .watched_stores import WatchedStores
from .workers import Workers

if TYPE_CHECKING:
    from .tasks import Task

NAP = 0.001
"""Seconds to sleep after each slice, so that the screen's thread can run."""


class Feed(Thread):
    """Read transcripts until stopped, starting with the library that `early` has opened.

    `post` is called from this thread and must be thread-safe. `now` returns milliseconds since the
    Unix epoch.
    """

    def __init__(
        self, early: Early, post: Callable[[Message], object], now: Callable[[], int]
    ) -> None:
        super().__init__(name="feed", daemon=True)
        self._early = early
        self._post = post
        self._now = now
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._running = True
        self._timetable = Timetable(now)
        self._latest = LatestList()
        self._look = Look("")
        self._trouble = ""

    # Methods for the screen's thread.

    def first_list(self) -> SessionsChanged | None:
        """Return the first list if it is ready soon, so that the first frame shows it."""
        return self._latest.wait()

    def go_on(self) -> None:
        """Signal that the first list is on screen, so that the slower work starts."""
        self._latest.set_shown()

    def open(self, path: Path | None, lines: int = TAIL_LINES, older: int = 0) -> None:
        """Open and follow a session, starting at its end; None closes the open one.

        `lines` is about how many lines of a long transcript are read first, `older` the number of
        earlier parts to load.
        """
        self._requests.put(OpenRequest(path, lines, older))

    def find(self, words: str) -> None:
        """Find words in the open session."""
        self._requests.put(FindRequest(words))

    def search(self, request: SearchRequest) -> None:
        """Search all sessions and post the newest hits until the next call."""
        self._requests.put(request)

    def look_at(self, aspect: Aspect, subject: Subject | None = None) -> None:
        """Post memory, recovery, cases, candidates or usage of a subject until the next call.

        A subject of None is the open session.
        """
        self._requests.put(Look(aspect, subject))

    def carry_out(self, task: Task) -> None:
        """Carry out a task and post its outcome."""
        self._requests.put(task)

    def keep(self, marks: Mapping[Path, Bookmark]) -> None:
        """Save bookmarks."""
        self._requests.put(Marks(marks))

    def stop(self) -> None:
        """Stop after the current slice and save what was read."""
        self._requests.put(None)

    # The thread.

    def run(self) -> None:
        """Read until stopped."""
        early = self._early
        library, decisions = early.take()
        context = Context(library, decisions, early.review_days, self._post, self._now)
        self._library = library
        self._workers = Workers(context)
        self._lists = SessionLists(context, early.places.data)
        self._stores = WatchedStores(early.roots, self._changed)
        self._backlog = Backlog(library, self._timetable.change)
        self._follower = Follower(context, self._backlog.leave)
        try:
            self._begin()
            while self._running:
                self._turn()
        finally:
            self._stores.stop()
            self._lists.close()
            library.close()
            decisions.close()

    def _changed(self, paths: set[str]) -> None:
        """Queue changed paths; called from a watcher's thread."""
        self._requests.put(Changed(frozenset(paths)))

    def _begin(self) -> None:
        """Post the first list, then start watching.

        After an error the normal turns continue from wherever this got to.
        """
        try:
            self._glance()
            self._lists.open()
            self._stores.start()
        except Exception as error:
            self._trouble = f"reading was interrupted: {error!r}"

    def _glance(self) -> None:
        """Glance at every session, newest first; post a list once the first screenful is known."""
        self._timetable.tell_later()
        for number, path in enumerate(first_and_rest(self._library)[0]):
            if not self._running:
                return
            self._library.glance(path)
            if number == FIRST or self._timetable.may_tell:
                self._tell()
                self._latest.wait_until_shown()
            self._serve(0.0)
        self._backlog.begin()
        self._tell()
        self._timetable.tell_later()  # further lists are posted for changes only

    def _turn(self) -> None:
        """Run one iteration: requests, then timed work, then a slice of reading."""
        due = self._timetable
        try:
            self._serve(due.patience(self._follower.quiet_until, self._stores.alive))
            self._keep_time()
            if time.monotonic() >= self._follower.quiet_until:
                due.busy = self._work_on()
        except Exception as error:  # one file must not stop the reading of the others
            self._backlog.stop()
            self._trouble = f"reading was interrupted: {error!r}"
            time.sleep(TOLD_EVERY)
        if due.busy:
            time.sleep(NAP)

    def _work_on(self) -> bool:
        """Run a slice of the most urgent work; return whether there was any."""
        workers, follower = self._workers, self._follower
        return (
            workers.search_slice()
            or follower.slice()
            or workers.slice()
            or self._backlog.slice(follower.path)
            or workers.rest_slice()
        )

    # Requests.

    def _serve(self, patience: float) -> None:
        """Handle queued requests, waiting up to `patience` seconds for the first."""
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
            self._timetable.busy = True
        elif isinstance(request, Look):
            self._look = request
            self._look_again()
        elif isinstance(request, Marks):
            self._lists.keep(request.marks)
            self._timetable.change()
        elif isinstance(request, Changed):
            self._hear({Path(path) for path in request.paths})
        else:
            self._workers.carry_out(request)
            self._timetable.tell_at_once()

    def _show(self, request: OpenRequest) -> None:
        before = self._follower.path
        if before is not None and before != request.path:
            self._backlog.add({before})  # its beginning may not have been read completely
        self._backlog.leave(request.path)
        self._follower.show(request)
        self._look_again()
        self._timetable.change()

    def _look_again(self) -> None:
        """Apply the current look again, as it may depend on the open transcript."""
        look, self._timetable.busy = self._look, True
        self._follower.insight.look_at(look.aspect)
        self._workers.look_at(look.aspect, look.subject or self._follower.path)

    def _hear(self, paths: set[Path]) -> None:
        if self._follower.path in paths:
            self._follow()
        known = {path for path in paths if self._library.file(path)}
        self._backlog.add(known - {self._follower.path})
        if paths - known or not all(map(os.path.lexists, known)):
            self._timetable.scan_at_once()

    def _follow(self) -> None:
        if self._follower.follow():
            self._timetable.change(busy=True)

    # Timed work.

    def _keep_time(self) -> None:
        now, due = time.monotonic(), self._timetable
        if due.ticks(now):
            self._follow()
        if due.scans(now):
            self._scan()
        if due.saves(now):
            self._library.save()
        if due.tells(now, self._follower.quiet_until):
            self._tell()
        due.took(time.monotonic() - now)

    def _scan(self) -> None:
        """Look for new, changed and removed transcripts, and watch new stores."""
        start = time.monotonic()
        self._stores.look()
        self._library.catalogue.roots = self._stores.roots
        if self._library.rescan() or self._library.lost():
            self._backlog.begin()
            self._timetable.change(busy=True)
        self._stores.cover()
        self._timetable.scanned(start, self._stores.alive)

    def _tell(self) -> None:
        """Post the list of sessions if it has changed."""
        start = time.thread_time()  # wall time would delay the lists on a busy machine
        progress, problems = self._backlog.progress(), self._stores.problems()
        message = self._lists.make(progress, problems, self._trouble)
        if self._latest.replace(message):
            self._post(message)
            self._workers.changed()
        if self._follower.relink():
            self._look_again()
        self._timetable.told(time.thread_time() - start)
