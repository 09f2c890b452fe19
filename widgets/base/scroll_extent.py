"""How long what a view scrolls through is."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView


def set_lines(view: ScrollView, lines: int) -> None:
    """Tell a view its number of lines, and repaint it.

    `virtual_size` set as one does lays out the whole screen. That is only needed where the
    scroll bar comes or goes; not for every line that an agent writes.
    """
    size = Size(0, lines)
    if view.show_vertical_scrollbar == (lines > view.scrollable_content_region.height):
        view.set_reactive(ScrollView.virtual_size, size)
        view._scroll_update(size)
        view.refresh()
    else:
        view.virtual_size = size
