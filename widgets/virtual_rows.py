"""A list of any length of which only the visible lines are ever drawn.

The one base of session list and timeline. It costs the same for a thousand rows and for a million:
a row is asked for when it is shown, and what is drawn is kept by what it shows. Nothing scrolls
with an animation: one animated page costs a hundred times what the page itself does.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from .layout import Even, Layout
from .safe import fit, one_line
from .strips import ink, overlay, selected

R = TypeVar("R", bound=Hashable)
R_co = TypeVar("R_co", covariant=True)

KEPT_ROWS = 512
"""Drawn rows kept: some screens full."""

COPIED_LINES = 10_000
"""A selection that runs over more lines is cut: the clipboard is no place for a transcript."""


class Rows(Protocol[R_co]):
    """Where rows come from: asked for by position, and only for what is visible."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> R_co: ...


class Look(NamedTuple):
    """What changes the look of a row besides its content."""

    cursor: bool
    focus: bool
    marked: bool


class VirtualRows(ScrollView, Generic[R], can_focus=True):
    """Rows with a cursor, marks and, if `FOLLOWS`, an end that stays in view while it grows."""

    ALLOW_SELECT = True
    FOLLOWS: ClassVar[bool] = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rows--cursor",
        "rows--cursor-blurred",
        "rows--bar",
        "rows--bar-blurred",
        "rows--mark",
        "rows--empty",
    }
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
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Down", False, tooltip="One row down", id="rows.down"),
        Binding("k,up", "move(-1)", "Up", False, tooltip="One row up", id="rows.up"),
        Binding(
            "pagedown,ctrl+f", "page(1)", "Page down", False, tooltip="A page down", id="rows.page"
        ),
        Binding(
            "pageup,ctrl+b", "page(-1)", "Page up", False, tooltip="A page up", id="rows.page_up"
        ),
        Binding("ctrl+d", "page(0.5)", "Half down", False, tooltip="Half a page", id="rows.half"),
        Binding(
            "ctrl+u", "page(-0.5)", "Half up", False, tooltip="Half a page up", id="rows.half_up"
        ),
        Binding("g,home", "first", "First", False, tooltip="To the first row", id="rows.first"),
        Binding("G,end", "last", "Last", False, tooltip="To the last row", id="rows.last"),
        Binding("enter", "open", "Open", tooltip="Open what the cursor stands on", id="rows.open"),
        Binding("space", "mark", "Mark", False, tooltip="Mark or unmark the row", id="rows.mark"),
    ]

    @dataclass
    class Highlighted(Message):
        """The cursor came to stand on a row."""

        rows: VirtualRows[Any]
        index: int
        row: Any

        @property
        def control(self) -> VirtualRows[Any]:
            """The widget that sent it."""
            return self.rows

        def can_replace(self, message: Message) -> bool:
            """Only the latest place of the cursor matters."""
            return type(message) is type(self) and message._sender is self._sender

    @dataclass
    class Opened(Message):
        """A row was opened, with enter or the mouse."""

        rows: VirtualRows[Any]
        index: int
        row: Any

        @property
        def control(self) -> VirtualRows[Any]:
            """The widget that sent it."""
            return self.rows

    @dataclass
    class FollowChanged(Message):
        """Following began or ended, or more rows came while it rests."""

        rows: VirtualRows[Any]
        follow: bool
        new: int

        @property
        def control(self) -> VirtualRows[Any]:
            """The widget that sent it."""
            return self.rows

    @dataclass
    class MarksChanged(Message):
        """Rows were marked or unmarked; `marks` are the identities of all that are marked."""

        rows: VirtualRows[Any]
        marks: frozenset[Hashable]

        @property
        def control(self) -> VirtualRows[Any]:
            """The widget that sent it."""
            return self.rows

    def __init__(
        self,
        source: Rows[R],
        *,
        empty: str = "Nothing here.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._source = source
        self._empty = empty
        self._layout_of_rows: Layout = Even(0)
        self._count = 0
        self._cursor = 0
        self._follow = self.FOLLOWS
        self._new = 0
        self._announced: Hashable | None = None
        self._scrolls_itself = False
        self._marks: set[Hashable] = set()
        self._drawn: LRUCache[Hashable, Sequence[Strip]] = LRUCache(KEPT_ROWS)
        self._inks: dict[str, Style] = {}

    # What a subclass says of its rows.

    @abstractmethod
    def draw(self, index: int, row: R, width: int, look: Look) -> Sequence[Strip]:
        """The lines of a row, each exactly `width` cells, as many as the layout gives it."""

    @abstractmethod
    def identity(self, row: R) -> Hashable:
        """What stays the same of a row while its place and content change."""

    def place_of(self, identity: Hashable) -> int | None:
        """Where the row of that identity stands now, if it is there."""
        return None

    def key(self, index: int, row: R) -> Hashable:
        """Everything that a row's lines depend on, besides width and look."""
        return row

    def lay_out(self) -> Layout:
        """Where the rows stand."""
        return Even(len(self._source))

    def can_rest_on(self, index: int) -> bool:
        """Whether the cursor may stand on a row."""
        return True

    # Verbs.

    @property
    def source(self) -> Rows[R]:
        """Where the rows come from."""
        return self._source

    @property
    def cursor(self) -> int:
        """The row that the cursor stands on; 0 also while there is none."""
        return self._cursor

    @property
    def current(self) -> R | None:
        """What the cursor stands on."""
        return self._source[self._cursor] if self._cursor < self._count else None

    @property
    def follow(self) -> bool:
        """Whether the end stays in view while rows come."""
        return self._follow

    @property
    def new(self) -> int:
        """Rows that came while following rests."""
        return self._new

    @property
    def marks(self) -> frozenset[Hashable]:
        """Identities of the marked rows."""
        return frozenset(self._marks)

    def show(self, source: Rows[R], *, empty: str | None = None) -> None:
        """Show other rows; the cursor stays with the row it stood on where that is still there."""
        kept = self._identity_at(self._cursor)
        below_top = self._layout_of_rows.top(self._cursor) - self.scroll_offset.y
        self._source = source
        if empty is not None:
            self._empty = empty
        self._drawn.clear()
        self._measure()
        place = None if kept is None else self.place_of(kept)
        self._restore(self._cursor if place is None else place, below_top)

    def grew(self, before: int = 0) -> None:
        """Rows were added or taken away at the end, and `before` of them put in front."""
        added = len(self._source) - self._count - before
        below_top = self._layout_of_rows.top(self._cursor) - self.scroll_offset.y
        self._measure()
        if self._follow or self._count == 0:
            self._restore(self._count - 1, below_top)
            return
        if before or added < 0:
            self._restore(self._cursor + before, below_top)
        if added > 0 and self.FOLLOWS:
            self._new += added
            self.post_message(self.FollowChanged(self, False, self._new))

    def changed(self, index: int) -> None:
        """A row says something else now: repaint it, if it is visible."""
        if 0 <= index < self._count:
            top = self._layout_of_rows.top(index)
            self.refresh_lines(top, self._layout_of_rows.top(index + 1) - top)

    def select(self, index: int) -> None:
        """Put the cursor on a row and bring the row into view."""
        self._move_to(index)

    def set_follow(self, follow: bool) -> None:
        """Begin to follow, from the last row, or stop."""
        if follow == self._follow or not self.FOLLOWS:
            return
        self._follow = follow
        self._new = 0
        if follow:
            self._restore(self._count - 1, 0)
        self.post_message(self.FollowChanged(self, follow, 0))

    def clear_marks(self) -> None:
        """Unmark all rows."""
        self._marks.clear()
        self.refresh()
        self.post_message(self.MarksChanged(self, self.marks))

    # Keys and mouse.

    def action_move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        self._move_to(self._cursor + rows, 1 if rows > 0 else -1)

    def action_page(self, pages: float) -> None:
        """Move the cursor by the height of the view."""
        line = self._layout_of_rows.top(self._cursor) + int(max(1, self._view_height - 1) * pages)
        if self._count:
            line = min(max(line, 0), self._layout_of_rows.lines - 1)
            self._move_to(self._layout_of_rows.at(line)[0], 1 if pages > 0 else -1)

    def action_first(self) -> None:
        """Move the cursor to the first row."""
        self._move_to(0)

    def action_last(self) -> None:
        """Move the cursor to the last row and follow."""
        self._move_to(self._count - 1, -1)
        self.set_follow(True)

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if (row := self.current) is not None:
            self.post_message(self.Opened(self, self._cursor, row))

    def action_mark(self) -> None:
        """Mark the row under the cursor, or unmark it, and go on to the next."""
        if (identity := self._identity_at(self._cursor)) is None:
            return
        self._marks ^= {identity}
        self.changed(self._cursor)
        self.post_message(self.MarksChanged(self, self.marks))
        self._move_to(self._cursor + 1)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the mouse is; open the row that it stands on already."""
        # A double click would select all text of the widget.
        event.prevent_default()
        line = event.get_content_offset_capture(self).y + self.scroll_offset.y
        if self.text_selection is not None or not 0 <= line < self._layout_of_rows.lines:
            return
        index, inside = self._layout_of_rows.at(line)
        if index == self._cursor:
            self.action_open()
        else:
            self.clicked(index, inside)

    def clicked(self, index: int, inside: int) -> None:
        """A click on a row where the cursor was not."""
        self._move_to(index)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """A person who scrolls up rests the following; scrolling to the end takes it up again."""
        super().watch_scroll_y(old_value, new_value)
        if self._scrolls_itself:
            return
        # A view that became taller pushes the position down to the end: nobody asked to follow.
        if new_value < old_value and new_value < self.max_scroll_y:
            self.set_follow(False)
        elif new_value > old_value and new_value >= self.max_scroll_y:
            self.set_follow(True)

    # Drawing.

    def render_line(self, y: int) -> Strip:
        """A visible line."""
        width, line = self._view_width, y + self.scroll_offset.y
        if line >= self._layout_of_rows.lines:
            return self._blank_line(y, width)
        index, inside = self._layout_of_rows.at(line)
        strip = self._lines_of(index, width)[inside]
        if (selection := self.text_selection) is not None:
            strip = selected(strip, selection.get_span(line), self._selection_style)
        return strip.apply_offsets(0, line)

    def ink(self, name: str) -> Style:
        """The colour and weight of a component class, without its background."""
        if name not in self._inks:
            self._inks[name] = ink(self.get_component_rich_style(name))
        return self._inks[name]

    def paper(self, look: Look) -> Style:
        """The style that a row's inks are laid on."""
        if not look.cursor:
            return self.rich_style
        name = "rows--cursor" if look.focus else "rows--cursor-blurred"
        return self.rich_style + Style(bgcolor=self.get_component_rich_style(name).bgcolor)

    def bar(self, look: Look) -> Segment:
        """The cell at the left edge, which shows cursor and mark also without colours."""
        if look.marked:
            return Segment("▪" if not look.cursor else "◼", self.ink("rows--mark"))
        if look.cursor:
            return Segment("▌", self.ink("rows--bar" if look.focus else "rows--bar-blurred"))
        return Segment(" ")

    def notify_style_update(self) -> None:
        """Theme or style sheet changed: nothing drawn before holds."""
        super().notify_style_update()
        self._drawn.clear()
        self._inks.clear()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that the mouse has selected."""
        last = self._layout_of_rows.lines - 1
        first = selection.start.y if selection.start else 0
        end = min(selection.end.y if selection.end else last, last, first + COPIED_LINES)
        lines = []
        for line in range(first, end + 1):
            index, inside = self._layout_of_rows.at(line)
            text = self._lines_of(index, self._view_width)[inside].text
            start, stop = selection.get_span(line) or (0, 0)
            lines.append(text[start : None if stop == -1 else stop].rstrip())
        return "\n".join(lines), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """The mouse selects: repaint."""
        self.refresh()

    def on_mount(self) -> None:
        """Lay out what was given to the constructor."""
        self._measure()
        self._restore(self._count - 1 if self._follow else 0, 0)

    def on_resize(self) -> None:
        """Keep the end, or the cursor, in view."""
        self._restore(self._cursor, self._layout_of_rows.top(self._cursor) - self.scroll_offset.y)

    def on_focus(self) -> None:
        """The cursor looks different with the focus."""
        self.changed(self._cursor)

    def on_blur(self) -> None:
        """The cursor looks different without the focus."""
        self.changed(self._cursor)

    # Inside.

    @property
    def _view_width(self) -> int:
        # `size` counts the cell that the scroll bar covers.
        return self.scrollable_content_region.width

    @property
    def _view_height(self) -> int:
        return max(1, self.scrollable_content_region.height)

    @property
    def _selection_style(self) -> Style:
        return self.screen.get_component_rich_style("screen--selection")

    def _identity_at(self, index: int) -> Hashable | None:
        known = min(self._count, len(self._source))
        return self.identity(self._source[index]) if index < known else None

    def _measure(self) -> None:
        self._count = len(self._source)
        self._layout_of_rows = self.lay_out()
        self.virtual_size = Size(0, self._layout_of_rows.lines)

    def _lines_of(self, index: int, width: int) -> Sequence[Strip]:
        row = self._source[index]
        marked = bool(self._marks) and self.identity(row) in self._marks
        cursor = index == self._cursor
        look = Look(cursor, cursor and self.has_focus, marked)
        key = (self.key(index, row), width, look)
        if (strips := self._drawn.get(key)) is None:
            paper = self.paper(look)
            strips = [overlay(strip, paper) for strip in self.draw(index, row, width, look)]
            self._drawn[key] = strips
        return strips

    def _blank_line(self, y: int, width: int) -> Strip:
        lines = self._empty.split("\n") if not self._count else []
        at = y - max(0, (self.size.height - len(lines)) // 3)
        if not 0 <= at < len(lines):
            return Strip.blank(width, self.rich_style)
        text = fit(f"  {one_line(lines[at])}", width)
        return overlay(Strip([Segment(text, self.ink("rows--empty"))], width), self.rich_style)

    def _move_to(self, index: int, step: int = 1) -> None:
        if not self._count:
            return
        index = self._resting_place(index, step)
        if index < self._cursor:
            self.set_follow(False)
        self._set_cursor(index)
        self._scroll_to_cursor()
        if index == self._count - 1:
            self.set_follow(True)

    def _resting_place(self, index: int, step: int) -> int:
        index = min(max(index, 0), self._count - 1)
        for direction in (step, -step):
            place = index
            while 0 <= place < self._count:
                if self.can_rest_on(place):
                    return place
                place += direction
        return index

    def _set_cursor(self, index: int) -> None:
        before, self._cursor = self._cursor, index
        if before != index:
            self.changed(before)
            self.changed(index)
        self._announce()

    def _announce(self) -> None:
        """Tell which row the cursor stands on, once."""
        row = self._source[self._cursor]
        identity = self.identity(row)
        if identity != self._announced:
            self._announced = identity
            self.post_message(self.Highlighted(self, self._cursor, row))

    def _restore(self, cursor: int, below_top: int) -> None:
        """Put the cursor on a row, that many lines below the upper edge of the view."""
        self.refresh()
        if not self._count:
            self._cursor = 0
            self._announced = None
            return
        self._cursor = self._resting_place(cursor, 1)
        if self._follow:
            self._scroll(self.max_scroll_y)
        else:
            self._scroll(self._layout_of_rows.top(self._cursor) - below_top)
            self._scroll_to_cursor()
        self._announce()

    def _scroll_to_cursor(self) -> None:
        top = self._layout_of_rows.top(self._cursor)
        bottom = self._layout_of_rows.top(self._cursor + 1)
        # A heading that the cursor cannot stand on comes into view with the row below it.
        if self._cursor and not self.can_rest_on(self._cursor - 1):
            top = self._layout_of_rows.top(self._cursor - 1)
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
