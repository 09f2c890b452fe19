"""Adds up usage by day, workspace, model and tool from the rows of the index.

Pure: rows and sessions in, reports out. Nothing counts twice: records copied into a fork count in
their source if that is known, and sub-agents count as part of their session.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Protocol

from ..folds.tally import QUARTER
from ..folds.timestamps import TOLERANCE
from ..model.event import Usage
from ..model.session import Session
from ..model.usage import PERIODS, Day, Reports, UsageReport
from .sums import Ring, Sum, shares

SLICE = 2_000
"""Rows between two chances to do something else: some milliseconds."""

RINGS = tuple(sorted(days for days in PERIODS if days))
"""Each period holds the shorter ones, so what lies between two is summed up apart."""


class UsageRow(Protocol):
    """A row of the index: the tokens of one transcript in a quarter of an hour."""

    @property
    def path(self) -> Path:
        """The transcript."""
        ...

    @property
    def quarter(self) -> int:
        """Quarter of an hour since 1970; 0 if the records have no time."""
        ...

    @property
    def model(self) -> str:
        """The model; "" if no record names it."""
        ...

    @property
    def source(self) -> str:
        """The session that the records were copied from; "" if they are its own."""
        ...

    @property
    def tokens(self) -> Usage:
        """The tokens."""
        ...

    @property
    def responses(self) -> int:
        """Number of responses."""
        ...


Called = tuple[Path, int, str, str, int]
"""Transcript, quarter of an hour since 1970, tool, the session copied from or "", calls."""

Edited = tuple[Path, str, int, int]
"""Transcript, file, edits, when the last one was."""


def reports_of(
    usage: Iterable[UsageRow],
    calls: Iterable[Called],
    edits: Iterable[Edited],
    sessions: Sequence[Session],
    now: int,
    zone: tzinfo | None = None,
) -> Reports:
    """Return the reports of all periods that end at `now` (milliseconds since 1970)."""
    counting = UsageReports(sessions, now, zone)
    for _ in counting.count(usage, calls, edits):
        pass
    return counting.reports()


class UsageReports:
    """Adds up rows in slices. `zone`: time zone of the days; None for the local one."""

    def __init__(self, sessions: Sequence[Session], now: int, zone: tzinfo | None = None) -> None:
        self._sessions = {session.path: session for session in sessions}
        self._leaders = {path: self._leader(path) for path in self._sessions}
        for session in sessions:  # what stands in earlier parts counts for the session
            self._sessions.update(dict.fromkeys(session.parts, session))
            self._leaders.update(dict.fromkeys(session.parts, self._leaders[session.path]))
        self._ids = {session.session for session in sessions}
        self._calendar = Calendar(now, zone)
        self._latest = (now + TOLERANCE) // QUARTER
        self._days: defaultdict[date, Sum] = defaultdict(Sum)
        self._rings = [Ring() for _ in range(len(RINGS) + 1)]
        self._files: dict[str, int] = {}
        """The narrowest ring that the last edit of each file lies in."""
        self._copies: dict[tuple[str, int, str], UsageRow] = {}
        self._copied_calls: dict[tuple[str, int, str], tuple[int, Path]] = {}
        """What was copied from sessions that are gone counts once, by source, quarter and name."""

    def count(
        self, usage: Iterable[UsageRow], calls: Iterable[Called], edits: Iterable[Edited]
    ) -> Iterator[None]:
        """Add up everything, yielding after every slice."""
        for session in self._sessions.values():
            self._meet(session)
        yield
        for number, row in enumerate(usage, 1):
            self._use(row)
            if number % SLICE == 0:
                yield
        for row in self._copies.values():
            self._add_usage(row)
        yield
        for number, called in enumerate(calls, 1):
            self._call(*called)
            if number % SLICE == 0:
                yield
        for (_, quarter, tool), (count, path) in self._copied_calls.items():
            self._add_calls(path, quarter, tool, count)
        for number, edited in enumerate(edits, 1):
            self._edit(*edited)
            if number % SLICE == 0:
                yield

    def reports(self) -> Reports:
        """Return the reports."""
        found: dict[int, UsageReport] = {}
        whole = Ring()
        for number, (days, ring) in enumerate(zip((*RINGS, 0), self._rings, strict=True)):
            whole.include(ring)
            files = sum(1 for place in self._files.values() if place <= number)
            found[days] = self._report(days, whole, files)
        return {days: found[days] for days in PERIODS}

    def _report(self, period: int, whole: Ring, files: int) -> UsageReport:
        last = self._calendar.today
        first = last - timedelta(days=period - 1) if period else min([*self._days, last])
        days = tuple(
            Day(day, self._days[day].totals()) for day in sorted(self._days) if day >= first
        )
        return UsageReport(
            first,
            last,
            whole.totals.totals(),
            files,
            days,
            shares(whole.workspaces),
            shares(whole.models),
            shares(whole.tools),
        )

    def _leader(self, path: Path) -> Path:
        """Return the transcript of the session that a sub-agent is part of."""
        seen = {path}
        while (parent := self._sessions[path].parent_path) in self._sessions and parent not in seen:
            path = self._sessions[parent].path
            seen.add(path)
        return path

    def _meet(self, session: Session) -> None:
        """Count a session on the days of its first and last record, whatever it used."""
        leader = self._leaders[session.path]
        for at in {session.started_at, session.updated_at}:
            day, ring = self._place(None if at is None else at // QUARTER)
            sums = [ring.totals, ring.workspaces[session.workspace]]
            sums += [self._days[day]] if day else []
            sums += [ring.models[session.model]] if session.model else []
            for one in sums:
                one.sessions.add(leader)

    def _use(self, row: UsageRow) -> None:
        session = self._sessions.get(row.path)
        if session is None:
            return
        # Only whole sessions are copied; what a sub-agent calls its session is not its own id.
        if not row.source or session.parent is not None:
            self._add_usage(row)
        elif row.source not in self._ids:
            key = (row.source, row.quarter, row.model)
            before = self._copies.get(key)
            if before is None or before.responses < row.responses:
                self._copies[key] = row

    def _add_usage(self, row: UsageRow) -> None:
        day, ring = self._place(self._written(row.path, row.quarter))
        leader, workspace = self._leaders[row.path], self._sessions[row.path].workspace
        sums = [ring.totals, ring.workspaces[workspace], ring.models[row.model]]
        for one in [*sums, self._days[day]] if day else sums:
            one.tokens += row.tokens
            one.responses += row.responses
            one.sessions.add(leader)

    def _call(self, path: Path, quarter: int, tool: str, source: str, calls: int) -> None:
        session = self._sessions.get(path)
        if session is None:
            return
        if not source or session.parent_path is not None:
            self._add_calls(path, quarter, tool, calls)
        elif source not in self._ids:
            key = (source, quarter, tool)
            self._copied_calls[key] = max((calls, path), self._copied_calls.get(key, (0, path)))

    def _add_calls(self, path: Path, quarter: int, tool: str, calls: int) -> None:
        session = self._sessions[path]
        day, ring = self._place(self._written(path, quarter))
        leader = self._leaders[path]
        edits = calls if tool in session.agent.tools.edits else 0
        sums = [ring.totals, ring.workspaces[session.workspace], ring.tools[tool]]
        for one in [*sums, self._days[day]] if day else sums:
            one.calls += calls
            one.edits += edits
            one.sessions.add(leader)

    def _edit(self, path: Path, file: str, edits: int, last: int) -> None:
        if path in self._sessions:
            day = self._calendar.day(self._written(path, last // QUARTER))
            place = self._calendar.ring(day)
            self._files[file] = min(place, self._files.get(file, place))

    def _written(self, path: Path, quarter: int) -> int:
        """Return when records were written; if that is in the future, when their file was."""
        last = self._sessions[path].updated_at
        return quarter if quarter <= self._latest or last is None else last // QUARTER

    def _place(self, quarter: int | None) -> tuple[date | None, Ring]:
        day = self._calendar.day(quarter)
        return day, self._rings[self._calendar.ring(day)]


class Calendar:
    """The local day on which a quarter of an hour since 1970 begins, and how long ago it is."""

    def __init__(self, now: int, zone: tzinfo | None = None) -> None:
        self._zone = zone
        self._known: dict[int, date | None] = {}
        self.today = datetime.fromtimestamp(now / 1000, zone).date()

    def day(self, quarter: int | None) -> date | None:
        """Return the day; today for future quarters, None if there is no time."""
        if not quarter:
            return None
        if quarter not in self._known:
            self._known[quarter] = self._look_up(quarter)
        return self._known[quarter]

    def ring(self, day: date | None) -> int:
        """Return the index in `RINGS` of the shortest period that contains the day."""
        age = RINGS[-1] if day is None else (self.today - day).days
        return sum(age >= days for days in RINGS)

    def _look_up(self, quarter: int) -> date | None:
        try:
            return min(
                self.today, datetime.fromtimestamp(quarter * (QUARTER // 1000), self._zone).date()
            )
        except (OverflowError, OSError, ValueError):
            return None
