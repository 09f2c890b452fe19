"""Requests earlier records of the open session, and goes to a record once it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ...storage.transcript.continuations import place
from ...widgets.timeline.timeline import Jump, Step, Timeline
from ..feed.requests import TAIL_LINES

if TYPE_CHECKING:
    from ...storage.timeline.session_rows import SessionRows
    from ..feed.feed import Feed

MORE = 4
"""The factor by which the number of requested lines grows with each request."""


class Backfill:
    """Request earlier records from a feed; `go_to` goes to a record by its address."""

    def __init__(self, feed: Feed, timeline: Timeline, go_to: Callable[[int], object]) -> None:
        self._feed = feed
        self._timeline = timeline
        self._go_to = go_to
        self.begin()

    def begin(self) -> None:
        """Reset all requests, because another session is open."""
        self._lines = TAIL_LINES
        self._parts = 0
        """Number of older parts requested so far; a smaller request would unload some."""
        self.wants_first = False
        """Whether to go to the first row of the session."""
        self.wanted: int | None = None
        """The address of the record to go to."""
        self.mark: int | None = None
        """The address of the bookmarked record."""
        self.jump: tuple[Jump, Step] | None = None
        """The jump to repeat once another part is loaded."""

    def ask(self, path: Path | None, rows: SessionRows | None, has_room: bool) -> None:
        """Request records before the loaded ones.

        With `has_room`, the loaded rows do not fill the timeline, and one more part is requested
        unless an earlier request is still open.
        """
        if has_room and rows is not None and rows.older >= self._parts:
            self.ask_parts(path, rows)
        elif has_room:
            return
        elif path and rows and not rows.is_first_whole:
            self._lines *= MORE
            self._feed.open(path, self._lines, self._parts)
        else:
            self.ask_parts(path, rows)

    def ask_parts(self, path: Path | None, rows: SessionRows | None) -> None:
        """Request the parts back to the wanted one, but at least one more.

        Nothing is requested while the first loaded part is incomplete, as its rest is being read.
        """
        if path is None or rows is None or rows.complete or not rows.is_first_whole:
            return
        address = self.mark if self.wanted is None else self.wanted
        part = rows.first - 1 if address is None else min(place(address)[0], rows.first - 1)
        wanted = rows.older + rows.first - (not self.wants_first) * part
        self._parts = max(self._parts, wanted)
        self._feed.open(path, self._lines, self._parts)

    def jumps(
        self, path: Path | None, rows: SessionRows | None, failed: Timeline.JumpFailed
    ) -> bool:
        """Repeat a failed jump once another part is loaded; return False if there is none."""
        if rows is None or not rows.first or not rows.is_first_whole:
            return False
        self.jump = failed.jump, failed.step
        self.ask_parts(path, rows)
        return True

    def loaded(self, path: Path | None, rows: SessionRows) -> None:
        """Go to the wanted record if it is loaded, else request more."""
        if self.wanted is not None:
            self._go_to(self.wanted)
        elif self.mark is not None:
            self._go_to_mark(path, self.mark, rows)
        elif self.wants_first and rows.complete:
            self.wants_first = False
            self._timeline.action_first()
        elif self.wants_first:
            self.ask_parts(path, rows)
        elif self.jump is not None:
            (jump, step), self.jump = self.jump, None
            self._timeline.action_jump(jump, step)

    def _go_to_mark(self, path: Path | None, mark: int, rows: SessionRows) -> None:
        if place(mark)[0] < rows.first:
            self.ask_parts(path, rows)
            return
        self.mark = None
        if (row := rows.place_of(mark)) is not None:
            self._timeline.select(row)
