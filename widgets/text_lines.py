"""What is drawn line by line and can be selected with the mouse."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip


class TextLines(ScrollView):
    """A scroll view of lines, the one base of rows and pages.

    Textual finds the place of the mouse in a text by a mark on every piece of it. It asks for the
    line when it wants to know; marked pieces on the screen would each be a style of their own,
    which is drawn three times as slowly and kept, up to some ten megabytes of them.
    """

    ALLOW_SELECT = True
    _is_painting = False

    @abstractmethod
    def line(self, y: int) -> Strip:
        """A visible line."""

    def render_line(self, y: int) -> Strip:
        """A visible line, with the places of its text unless it is for the screen."""
        strip = self.line(y)
        return strip if self._is_painting else strip.apply_offsets(0, y + self.scroll_offset.y)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Visible lines for the screen: as they were drawn before, where they were."""
        gutter, (_, paper) = self.styles.gutter, self.background_colors
        if gutter.width or crop.column_span != (0, self.region.width):
            return self._framed(crop)
        content = range(gutter.top, gutter.top + self.content_region.height)
        filters = self.get_line_filters()
        return [
            self._painted(y - gutter.top, paper, filters)
            if y in content
            else self._framed(Region(0, y, crop.width, 1))[0]
            for y in crop.line_range
        ]

    def _painted(self, y: int, paper: Color, filters: Sequence[LineFilter]) -> Strip:
        strip = self.line(y).adjust_cell_length(self.region.width, self.rich_style)
        for each in filters:
            strip = strip.apply_filter(each, paper)
        return strip

    def _framed(self, crop: Region) -> list[Strip]:
        self._is_painting = True
        try:
            return super().render_lines(crop)
        finally:
            self._is_painting = False

    def selection_updated(self, selection: Selection | None) -> None:
        """The mouse selects: repaint."""
        self.refresh()
