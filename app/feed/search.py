"""The search in all sessions that the feed carries out: a slice at a time, ended by the next one.

What was found is told as it comes. Once enough was found the search rests where it is, and goes
on from there when more is wanted; when transcripts grew it is made anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from ...storage.library.library import Library
from ...storage.search.query import SAID, parse_query
from ...storage.search.search import FoundHit, Search
from ...widgets.search.hit_rows import FoundEvent
from ...widgets.words.session_filter import moment
from ..selection.search_scope import kinds_of, wanted
from .context import Context
from .messages import HitsChanged
from .requests import SearchRequest

TOLD_EVERY = 0.05
"""Seconds between two states of a search that goes on."""

REST, REST_BEHIND = 20, 4
"""How many times as long as a search took it rests before it is made anew, and while the index did
not hold all that was to be searched."""

ENDLESS = 1 << 30
"""More hits than there ever are: it is known here how many are enough."""


class SearchWorker:
    """Searches what is sought; used by the feed's thread alone."""

    def __init__(self, context: Context) -> None:
        self._library = context.library
        self._post = context.post
        self._now = context.now
        self._sought = SearchRequest()
        self._run: Run | None = None
        self._is_due = self._is_new = False
        self._told: HitsChanged | None = None
        self._spent = self._next_begin = self._next_tell = 0.0

    def search(self, sought: SearchRequest) -> None:
        """Search for this from now on, instead of what was searched for."""
        before, self._sought = self._sought, sought
        self._next_tell = time.monotonic() + TOLD_EVERY
        if self._run is None or not sought.is_alike(before) or sought.limit <= before.limit:
            self._run, self._told, self._next_begin = None, None, 0.0
            self._is_due = bool(sought.text)
        self._is_new = True

    def changed(self) -> None:
        """Transcripts grew."""
        self._is_due = bool(self._sought.text)

    def slice(self) -> bool:
        """Search a little; whether there was anything to do."""
        start = time.monotonic()
        if self._rests and not self._begins(start):
            return False
        assert self._run is not None
        self._run.advance()
        now = time.monotonic()
        self._spent += now - start
        if self._rests:
            rest = REST_BEHIND if self._run.is_behind else REST
            self._next_begin = now + rest * self._spent
            self._tell(self._run)
            self._is_new = False
        elif self._is_new and now >= self._next_tell:
            self._next_tell = now + TOLD_EVERY
            self._tell(self._run)
        return True

    @property
    def _rests(self) -> bool:
        return self._run is None or self._run.has(self._sought.limit)

    def _begins(self, now: float) -> bool:
        if not self._is_due or now < self._next_begin:
            return False
        self._is_due, self._spent = False, 0.0
        self._run = Run(self._library, self._sought, self._now())
        return True

    def _tell(self, run: Run) -> None:
        told = run.told(self._sought)
        if told != self._told:
            self._told = told
            self._post(told)


class Run:
    """One search for what is sought, as far as it is."""

    def __init__(self, library: Library, sought: SearchRequest, now: int) -> None:
        query = parse_query(sought.text, lambda text: moment(text, now))
        listed = library.sessions(now)
        sessions = {path: session for session in listed for path in session.paths}
        paths = wanted(library.newest_first(), listed, query, now)
        kinds = kinds_of(query, sought.kinds)
        self._library = library
        self._sessions = sessions
        self._paths = len(paths)
        self._count = len({self._top(path) for path in paths})
        self._search = Search(library, query, paths, kinds)
        self._bytes = _bytes(library, paths) if kinds - SAID else 0
        self._slices: Iterator[list[FoundHit]] = self._search.run(ENDLESS)
        self._hits: list[FoundEvent] = []
        self._has_all = False

    def has(self, limit: int) -> bool:
        """Whether so many hits were found, and whether there are more is known; or all were."""
        return self._has_all or len(self._hits) > limit

    @property
    def is_behind(self) -> bool:
        """Whether there are sessions that could not be searched, or not whole, yet."""
        return bool(self._search.unsearched)

    def advance(self) -> None:
        """Search for some milliseconds."""
        slice = next(self._slices, None)
        self._has_all = slice is None
        self._hits += [self._shown(found) for found in slice or ()]

    def told(self, sought: SearchRequest) -> HitsChanged:
        """What was found so far."""
        progress = self._search.progress
        behind = {self._top(path) for path in self._search.unsearched}
        return HitsChanged(
            sought,
            self._hits[: sought.limit],
            finished=self.has(sought.limit),
            more=len(self._hits) > sought.limit,
            looked_at=self._count * progress.sessions // max(1, self._paths),
            sessions=self._count,
            percent=min(99, 100 * progress.bytes // self._bytes) if self._bytes else None,
            unsearched=len(behind),
            too_long=len({self._top(path) for path in self._search.too_long}),
        )

    def _shown(self, found: FoundHit) -> FoundEvent:
        hit, (event, snippet) = found
        session = self._sessions.get(hit.path)
        return FoundEvent(
            hit.path,
            event.place.address,
            event.at,
            event.kind,
            snippet.text,
            (snippet.start, snippet.end),
            session.title if session else hit.path.stem,
            session.workspace if session else "",
        )

    def _top(self, path: Path) -> Path:
        """The transcript of the session that a sub-agent's belongs to; else the same."""
        while (session := self._sessions.get(path)) and session.parent_path:
            path = session.parent_path
        return session.path if session else path


def _bytes(library: Library, paths: list[Path]) -> int:
    """How much there is to read."""
    files = (library.file(path) for path in paths)
    return sum(file.stat.st_size for file in files if file)
