"""Searches all sessions, a slice at a time, until the next search replaces it.

Hits are posted as they are found. With enough hits the search pauses, and it continues when more
are requested. When transcripts have grown, it starts again.
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
"""Minimum seconds between two messages of a running search."""

REST, REST_BEHIND = 20, 4
"""Pause before a search starts again, as a multiple of its duration. REST_BEHIND applies while the
index does not contain everything that is to be searched.
"""

ENDLESS = 1 << 30
"""A limit that is never reached; `Run.has` applies the requested one."""


class SearchWorker:
    """Run the requested search; used by the feed's thread only."""

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
        """Replace the search; one that only asks for more hits is continued."""
        before, self._sought = self._sought, sought
        self._next_tell = time.monotonic() + TOLD_EVERY
        if self._run is None or not sought.is_alike(before) or sought.limit <= before.limit:
            self._run, self._told, self._next_begin = None, None, 0.0
            self._is_due = bool(sought.text)
        self._is_new = True

    def changed(self) -> None:
        """Search again, because transcripts have grown."""
        self._is_due = bool(self._sought.text)

    def slice(self) -> bool:
        """Search for one slice; return whether there was anything to do."""
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
    """One run of a search and its hits so far."""

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
        """Whether the search can stop: it has more than `limit` hits, or is complete."""
        return self._has_all or len(self._hits) > limit

    @property
    def is_behind(self) -> bool:
        """Whether some sessions could not be searched completely yet."""
        return bool(self._search.unsearched)

    def advance(self) -> None:
        """Search for a few milliseconds."""
        slice = next(self._slices, None)
        self._has_all = slice is None
        self._hits += [self._shown(found) for found in slice or ()]

    def told(self, sought: SearchRequest) -> HitsChanged:
        """Return the hits and the progress so far."""
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
        """Return the newest transcript of a session, or of the session of a sub-agent."""
        while (session := self._sessions.get(path)) and session.parent_path:
            path = session.parent_path
        return session.path if session else path


def _bytes(library: Library, paths: list[Path]) -> int:
    """Return the total size of the files."""
    files = (library.file(path) for path in paths)
    return sum(file.stat.st_size for file in files if file)
