"""The days of a period as columns, with a scale, and a cursor that stands on one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ...storage.model.usage import UsageReport
from ..base.palette import Palette
from ..base.strips import overlay
from ..base.widget_message import WidgetMessage
from ..words.safe import fit
from .bars import EMPTY, Cell, scale_end, stacked, ticks
from .days import Column, columns_of, label_places
from .inks import INK_STYLES, INKS, drawn, inks_of
from .keys import CHART
from .words import Measure, parts_of, shown_as

WIDEST, THICKEST = 15, 8
"""Cells from one column to the next, and of one, at most."""


class UsageChart(Widget, can_focus=True):
    """Reports which column the cursor stands on, and which one is opened."""

    COMPONENT_CLASSES: ClassVar[set[str]] = INKS | {
        "chart--scale",
        "chart--label",
        "chart--grid",
        "chart--cursor",
        "chart--cursor-focus",
    }
    DEFAULT_CSS = (
        """
    UsageChart {
        background: $background;
        color: $foreground;
        & > .chart--scale { color: $text-muted; }
        & > .chart--grid { color: $foreground 15%; }
        & > .chart--label { color: $text-muted; }
        & > .chart--cursor { background: $foreground 6%; }
        & > .chart--cursor-focus { background: $foreground 16%; }
    """
        + INK_STYLES
        + "}"
    )
    BINDINGS: ClassVar[list[BindingType]] = CHART

    @dataclass
    class Highlighted(WidgetMessage["UsageChart"]):
        """The cursor came to stand on a column."""

        column: Column

    @dataclass
    class Opened(Highlighted):
        """A column was opened, with enter or the mouse."""

    @dataclass
    class Left(Message):
        """The person wants to go down from the chart."""

        chart: UsageChart

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.palette = Palette(self)
        self.cursor = 0
        self._report: UsageReport | None = None
        self._measure: Measure = "tokens"
        self._empty = ""
        self._columns: list[Column] = []
        self._lines: list[Strip] = []

    @property
    def current(self) -> Column | None:
        """The column under the cursor."""
        return self._columns[self.cursor] if self.cursor < len(self._columns) else None

    def show(self, report: UsageReport, measure: Measure, *, empty: str) -> None:
        """Show a period; the cursor stays on its day where the period holds it."""
        is_first = self._report is None
        self._report, self._measure, self._empty = report, measure, empty
        self._lay_out(to_end=is_first)

    # Keys and mouse.

    def action_move(self, columns: int) -> None:
        """Move the cursor."""
        self.select(self.cursor + columns)

    def action_first(self) -> None:
        """To the first column."""
        self.select(0)

    def action_last(self) -> None:
        """To the last column."""
        self.select(len(self._columns) - 1)

    def action_open(self) -> None:
        """Ask for the sessions of the column under the cursor."""
        if column := self.current:
            self.post_message(self.Opened(self, column))

    def action_leave(self) -> None:
        """Go down to what is below."""
        self.post_message(self.Left(self))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the column under the mouse; open the one that it stands on."""
        gutter, pitch, _ = self._measures()
        place = (event.get_content_offset_capture(self).x - gutter) // max(1, pitch)
        if not 0 <= place < len(self._columns):
            return
        if place == self.cursor:
            self.action_open()
        else:
            self.select(place)

    def select(self, place: int) -> None:
        """Put the cursor on a column."""
        if not self._columns:
            return
        self.cursor = min(max(place, 0), len(self._columns) - 1)
        self._redraw()
        self.post_message(self.Highlighted(self, self._columns[self.cursor]))

    # Drawing.

    def render_line(self, y: int) -> Strip:
        """A line of the chart."""
        if not self._lines:
            self._lines = [overlay(strip, self.palette.paper()) for strip in self._draw()]
        return self._lines[y] if y < len(self._lines) else self._blank("")

    def on_resize(self) -> None:
        """As many columns as fit."""
        self._lay_out()

    def on_focus(self) -> None:
        """The cursor looks different."""
        self._redraw()

    def on_blur(self) -> None:
        """The cursor looks different."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Theme or style sheet changed: nothing drawn before holds."""
        super().notify_style_update()
        self.palette.clear()
        self._redraw()

    def _redraw(self) -> None:
        self._lines = []
        self.refresh()

    def _lay_out(self, *, to_end: bool = False) -> None:
        if self._report is None:
            return
        before = self.current
        self._columns = columns_of(self._report, self._room)
        place = len(self._columns) - 1
        if before is not None and not to_end:
            days = (n for n, column in enumerate(self._columns) if column.last >= before.last)
            place = next(days, place)
        self.select(place)

    @property
    def _rows(self) -> int:
        """Lines of the columns: an even number, so that half the scale stands between two."""
        return max(1, (self.size.height - 1) // 2 * 2)

    @property
    def _top(self) -> int:
        most = (sum(parts_of(column.totals, self._measure)) for column in self._columns)
        return scale_end(max(most, default=0))

    @property
    def _room(self) -> int:
        return max(0, self.size.width - self._gutter(999_999) - 1)

    def _gutter(self, top: int) -> int:
        return max(5, len(shown_as(top, self._measure))) + 1

    def _measures(self) -> tuple[int, int, int]:
        """Cells left of the columns, from one to the next, and of one."""
        gutter = self._gutter(self._top)
        pitch = min(WIDEST, max(1, (self.size.width - gutter - 1) // max(1, len(self._columns))))
        return gutter, pitch, min(THICKEST, max(1, pitch - (1 if pitch < 6 else 2)))

    def _draw(self) -> Sequence[Strip]:
        """The columns with their scale, and the labels below."""
        if not any(column.totals for column in self._columns):
            return self._draw_empty()
        rows, (gutter, pitch, _) = self._rows, self._measures()
        numbers = ticks(self._top, rows)
        bars = [
            stacked(parts_of(column.totals, self._measure), self._top, rows)
            for column in self._columns
        ]
        blank = [self._blank("")] * (self.size.height - 1 - rows)
        lines = [self._row(row, numbers.get(row), bars) for row in range(rows - 1, -1, -1)]
        return [*blank, *lines, self._labels(gutter, pitch)]

    def _row(self, row: int, number: int | None, bars: Sequence[Sequence[Cell]]) -> Strip:
        gutter, pitch, thick = self._measures()
        text = "" if number is None else shown_as(number, self._measure)
        segments = [Segment(fit(text, gutter - 1, "right") + " ", self.palette.ink("chart--scale"))]
        ground = "┈" if number is not None else " "
        for place, bar in enumerate(bars):
            segments += self._cells(bar[row], place == self.cursor, thick, pitch - thick, ground)
        return Strip(segments).adjust_cell_length(self.size.width)

    def _cells(
        self, cell: Cell, cursor: bool, thick: int, gap: int, ground: str
    ) -> Sequence[Segment]:
        grid = self.palette.ink("chart--grid")
        paper = self._cursor_paper() if cursor else None
        inks = inks_of(len(parts_of(self._columns[0].totals, self._measure)))
        if cell == EMPTY:
            bar = Segment(ground * thick, grid + paper if paper else grid)
        else:
            bar = Segment(cell.text * thick, drawn(cell, inks, self.palette, paper))
        return [bar, Segment(ground * gap, grid)]

    def _cursor_paper(self) -> Style:
        name = "chart--cursor-focus" if self.has_focus else "chart--cursor"
        return Style(bgcolor=self.palette.whole(name).bgcolor)

    def _labels(self, gutter: int, pitch: int) -> Strip:
        labels = [column.label for column in self._columns]
        segments, at = [Segment(fit("0", gutter - 1, "right"), self.palette.ink("chart--scale"))], 0
        segments.append(Segment(" "))
        for place, label in label_places(labels, pitch, self.size.width - gutter):
            segments.append(Segment(" " * (place - at)))
            segments.append(Segment(label, self.palette.ink("chart--label")))
            at = place + len(label)
        return Strip(segments).adjust_cell_length(self.size.width)

    def _draw_empty(self) -> Sequence[Strip]:
        height = self.size.height
        return [self._blank(self._empty if y == height // 2 else "") for y in range(height)]

    def _blank(self, text: str) -> Strip:
        size = Size(self.size.width, 1)
        line = fit(text.center(size.width), size.width)
        return overlay(
            Strip([Segment(line, self.palette.ink("usage--quiet"))], size.width),
            self.palette.paper(),
        )
