"""The course of one session: tokens and calls over time, pauses cut short.

Time runs from left to right, as long as the session was at work; where it rested for long, a thin
line stands for the pause however long that was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ...storage.model.usage import Course, Moment
from ..base.palette import Palette
from ..base.strips import overlay
from ..words import amounts
from ..words.ages import HOUR, clock, day_short, same_day
from ..words.safe import fit
from .bars import stacked

PAUSE = HOUR
"""Milliseconds without anything used that count as a pause."""

MOST_PAUSES = 4
"""Columns for each pause at least: more of them would hide the course."""

BREAK = "┊"

NAME = 10
"""Cells of what a line tells of."""

AMOUNT = 8
"""Cells of the sum at its end."""

THICKEST = 6
"""Cells of a column where they are few."""

ROOMY = 8
"""Lines from which on one is left free between tokens and calls."""


class Slot(NamedTuple):
    """One column: what was used in some time, or None for a pause."""

    tokens: int
    calls: int


def slots(course: Course, columns: int) -> list[Slot | None]:
    """The course in at most so many columns, one for each step where they suffice."""
    spells = _spells(course, columns)
    room = columns - len(spells) + 1
    if not spells or room < len(spells):
        return []
    steps = [_length(spell, course.step) for spell in spells]
    each = max(1, sum(steps) // room)
    while sum(-(-count // each) for count in steps) > room:
        each += max(1, each // 8)
    found: list[Slot | None] = []
    for spell in spells:
        found += [None] if found else []
        found += _columns_of(spell, course.step, each)
    return found


def _spells(course: Course, columns: int) -> list[list[Moment]]:
    """The moments between which there is no pause; only long ones count where they are many."""
    pause = max(PAUSE, course.step)
    spells = _parted(course.moments, pause)
    while len(spells) * MOST_PAUSES > columns and len(spells) > 1:
        pause *= 2
        spells = _parted(course.moments, pause)
    return spells


def _parted(moments: Sequence[Moment], pause: int) -> list[list[Moment]]:
    spells: list[list[Moment]] = []
    for moment in moments:
        if not spells or moment.at - spells[-1][-1].at > pause:
            spells.append([])
        spells[-1].append(moment)
    return spells


def _length(spell: Sequence[Moment], step: int) -> int:
    """How many steps a spell takes."""
    return (spell[-1].at - spell[0].at) // step + 1


def _columns_of(spell: Sequence[Moment], step: int, each: int) -> list[Slot | None]:
    """A spell in columns of so many steps."""
    columns: list[Slot | None] = [Slot(0, 0)] * -(-_length(spell, step) // each)
    for at, tokens, calls in spell:
        place = (at - spell[0].at) // step // each
        before = columns[place] or Slot(0, 0)
        used = tokens.input + tokens.cached + tokens.output
        columns[place] = Slot(before.tokens + used, before.calls + calls)
    return columns


def lines_of(values: Sequence[int | None], rows: int, thick: int = 1) -> list[str]:
    """So many lines of upright bars, the upper one first, with a thin line for each pause."""
    pause = BREAK.center(thick)
    most = max((value for value in values if value is not None), default=0)
    bars = [None if value is None else stacked((value,), most, rows) for value in values]
    return [
        "".join(pause if bar is None else bar[row].text * thick for bar in bars)
        for row in range(rows - 1, -1, -1)
    ]


class CourseLine(Widget):
    """Tokens, calls, and when it was, in as many lines as there are; empty if nothing is known."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "course--name",
        "course--tokens",
        "course--calls",
        "course--amount",
    }
    DEFAULT_CSS = """
    CourseLine {
        height: 3;
        background: $background;
        color: $foreground;
        & > .course--name { color: $text-muted; }
        & > .course--tokens { color: $primary; }
        & > .course--calls { color: $accent; }
        & > .course--amount { color: $foreground; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.palette = Palette(self)
        self._course = Course(1)
        self._lines: list[Strip] = []

    def show(self, course: Course) -> None:
        """Show the course of a session as it is now."""
        if course != self._course:
            self._course = course
            self._redraw()

    def render_line(self, y: int) -> Strip:
        """A line of the tokens or of the calls, or the times."""
        if not self._lines:
            self._lines = [overlay(strip, self.palette.paper()) for strip in self._draw()]
        return self._lines[y] if y < len(self._lines) else Strip.blank(self.size.width)

    def on_resize(self) -> None:
        """As many lines and columns as fit."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Theme or style sheet changed."""
        super().notify_style_update()
        self.palette.clear()
        self._redraw()

    def _redraw(self) -> None:
        self._lines = []
        self.refresh()

    def _draw(self) -> list[Strip]:
        width, height = self.size
        room = max(0, width - NAME - AMOUNT - 2)
        columns = slots(self._course, room)
        tokens = [None if slot is None else slot.tokens for slot in columns]
        calls = [None if slot is None else slot.calls for slot in columns]
        thick = min(THICKEST, room // max(1, len(columns)))
        gap = 1 if height >= ROOMY else 0
        rows = max(1, (height - 1 - gap) // 2)
        lines = [
            *self._lines_of("tokens", tokens, rows, thick, amounts.tokens),
            *[[]] * gap,
            *self._lines_of("calls", calls, rows, thick, lambda amount: f"{amount:,}"),
            self._times(len(columns) * thick) if columns else [],
        ]
        blank: list[list[Segment]] = [[]] * max(0, height - len(lines))
        shown = [*lines, *blank] if columns else [[], *blank]
        return [Strip(line).adjust_cell_length(width) for line in shown[:height]]

    def _lines_of(
        self,
        name: str,
        values: Sequence[int | None],
        rows: int,
        thick: int,
        say: Callable[[int], str],
    ) -> list[list[Segment]]:
        """The bars, with the highest beside the first line of them and the sum beside the last."""
        quiet, ink = self.palette.ink("course--name"), self.palette.ink(f"course--{name}")
        most = max((value or 0 for value in values), default=0)
        found = []
        for row, text in enumerate(lines_of(values, rows, thick), 1):
            side = f"≤ {say(most)}" if row < rows and row == 1 and most else ""
            amount, style = (say(_sum(values)), self._strong) if row == rows else (side, quiet)
            head = fit(f" {name}" if row == rows else "", NAME)
            segments = [Segment(head, quiet), Segment(text, ink)]
            found.append([*segments, Segment(fit(amount, AMOUNT, "right"), style)])
        return found

    @property
    def _strong(self) -> Style:
        return self.palette.ink("course--amount")

    def _times(self, columns: int) -> list[Segment]:
        """When it began and when it ended, below the first and the last column."""
        first, last = self._course.moments[0].at, self._course.moments[-1].at
        start, end = _time(first, last), _time(last, first)
        gap = columns - cell_len(start) - cell_len(end)
        text = start + (" " * gap if gap > 1 else " – ") + end if start != end else start
        return [Segment(" " * NAME), Segment(text, self.palette.ink("course--name"))]


def _time(at: int, other: int) -> str:
    """The time of day, with the day where the session goes over several."""
    time = clock(at, seconds=False)
    return time if same_day(at, other) else f"{day_short(at)} {time}"


def _sum(values: Sequence[int | None]) -> int:
    return sum(value or 0 for value in values)
