"""What is wanted of the open session and is not loaded yet: asked for, and gone to once it is."""

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
"""How many times as many lines are asked for when those loaded are not enough."""


class Backfill:
    """Asks a feed for earlier records; `go_to` goes to one by its address."""

    def __init__(self, feed: Feed, timeline: Timeline, go_to: Callable[[int], object]) -> None:
        self._feed = feed
        self._timeline = timeline
        self._go_to = go_to
        self.begin()

    def begin(self) -> None:
        """Another session is open: nothing is wanted of it."""
        self._lines = TAIL_LINES
        self._parts = 0
        """How many older parts were asked for: to ask for less would take the others back."""
        self.wants_first = False
        """Whether its first row is to be gone to."""
        self.wanted: int | None = None
        """The address of a record to go to."""
        self.mark: int | None = None
        """That of the record where one was."""
        self.jump: tuple[Jump, Step] | None = None
        """What is to be jumped to once another part is loaded."""

    def ask(self, path: Path | None, rows: SessionRows | None, has_room: bool) -> None:
        """Ask for what comes before what is loaded; once for each part, where that leaves room."""
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
        """Ask for the parts up to the one that is wanted, at least for one more.

        The rest of a part that is loaded in part is being read anyway.
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
        """Whether a jump that failed is made again once another part is loaded."""
        if rows is None or not rows.first or not rows.is_first_whole:
            return False
        self.jump = failed.jump, failed.step
        self.ask_parts(path, rows)
        return True

    def loaded(self, path: Path | None, rows: SessionRows) -> None:
        """More is there: go to what was wanted, and ask on while it is not."""
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
