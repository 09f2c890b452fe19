"""The usage of one session: totals from the index, and its course from its records.

Updated in slices; what was folded is kept, so that one more record costs only itself. Sub-agents
are part of their session, and records copied from another session count there if that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..folds.tally import QUARTER
from ..library.library import Library
from ..model.event import CODE, KINDS
from ..model.session import Session
from ..model.usage import Course, SessionUse
from ..transcript.positions import SILENT_ANSWER
from ..transcript.transcript import Transcript
from .course import CourseFold, course_by_quarters, together
from .report import Called, Edited, UsageReports, UsageRow

SLICE = 200
"""Records folded at a time: a few milliseconds."""

SILENT = frozenset({"prompt", "injected", "result", "snapshot", "damaged"})
"""Kinds of records that tell of no tokens: most of the bytes, which need not be read."""

TELLING = frozenset(CODE[kind] for kind in KINDS if kind not in SILENT) | {SILENT_ANSWER}


class _Rows(NamedTuple):
    """The rows of a session in the index."""

    usage: list[UsageRow]
    calls: list[Called]
    edits: list[Edited]


class SessionUsage:
    """Adds up the usage of one session; used by one thread."""

    def __init__(self, library: Library, path: Path) -> None:
        self.path = path
        self._library = library
        self._folded: dict[Path, TranscriptCourse] = {}

    def count(self, now: int) -> Iterator[SessionUse | None]:
        """Yield the usage, first by quarters from the index, then by seconds; None in between."""
        sessions = self._library.sessions(now)
        family = _family(sessions, self.path)
        others = {session.session for session in sessions if session not in family}
        # Only whole sessions are copied; what a sub-agent calls its session is not its own id.
        foreign = {path: set() if one.parent else others for one in family for path in one.paths}
        rows = self._rows(foreign)
        yield None
        counting = UsageReports(family, now)
        yield from counting.count(*rows)
        report = counting.reports()[0]
        yield SessionUse(report, course_by_quarters(rows.usage, rows.calls))
        older = {path for one in family for path in one.parts}
        for path in foreign:
            before = self._folded.get(path)
            if path not in older or before is None or not before.is_whole:  # those do not grow
                yield from self._fold(path, foreign[path])
        yield SessionUse(report, self._course(rows.usage, family))

    def _rows(self, foreign: Mapping[Path, Set[str]]) -> _Rows:
        def is_own(path: Path, source: str) -> bool:
            return path in foreign and source not in foreign[path]

        index = self._library.index
        return _Rows(
            [row for row in index.usage() if is_own(row.path, row.source)],
            [row for row in index.calls() if is_own(row[0], row[3])],
            [row for row in index.edits() if row[0] in foreign],
        )

    def _fold(self, path: Path, foreign: Set[str]) -> Iterator[None]:
        transcript = self._library.transcript(path)
        if path not in self._folded or self._folded[path].transcript is not transcript:
            self._folded[path] = TranscriptCourse(transcript, foreign)
        with suppress(OSError):  # reading it, or following it, tells what happened
            while self._folded[path].advance():
                yield None

    def _course(self, usage: Sequence[UsageRow], family: Sequence[Session]) -> Course:
        """Return what was folded; tokens that are in no record are only known by quarter."""
        folded = [self._folded[path] for session in family for path in session.paths]
        traced = {one.transcript.path for one in folded if one.transcript.ledger}
        start = min((one.started_at for one in family if one.started_at), default=0)
        by_quarter = CourseFold()
        for row in usage:
            if row.path in traced and row.quarter:
                by_quarter.use(max(start, row.quarter * QUARTER), row.tokens, 0)
        return together([*(one.course() for one in folded), by_quarter.course()])


class TranscriptCourse:
    """The course of one transcript as far as it was folded.

    Records copied from one of the `foreign` sessions are left out.
    """

    def __init__(self, transcript: Transcript, foreign: Set[str]) -> None:
        self.transcript = transcript
        self._foreign = foreign
        self._generation = transcript.generation
        self._done = 0
        self._course_fold = CourseFold()

    def advance(self) -> bool:
        """Fold the next slice; return whether there is more. Raises OSError if reading fails."""
        transcript = self.transcript
        if self._generation != transcript.generation:
            self._generation = transcript.generation
            self._done, self._course_fold = 0, CourseFold()
        total = len(transcript.positions)
        wanted = transcript.positions.having(TELLING, self._done, total)[:SLICE]
        if wanted:
            with transcript.reading() as read:
                for index in wanted:
                    event = read(index)
                    if transcript.facts.ancestry.source_of(event) not in self._foreign:
                        self._course_fold.add(event)
        self._done = wanted[-1] + 1 if len(wanted) == SLICE else total
        return self._done < total

    @property
    def is_whole(self) -> bool:
        """Whether everything read of the transcript was folded."""
        return self._done == len(self.transcript.positions)

    def course(self) -> Course:
        """Return the course so far."""
        return self._course_fold.course()


def _family(sessions: Sequence[Session], path: Path) -> list[Session]:
    """Return the session at a path and its sub-agents."""
    paths = {path}
    while below := {s.path for s in sessions if s.parent_path in paths} - paths:
        paths |= below
    return [session for session in sessions if session.path in paths]
