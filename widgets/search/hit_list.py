"""The hits of a search in all sessions: newest first, two lines each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from ..base.keys import ROWS
from ..base.row_layout import Even
from ..base.rows import Look
from ..base.strips import selected
from ..base.virtual_rows import VirtualRows
from ..base.widget_message import WidgetMessage
from ..words.cases import when
from ..words.kinds import LABELS
from ..words.matches import Patterns
from ..words.safe import fit
from .hit_rows import FoundEvent, about, snippet_line

INDENT = 2
"""Cells before a hit's words: bar, blank."""

LABEL = 8
"""Cells of who said it."""

WHO = {**LABELS, "result": "output"}
"""Who said it, or what."""

KINDS = ("prompt", "answer", "reasoning", "call", "result")

OTHER_KEYS = frozenset({"rows.up", "rows.mark"})
"""Keys of rows that do something else here, or nothing."""

HITS: list[BindingType] = [
    # Only the arrow leaves: a k held down would type itself.
    Binding("up", "up", "Up", False, tooltip="One row up; from the first, out", id="hits.up"),
    Binding("k", "move(-1)", "Up", False, tooltip="One row up", id="hits.row_up"),
    *(key for key in ROWS if isinstance(key, Binding) and key.id not in OTHER_KEYS),
]


class HitList(VirtualRows[FoundEvent], inherit_bindings=False):
    """Events that were found, with the words that were looked for marked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "hits--text",
        "hits--match",
        "hits--about",
        *(f"hits--{kind}" for kind in KINDS),
    }
    DEFAULT_CSS = """
    HitList {
        & > .hits--text { color: $foreground; }
        & > .hits--match { color: $text; background: $warning 45%; text-style: bold; }
        & > .hits--about { color: $text-muted; }
        & > .hits--prompt { color: $text-accent; }
        & > .hits--answer { color: $text-success; }
        & > .hits--reasoning { color: $text-muted; text-style: italic; }
        & > .hits--call { color: $text-primary; }
        & > .hits--result { color: $text-primary; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = HITS

    class Opened(VirtualRows.Opened):
        """A hit was opened; `row` is a `FoundEvent`."""

    class EndReached(WidgetMessage["HitList"]):
        """The last hit is in view: more may be wanted."""

        def can_replace(self, message: Message) -> bool:
            """Once is enough."""
            return isinstance(message, HitList.EndReached)

    class Left(WidgetMessage["HitList"]):
        """The cursor went up from the first hit."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([], empty="", id=id, classes=classes)
        self._patterns: Patterns = ()
        self._now = 0
        self._places: dict[Hashable, int] = {}

    def show_hits(
        self, hits: Sequence[FoundEvent], patterns: Patterns, now: int, *, keep: bool
    ) -> None:
        """Show hits as they are at a moment; without `keep` they are another search's."""
        self._patterns, self._now = patterns, now
        self.show(hits, keep=keep)

    # What `VirtualRows` asks for.

    def identity(self, row: FoundEvent) -> Hashable:
        """Where the record stands."""
        return row.path, row.offset

    def place_of(self, identity: Hashable) -> int | None:
        """Where that hit stands."""
        return self._places.get(identity)

    def lay_out(self) -> Even:
        """Two lines each."""
        rows = (self.source[index] for index in range(len(self.source)))
        self._places = {self.identity(row): index for index, row in enumerate(rows)}
        return Even(len(self.source), height=2)

    def key(self, index: int, row: FoundEvent) -> Hashable:
        """A hit also looks different when its day is over."""
        return row, when(row.at, self._now)

    def draw(self, index: int, row: FoundEvent, width: int, look: Look) -> Sequence[Strip]:
        """The words around the match; below them who said it, when and where."""
        return [self._first_line(row, width, look), self._second_line(row, width, look)]

    def _first_line(self, row: FoundEvent, width: int, look: Look) -> Strip:
        text, marks = snippet_line(row, self._patterns, max(0, width - INDENT - 1))
        line = Strip([Segment(text, self._ink("text"))])
        for span in marks:
            line = selected(line, span, self.palette.whole("hits--match"))
        start = Strip([self.drawn.bar(look), Segment(" ")])
        return Strip.join([start, line]).adjust_cell_length(width)

    def _second_line(self, row: FoundEvent, width: int, look: Look) -> Strip:
        room = max(0, width - INDENT - 1)
        label = fit(WHO[row.kind], min(LABEL, room))
        segments = [
            self.drawn.bar(look),
            Segment(" "),
            Segment(label, self._ink(row.kind if row.kind in KINDS else "about")),
            Segment(about(row, self._now, room - len(label)), self._ink("about")),
        ]
        return Strip(segments).adjust_cell_length(width)

    def _ink(self, name: str) -> Style:
        return self.palette.ink(f"hits--{name}")

    # Keys and mouse.

    def action_up(self) -> None:
        """Move the cursor up; from the first hit, leave the list."""
        if self.cursor == 0:
            self.post_message(self.Left(self))
        self.action_move(-1)

    def select(self, index: int, step: int = 1) -> None:
        """Put the cursor on a hit; on the last one, more may be wanted."""
        super().select(index, step)
        if self.source and self.cursor == len(self.source) - 1:
            self.post_message(self.EndReached(self))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The wheel comes to the end too."""
        super().watch_scroll_y(old_value, new_value)
        if new_value > old_value and new_value >= self.max_scroll_y:
            self.post_message(self.EndReached(self))
