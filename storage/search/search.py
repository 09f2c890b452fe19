"""Search the conversations of all sessions, newest first, reading no more than that takes.

The index stores prompts and answers in pieces. The session with the newest record is searched
first, beginning with its last piece; a hit is yielded once nothing newer can follow.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import NamedTuple

from ..folds.timestamps import TOLERANCE, corrected
from ..index.texts import Piece
from ..library.library import Library
from ..model.event import CODE, Kind
from .query import SAID, Query, folded
from .quotation import Hit, Quotation, Quotations, searched_text
from .scan import ScanProgress, scan

SLICE = 0.004
"""Seconds after which a search yields control."""

FEW = 32
"""Sessions searched one by one; if those do not suffice, the others are filtered all at once."""

KIND: dict[int, Kind] = {code: kind for kind, code in CODE.items()}

ENDLESS = 1 << 63
"""Later than any time."""

Step = tuple[list[Hit], int]
"""Hits, and the time after which their session has no further ones."""


class FoundHit(NamedTuple):
    """A hit, and its quotation from the transcript."""

    hit: Hit
    quotation: Quotation


class Search:
    """One search in the indexed transcripts at some paths.

    `kinds` other than prompts and answers are searched in the transcripts themselves.
    """

    def __init__(
        self,
        library: Library,
        query: Query,
        wanted: Iterable[Path],
        kinds: frozenset[Kind] = SAID,
    ) -> None:
        library.save()
        self._now = int(time.time() * 1000)
        self._latest = self._now + TOLERANCE
        """No record can have been written later."""
        self._library = library
        self._query = query
        self._kinds = kinds & query.kinds if query.kinds else kinds
        self._scanned = self._kinds - SAID
        self._needles = [needle.encode() for needle in query.needles]
        self._quotations = Quotations(library)
        self._paths = list(self._editing(wanted))
        self.unsearched = library.overviews.unsearchable(self._paths)
        """Transcripts that are not completely indexed, or that disappeared during the search."""
        self.too_long = [path for path in self._paths if self._has_too_long(path)]
        """Transcripts with lines that are too long to be searched."""
        self.progress = ScanProgress()
        self._holding: set[Path] | None = None
        """The transcripts whose indexed text contains the words; None before they were filtered."""

    def run(self, limit: int) -> Iterator[list[FoundHit]]:
        """Yield the newest hits, at most `limit`, in lists covering a few milliseconds each."""
        found: list[FoundHit] = []
        count, until = 0, time.monotonic() + SLICE
        for hit in self.hits() if limit > 0 else ():
            if hit and (quotation := self._quotations.quote(self._query, hit)):
                found.append(FoundHit(hit, quotation))
                count += 1
            elif hit and self._quotations.transcript(hit.path) is None:
                self._miss(hit.path)
            if count == limit:
                break
            if time.monotonic() >= until:
                yield found
                found, until = [], time.monotonic() + SLICE
        yield found

    def hits(self) -> Iterator[Hit | None]:
        """Yield all hits, newest first; a record repeated by forks is found once.

        Yields None after each step within a session, to give up control.
        """
        together: list[Hit] = []
        for hit in self._merged():
            if hit is None:
                yield None
            elif together and (hit.at is None or hit.at != together[0].at):
                yield from self._originals(together)
                together = [hit]
            else:
                together.append(hit)
        yield from self._originals(together)

    def _merged(self) -> Iterator[Hit | None]:
        """Yield the hits of all sessions, by time."""
        due: list[tuple[int, int, Iterator[Step]]] = []
        for order, path in enumerate(self._paths):
            newest = self._newest(path)
            first = ENDLESS if self._has_tail(path) else newest
            due.append((-first, order, self._steps(path, newest)))
        heapify(due)
        ready: list[tuple[int, int, int, Hit]] = []
        while due or ready:
            while ready and (not due or ready[0][0] < due[0][0]):
                yield heappop(ready)[3]
            if not due:
                continue
            if self.progress.sessions == FEW and self._holding is None:
                yield from self._sift()
            before, order, steps = heappop(due)
            if -before < (self._query.since or 0):
                due.clear()
            elif step := next(steps, None):
                hits, rest = step
                for hit in hits:
                    heappush(ready, (-(hit.at or 0), order, -hit.record, hit))
                heappush(due, (max(before, -rest), order, steps))
            yield None

    def _sift(self) -> Iterator[None]:
        """Find the sessions that contain the words at all: for a rare word, most do not."""
        holding: set[Path] = set()
        for texts in self._library.index.texts():
            holding.update(
                path for path, data in texts if all(needle in data for needle in self._needles)
            )
            yield None
        self._holding = holding

    def _steps(self, path: Path, newest: int) -> Iterator[Step]:
        """Search one session: its unterminated tail, its file if needed, then its pieces."""
        self.progress.sessions += 1
        yield list(self._tail(path)), newest
        for hits in self._scan(path):
            timed = [hit._replace(at=self._time(path, hit.at or 0) or None) for hit in hits]
            yield self._since(timed), newest
        if self._kinds & SAID:
            is_held = self._holding is None or path in self._holding
            for piece, rest in self._library.transcripts.said(path, is_held):
                yield self._since(self._in_piece(path, piece)), min(rest, self._latest)
        if self._library.transcripts.has_lost(path):
            self._miss(path)

    def _miss(self, path: Path) -> None:
        """Record that a transcript was no longer available."""
        if path not in self.unsearched:
            self.unsearched.append(path)

    def _scan(self, path: Path) -> Iterator[list[Hit]]:
        transcript = self._quotations.transcript(path) if self._scanned else None
        if not self._scanned:
            return
        if transcript is None:
            self._miss(path)
            return
        try:
            yield from scan(transcript, self._query, self._scanned, self.progress)
        except OSError:
            self._miss(path)

    def _in_piece(self, path: Path, piece: Piece) -> Iterator[Hit]:
        for _, record, code, at in self._entries(piece):
            if KIND[code] in self._kinds:
                yield Hit(path, record, self._time(path, at) or None, KIND[code])

    def _entries(self, piece: Piece) -> Iterator[tuple[int, int, int, int]]:
        """Yield the heads of the entries that contain the words."""
        data, heads = piece.data, piece.heads
        if not self._needles:
            yield from heads
            return
        if not all(needle in data for needle in self._needles):
            return
        starts = [head[0] for head in heads]
        at = data.find(self._needles[0])
        while at >= 0:
            index = bisect_right(starts, at) - 1
            end = starts[index + 1] if index + 1 < len(starts) else len(data)
            if self._query.matches(data[starts[index] : end - 1].decode()):
                yield heads[index]
            at = data.find(self._needles[0], end)

    def _tail(self, path: Path) -> Iterator[Hit]:
        """Yield the hits among the records after the last line end."""
        if not self._has_tail(path):
            return
        transcript = self._quotations.transcript(path)
        try:
            events = transcript.tail() if transcript else []
        except OSError:
            return
        for record, event in enumerate(events, len(transcript.positions) if transcript else 0):
            if event.kind in self._kinds and self._query.matches(folded(searched_text(event))):
                yield from self._since([Hit(path, record, event.at, event.kind)])

    def _since(self, hits: Iterable[Hit]) -> list[Hit]:
        since = self._query.since
        return [hit for hit in hits if since is None or (hit.at or 0) >= since]

    def _newest(self, path: Path) -> int:
        """Return the latest time of a session's records."""
        overview = self._library.overview(path)
        return min((overview.facts.newest_at if overview else None) or 0, self._latest)

    def _time(self, path: Path, at: int) -> int:
        """Return a record's time; if it is in the future, use the file's modification time."""
        if at <= self._latest:
            return at
        file = self._library.file(path)
        modified = file.stat.st_mtime_ns // 1_000_000 if file else None
        return min(corrected(at, self._now, modified) or 0, self._latest)

    def _has_tail(self, path: Path) -> bool:
        """Return whether there are bytes after the last line end; their times are not known yet."""
        overview = self._library.overview(path)
        return overview is not None and overview.fingerprint.size > overview.fingerprint.offset

    def _has_too_long(self, path: Path) -> bool:
        overview = self._library.overview(path)
        return overview is not None and overview.facts.too_long > 0

    def _originals(self, hits: list[Hit]) -> list[Hit]:
        """Drop hits whose record is a copy of another hit of the same time."""
        if len({hit.path for hit in hits}) < 2:
            return hits
        by_text: dict[str, list[Hit]] = {}
        for hit in hits:
            event = self._quotations.event(hit)
            by_text.setdefault(searched_text(event) if event else "", []).append(hit)
        kept: set[Hit] = set()
        for same in by_text.values():
            kept.update([hit for hit in same if not self._quotations.is_copy(hit)] or same[:1])
        return [hit for hit in hits if hit in kept]

    def _editing(self, wanted: Iterable[Path]) -> Iterable[Path]:
        """Return the paths of the sessions that edited the requested files."""
        if self._query.faults:
            return ()
        if not self._query.files:
            return wanted
        edited: dict[Path, list[str]] = {}
        for path, file, *_ in self._library.index.edits():
            edited.setdefault(path, []).append(folded(file))
        return [
            path
            for path in wanted
            if all(any(word in file for file in edited.get(path, ())) for word in self._query.files)
        ]
