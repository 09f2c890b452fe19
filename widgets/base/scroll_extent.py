"""Sets the length of scrollable content cheaply."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView


def set_lines(view: ScrollView, lines: int) -> None:
    """Set the number of lines of a view, and repaint it.

    Setting `virtual_size` lays out the whole screen, which is only necessary if the scroll bar
    appears or disappears, not for every line that an agent writes.
    """
    size = Size(0, lines)
    if view.show_vertical_scrollbar == (lines > view.scrollable_content_region.height):
        view.set_reactive(ScrollView.virtual_size, size)
        view._scroll_update(size)
        view.refresh()
    else:
        view.virtual_size = size
