"""A list of any length, of which only visible lines are drawn.

The only base of session list and timeline. A thousand rows cost as much as a million: a row is
requested when it is shown, and drawings are cached by content. Scrolling is not animated: an
animated page costs a hundred times as much as the page itself.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip

from . import keys
from .drawn_rows import ROW_CLASSES, DrawnRows
from .palette import Palette
from .row_layout import Even, Layout
from .row_selection import RowSelection
from .rows import Look, Rows, resting_place
from .scroll_extent import set_lines
from .strips import extract, selected
from .text_lines import TextLines
from .widget_message import WidgetMessage

R = TypeVar("R", bound=Hashable)


class VirtualRows(TextLines, Generic[R], can_focus=True, inherit_bindings=False):
    """Rows with a cursor, marks and, if `FOLLOWS`, an end that is kept in view as it grows."""

    FOLLOWS: ClassVar[bool] = False
    COMPONENT_CLASSES: ClassVar[set[str]] = ROW_CLASSES
    DEFAULT_CSS = """
    VirtualRows {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $foreground;
        & > .rows--cursor { background: $primary 30%; }
        & > .rows--cursor-blurred { background: $primary 12%; }
        & > .rows--bar { color: $accent; text-style: bold; }
        & > .rows--bar-blurred { color: $primary; }
        & > .rows--mark { color: $text-accent; text-style: bold; }
        & > .rows--empty { color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys.ROWS

    @dataclass
    class Highlighted(WidgetMessage["VirtualRows[Any]"]):
        """The cursor moved to a row."""

        index: int
        row: Any

        def can_replace(self, message: Message) -> bool:
            """Keep only the latest position of the cursor."""
            return type(message) is type(self) and message._sender is self._sender

    @dataclass
    class Opened(WidgetMessage["VirtualRows[Any]"]):
        """A row was opened, with enter or the mouse."""

        index: int
        row: Any

    @dataclass
    class FollowChanged(WidgetMessage["VirtualRows[Any]"]):
        """Following started or stopped, or rows were added while it is paused."""

        follow: bool
        new: int

    @dataclass
    class MarksChanged(WidgetMessage["VirtualRows[Any]"]):
        """Rows were marked or unmarked; `marks` are the identities of all that are marked."""

        marks: frozenset[Hashable]

    def __init__(
        self,
        source: Rows[R],
        *,
        empty: str = "Nothing here.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.palette = Palette(self)
        """The colours of the component classes."""
        self.drawn = DrawnRows(self.palette)
        """What was drawn; also draws the cell at the left edge of a row."""
        self.source = source
        """Where the rows come from; `show` sets another."""
        self.cursor = 0
        """The row that the cursor stands on; `select` moves it."""
        self.follow = self.FOLLOWS
        """Whether the end stays in view while rows come; `set_follow` changes it."""
        self.new = 0
        """Rows that came while following rests."""
        self._empty = empty
        self._count = 0
        self._layout_of_rows: Layout = Even(0)
        self._marks: set[Hashable] = set()
        self._announced: Hashable | None = None
        self._scrolls_itself = False

    # What a subclass says of its rows.

    @abstractmethod
    def draw(self, index: int, row: R, width: int, look: Look) -> Sequence[Strip]:
        """Return the lines of a row, exactly `width` cells each, as many as in the layout."""

    @abstractmethod
    def identity(self, row: R) -> Hashable:
        """Return the identity of a row, independent of its place and content."""

    def place_of(self, identity: Hashable) -> int | None:
        """Return the index of the row with an identity; None if there is none."""
        return None

    def key(self, index: int, row: R) -> Hashable:
        """Return everything that a row's lines depend on, besides width and look."""
        return row

    def lay_out(self) -> Layout:
        """Return the layout of the rows."""
        return Even(len(self.source))

    def can_rest_on(self, index: int) -> bool:
        """Return whether a row can be selected."""
        return True

    # Verbs.

    @property
    def current(self) -> R | None:
        """The row under the cursor."""
        return self.source[self.cursor] if self.cursor < self._known else None

    @property
    def marks(self) -> frozenset[Hashable]:
        """The identities of the marked rows."""
        return frozenset(self._marks)

    def show(self, source: Rows[R], *, empty: str | None = None, keep: bool = True) -> None:
        """Show other rows; with `keep` the cursor stays on its row if that still exists.

        Without `keep`, cursor, marks and following are reset.
        """
        kept = None if (row := self.current) is None else self.identity(row)
        below_top, rows = self._below_top, self.source
        selection = RowSelection(self, self._layout_of_rows, lambda at: self.identity(rows[at]))
        self.source = source
        self._empty = self._empty if empty is None else empty
        self.drawn.clear()
        if not keep:
            kept, below_top = None, 0
            self._begin_anew()
        self._measure()
        selection.move(self._layout_of_rows, self.place_of if keep else lambda row: None)
        place = None if kept is None else self.place_of(kept)
        self._restore(self.cursor if place is None else place, below_top)

    def grew(self, before: int = 0) -> None:
        """Update after rows were added or removed at the end, and `before` inserted in front."""
        added = len(self.source) - self._count - before
        below_top = self._below_top
        selection = RowSelection(self, self._layout_of_rows, lambda index: index + before)
        self._measure()
        selection.move(self._layout_of_rows, lambda row: row if isinstance(row, int) else None)
        if self.follow or before or added < 0 or not self._count:
            self._restore(self.cursor + before, below_top)
        if added > 0 and self.FOLLOWS and not self.follow:
            self.new += added
            self.post_message(self.FollowChanged(self, False, self.new))

    def changed(self, index: int) -> None:
        """Repaint a changed row if it is visible."""
        if 0 <= index < self._count:
            top = self._layout_of_rows.top(index)
            self.refresh_lines(top, self._layout_of_rows.top(index + 1) - top)

    def select(self, index: int, step: int = 1) -> None:
        """Move the cursor to a row, or the next selectable one in a direction, and scroll to it."""
        if not self._known:
            return
        before = self.cursor
        self.cursor = resting_place(index, step, self._known, self.can_rest_on)
        if self.cursor < before:
            self.set_follow(False)
        if self.cursor != before:
            self.changed(before)
            self.changed(self.cursor)
        self._scroll_to_cursor()
        self._announce()
        if self.cursor == self._count - 1:
            self.set_follow(True)

    def set_follow(self, follow: bool) -> None:
        """Start following from the last row, or stop."""
        if follow == self.follow or not self.FOLLOWS:
            return
        self.follow = follow
        self.new = 0
        if follow:
            self._restore(self.cursor, 0)
        self.post_message(self.FollowChanged(self, follow, 0))

    def clear_marks(self) -> None:
        """Unmark all rows."""
        self._marks.clear()
        self.refresh()

    # Keys and mouse.

    def action_move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        self.select(self.cursor + rows, 1 if rows > 0 else -1)

    def action_page(self, pages: float) -> None:
        """Move the cursor by the height of the view."""
        line = self._layout_of_rows.top(self.cursor) + int(max(1, self._view_height - 1) * pages)
        if self._count:
            line = min(max(line, 0), self._layout_of_rows.lines - 1)
            self.select(self._layout_of_rows.at(line)[0], 1 if pages > 0 else -1)

    def action_first(self) -> None:
        """Move the cursor to the first row."""
        self.select(0)

    def action_last(self) -> None:
        """Move the cursor to the last row and follow."""
        self.select(self._count - 1, -1)
        self.set_follow(True)

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if (row := self.current) is not None:
            self.post_message(self.Opened(self, self.cursor, row))

    def action_mark(self) -> None:
        """Mark or unmark the row under the cursor, and move to the next."""
        if (row := self.current) is None:
            return
        self._marks ^= {self.identity(row)}
        self.changed(self.cursor)
        self.post_message(self.MarksChanged(self, self.marks))
        self.select(self.cursor + 1)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked row; open it if it is there already."""
        # A double click would select all text of the widget.
        event.prevent_default()
        line = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if self.text_selection is not None or not 0 <= line < self._layout_of_rows.lines:
            return
        index = self._layout_of_rows.at(line)[0]
        if index == self.cursor:
            self.action_open()
        else:
            self.select(index)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Pause following when the user scrolls up; resume at the end."""
        super().watch_scroll_y(old_value, new_value)
        if self._scrolls_itself:
            return
        # A view that became taller pushes the position down to the end: nobody asked to follow.
        if new_value < old_value and new_value < self.max_scroll_y:
            self.set_follow(False)
        elif new_value > old_value and new_value >= self.max_scroll_y:
            self.set_follow(True)

    # Drawing.

    def line(self, y: int) -> Strip:
        """Return a visible line."""
        line = y + self.scroll_offset.y
        index, inside = self._layout_of_rows.at(line)
        if index >= self._known:
            text = "" if self._count else self._empty
            return self.drawn.blank(text, y, Size(self._view_width, self.size.height))
        strip = self._line_of(index, inside)
        if (selection := self.text_selection) is not None:
            strip = selected(strip, selection.get_span(line), self.palette.selection)
        return strip

    def notify_style_update(self) -> None:
        """Discard everything drawn, after a change of theme or style sheet."""
        super().notify_style_update()
        self.drawn.clear()
        self.palette.clear()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text."""
        lines, at = self._layout_of_rows.top(self._known), self._layout_of_rows.at
        return extract(selection, lines, lambda line: self._line_of(*at(line)).text), "\n"

    def on_mount(self) -> None:
        """Lay out the rows given to the constructor."""
        self._measure()
        self._restore(0, 0)

    def on_resize(self) -> None:
        """Keep the end or the cursor in view."""
        self._restore(self.cursor, min(max(self._below_top, 0), self._view_height - 1))

    # Inside.

    def _begin_anew(self) -> None:
        self.cursor = self.new = 0
        self.follow = self.FOLLOWS
        self._announced = None
        self._marks.clear()

    @property
    def _view_width(self) -> int:
        # `size` counts the cell that the scroll bar covers.
        return self.scrollable_content_region.width

    @property
    def _view_height(self) -> int:
        return max(1, self.scrollable_content_region.height)

    @property
    def _below_top(self) -> int:
        """Return the lines from the top of the view to the cursor; negative if it is above."""
        return self._layout_of_rows.top(self.cursor) - self.scroll_offset.y

    @property
    def _known(self) -> int:
        """Return the number of laid-out rows that still exist: a source may have shrunk."""
        return min(self._count, len(self.source))

    def _measure(self) -> None:
        self._count = len(self.source)
        self._layout_of_rows = self.lay_out()
        set_lines(self, self._layout_of_rows.lines)

    def _line_of(self, index: int, inside: int) -> Strip:
        row, width, cursor = self.source[index], self._view_width, index == self.cursor
        marked = bool(self._marks) and self.identity(row) in self._marks
        look, key = Look(cursor, cursor and self.has_focus, marked), self.key(index, row)
        lines = self.drawn.lines(key, look, width, lambda: self.draw(index, row, width, look))
        return lines[inside]

    def _announce(self) -> None:
        """Post the row under the cursor, once."""
        row = self.source[self.cursor]
        identity = self.identity(row)
        if identity != self._announced:
            self._announced = identity
            self.post_message(self.Highlighted(self, self.cursor, row))

    def _restore(self, cursor: int, below_top: int) -> None:
        """Move the cursor to a row, a number of lines below the top, or to the last one."""
        self.refresh()
        if not self._count:
            self.cursor = 0
            self._announced = None
            return
        wanted = self._count - 1 if self.follow else cursor
        self.cursor = resting_place(wanted, -1 if self.follow else 1, self._count, self.can_rest_on)
        if self.follow:
            self._scroll(self.max_scroll_y)
        else:
            self._scroll(self._layout_of_rows.top(self.cursor) - below_top)
            # Whoever has scrolled the cursor out of view wants to see what is there.
            if 0 <= below_top < self._view_height:
                self._scroll_to_cursor()
        self._announce()

    def _scroll_to_cursor(self) -> None:
        top = self._layout_of_rows.top(self.cursor)
        bottom = self._layout_of_rows.top(self.cursor + 1)
        # A heading that the cursor cannot stand on comes into view with the row below it.
        if self.cursor and not self.can_rest_on(self.cursor - 1):
            top = self._layout_of_rows.top(self.cursor - 1)
        y = self.scroll_offset.y
        if top < y:
            self._scroll(top)
        elif bottom > y + self._view_height:
            self._scroll(bottom - self._view_height)

    def _scroll(self, y: int) -> None:
        self._scrolls_itself = True
        # Without force, nothing scrolls in the moment when rows first outgrow the view.
        self.scroll_to(y=max(0, y), animate=False, immediate=True, force=True)
        self._scrolls_itself = False
