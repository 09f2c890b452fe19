"""Keeps a mouse selection on its rows while rows are added, removed or moved.

Textual stores the ends of a selection as lines: without this, a selection started while a session
opens would end up on other rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress

from textual.geometry import Offset
from textual.screen import Screen
from textual.selection import Selection, SelectState
from textual.widget import Widget

from .row_layout import Layout

Moved = Callable[[Offset | None], Offset | None]


class RowSelection:
    """The rows at the ends of a widget's selection, before they move.

    `name` returns the identity of the row at an index.
    """

    def __init__(self, widget: Widget, layout: Layout, name: Callable[[int], Hashable]) -> None:
        self._widget = widget
        self._ends: dict[int, tuple[Hashable, int] | None] = {}
        for line in _end_lines(widget):
            self._ends[line] = None
            if not layout.lines:
                continue
            with suppress(IndexError):  # a row that is gone already
                index, inside = layout.at(min(line, layout.lines - 1))
                self._ends[line] = name(index), inside

    def move(self, layout: Layout, place: Callable[[Hashable], int | None]) -> None:
        """Select the same rows at their new places; nothing if one of the ends is gone."""
        lines: dict[int, int] = {}
        for line, end in self._ends.items():
            row = None if end is None else place(end[0])
            if end is None or row is None or not layout.lines or layout.top(row) >= layout.lines:
                forget_selection(self._widget)
                return
            lines[line] = min(layout.top(row) + end[1], layout.top(row + 1) - 1)
        if any(before != now for before, now in lines.items()):
            _move_ends(self._widget, lines)


def forget_selection(widget: Widget) -> None:
    """Clear the selection if it is in this widget, or starting there."""
    if screen := _screen(widget):
        screen.clear_selection()


def _screen(widget: Widget) -> Screen[object] | None:
    """Return the screen with a selection in a widget; None if there is none."""
    if not widget.is_attached:
        return None
    screen, state = widget.screen, widget.screen._select_state
    is_begun = state is not None and widget in (
        state.start.content_widget,
        state.end and state.end.content_widget,
    )
    return screen if is_begun or widget in screen.selections else None


def _end_lines(widget: Widget) -> set[int]:
    if (screen := _screen(widget)) is None:
        return set()
    selection, state = screen.selections.get(widget), screen._select_state
    ends = [selection.start, selection.end] if selection else []
    if state is not None:
        if state.start.content_widget is widget:
            ends.append(state.start.content_offset)
        if state.end is not None and state.end.content_widget is widget:
            ends.append(state.end.content_offset)
    return {end.y for end in ends if end is not None}


def _move_ends(widget: Widget, lines: dict[int, int]) -> None:
    def moved(end: Offset | None) -> Offset | None:
        return end and Offset(end.x, lines.get(end.y, end.y))

    screen = widget.screen
    if (state := screen._select_state) is not None:
        # Without its watcher, which would take it that the button is held down.
        screen.set_reactive(Screen._select_state, _moved_state(state, widget, moved))
    if (selection := screen.selections.get(widget)) is not None:
        ends = Selection(moved(selection.start), moved(selection.end))
        if ends.start and ends.end and ends.end.transpose < ends.start.transpose:
            ends = Selection(ends.end, ends.start)
        screen.selections = {**screen.selections, widget: ends}


def _moved_state(state: SelectState, widget: Widget, moved: Moved) -> SelectState:
    start, end = state.start, state.end
    if start.content_widget is widget:
        start = start._replace(content_offset=moved(start.content_offset))
    if end is not None and end.content_widget is widget:
        end = end._replace(content_offset=moved(end.content_offset))
    return state._replace(start=start, end=end)
