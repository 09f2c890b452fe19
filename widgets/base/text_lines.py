"""A widget that is drawn line by line and supports mouse selection."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple, Self

from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip


class Paint(NamedTuple):
    """The styles that lines are drawn with."""

    size: Size
    style: Style
    paper: Color
    filters: tuple[LineFilter, ...]


class TextLines(ScrollView):
    """A scroll view of lines; the only base class of rows and pages.

    Textual finds the position of the mouse in a text by metadata on every segment, requesting the
    line when needed. On screen, each such segment would be a style of its own, rendered and cached
    again for every scrolled line, so it is only added on request.
    """

    ALLOW_SELECT = True
    _is_painting = False
    _paint: Paint | None = None

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._painted: dict[int, Strip] = {}
        """Visible lines as they are on the screen."""
        super().__init__(id=id, classes=classes)

    @abstractmethod
    def line(self, y: int) -> Strip:
        """Return a visible line."""

    def render_line(self, y: int) -> Strip:
        """Return a visible line, with text positions unless it is for the screen."""
        strip = self.line(y)
        return strip if self._is_painting else strip.apply_offsets(0, y + self.scroll_offset.y)

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Redraw lines: those of some regions, or all."""
        for region in regions:
            for y in region.line_range:
                self._painted.pop(y, None)
        if not regions:
            self._painted.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return visible lines for the screen, from the cache if unchanged."""
        gutter, content = self.styles.gutter, self.content_region
        if gutter.width or crop.column_span != (0, content.width):
            return self._framed(crop)
        paint = Paint(content.size, self.rich_style, self.background_colors[1], self._filters())
        if paint != self._paint:
            self._paint = paint
            self._painted.clear()
        inside = range(gutter.top, gutter.top + content.height)
        return [
            self._line_of_paint(y - gutter.top, paint)
            if y in inside
            else self._framed(Region(0, y, crop.width, 1))[0]
            for y in crop.line_range
        ]

    def _line_of_paint(self, y: int, paint: Paint) -> Strip:
        if (strip := self._painted.get(y)) is None:
            strip = self.line(y).adjust_cell_length(paint.size.width, paint.style)
            for each in paint.filters:
                strip = strip.apply_filter(each, paint.paper)
            self._painted[y] = strip
        return strip

    def _filters(self) -> tuple[LineFilter, ...]:
        return tuple(self.get_line_filters())

    def _framed(self, crop: Region) -> list[Strip]:
        self._is_painting = True
        try:
            return super().render_lines(crop)
        finally:
            self._is_painting = False

    def notify_style_update(self) -> None:
        """Discard everything drawn, after a change of theme or style sheet."""
        super().notify_style_update()
        self._painted.clear()

    def selection_updated(self, selection: Selection | None) -> None:
        """Repaint after a change of the selection."""
        self.refresh()
