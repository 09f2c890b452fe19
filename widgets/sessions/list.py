"""The list of sessions: neediest first, two lines each, sub-agents folded below their parent."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.binding import BindingType
from textual.strip import Strip

from ...storage.model.session import Session
from ..base import keys
from ..base.row_layout import Mixed
from ..base.rows import Look
from ..base.virtual_rows import VirtualRows
from ..base.widget_message import WidgetMessage
from ..words.ages import age
from ..words.amounts import count
from ..words.families import family_words, origin_words
from ..words.folders import folder_name, folder_place
from ..words.safe import fit, one_line
from .grouping import Entry, Header, Item

Mark = tuple[str, str]
"""A sign and the component class that colours it."""

UNSEEN = frozenset({"why", "doing", "call_since", "bytes"})
"""What rows show nothing of; while an agent is at work the reason changes each second."""


class SessionList(VirtualRows[Entry]):
    """Entries made by `grouping.entries`."""

    HELP = """\
## Sessions

Sessions that need you come first, then working ones, then possible crashes, then the newest.

- `⚠2` two uncertain actions without a verdict, `?` a question for you
- `◆1` one memory candidate, `★` pinned: `*` pins, `H` hides, `t` sets your own title
- `●` working, `•` not read yet
- `✗` crashed, or the transcript is corrupt or damaged; `■` stopped by you
- `~` unfinished; can't tell whether the agent is running; `…` the last line is incomplete
- `▸` has sub-agents: `right` or `o` unfolds, `left` folds; a session is listed under the state of
  its sub-agents
"""
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--header",
        "list--count",
        "list--title",
        "list--title-unread",
        "list--about",
        "list--uncertain",
        "list--candidates",
        "list--broken",
        "list--working",
        "list--asking",
        "list--unread",
        "list--pinned",
        "list--fold",
    }
    DEFAULT_CSS = """
    SessionList {
        & > .list--header { color: $text-accent; text-style: bold; }
        & > .list--count { color: $text-muted; }
        & > .list--title { color: $foreground; }
        & > .list--title-unread { color: $foreground; text-style: bold; }
        & > .list--about { color: $text-muted; }
        & > .list--uncertain { color: $text-warning; text-style: bold; }
        & > .list--candidates { color: $text-accent; }
        & > .list--broken { color: $text-error; text-style: bold; }
        & > .list--working { color: $text-success; }
        & > .list--asking { color: $text-warning; text-style: bold; }
        & > .list--unread { color: $text-primary; text-style: bold; }
        & > .list--pinned { color: $text-accent; }
        & > .list--fold { color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys.LIST

    class Highlighted(VirtualRows.Highlighted):
        """The cursor came to stand on a session; `row` is an `Item`."""

    class Opened(VirtualRows.Opened):
        """A session was opened; `row` is an `Item`."""

    class MarksChanged(VirtualRows.MarksChanged):
        """Sessions were marked or unmarked; identities are paths."""

    @dataclass
    class FoldChanged(WidgetMessage["SessionList"]):
        """The sub-agents of the session at that path are to be shown or hidden."""

        path: Path
        unfolded: bool

    def __init__(
        self,
        entries: Sequence[Entry] = (),
        *,
        now: int = 0,
        empty: str = "No sessions here.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(entries, empty=empty, id=id, classes=classes)
        self._now = now
        self._places: dict[Hashable, int] = {}

    @property
    def session(self) -> Session | None:
        """The session that the cursor stands on."""
        return self.current.session if isinstance(self.current, Item) else None

    def show_entries(self, entries: Sequence[Entry], now: int, empty: str | None = None) -> None:
        """Show the list as it is at a moment; the cursor stays on its session."""
        was_at_top = self.scroll_offset.y == 0
        if self._stands_alike(entries) and empty in (None, self._empty):
            self._renew(entries, now)
        else:
            self.show(entries, empty=empty)
            # Whoever sees the top goes on seeing it: there stands what needs them.
            end = self._layout_of_rows.top(self.cursor + 1) if self._known else 0
            if was_at_top and end <= self._view_height:
                self._scroll(0)
        self._now = now

    def select_path(self, path: Path) -> bool:
        """Put the cursor on the session at that path, if the list holds it."""
        place = self._places.get(path)
        if place is not None:
            self.select(place)
        return place is not None

    def reveal(self) -> None:
        """Bring the heading above the cursor into view too, where there is room for both."""
        rows = range(min(self.cursor, len(self.source) - 1), -1, -1)
        heading = next((row for row in rows if isinstance(self.source[row], Header)), None)
        if heading is None:
            return
        top, bottom = self._layout_of_rows.top(heading), self._layout_of_rows.top(self.cursor + 1)
        if top < self.scroll_offset.y and bottom - top <= self._view_height:
            self._scroll(top)

    # What `VirtualRows` asks for.

    def identity(self, row: Entry) -> Hashable:
        """A session's path; a heading's title."""
        return row.title if isinstance(row, Header) else row.session.path

    def place_of(self, identity: Hashable) -> int | None:
        """Where the session at that path stands."""
        return self._places.get(identity)

    def can_rest_on(self, index: int) -> bool:
        """The cursor passes headings by."""
        return isinstance(self.source[index], Item)

    def lay_out(self) -> Mixed:
        """Headings take one line, sessions two."""
        rows = [self.source[index] for index in range(len(self.source))]
        self._places = {self.identity(row): index for index, row in enumerate(rows)}
        return Mixed(1 if isinstance(row, Header) else 2 for row in rows)

    def key(self, index: int, row: Entry) -> Hashable:
        """A session also looks different as it ages."""
        return row if isinstance(row, Header) else (row, age(row.session.updated_at, self._now))

    def draw(self, index: int, row: Entry, width: int, look: Look) -> Sequence[Strip]:
        """A heading or a session."""
        if isinstance(row, Header):
            return [self._header(row, width)]
        return [self._first_line(row, width, look), self._second_line(row, width, look)]

    def _stands_alike(self, entries: Sequence[Entry]) -> bool:
        """Whether each of these entries stands where it stood."""
        return len(entries) == len(self.source) and all(
            self.identity(self.source[index]) == self.identity(entry)
            for index, entry in enumerate(entries)
        )

    def _renew(self, entries: Sequence[Entry], now: int) -> None:
        """Show entries in the places of those before; only what looks different is drawn."""
        for index, entry in enumerate(entries):
            if not _look_alike(self.source[index], entry, self._now, now):
                self.changed(index)
        self.source = entries

    def _header(self, header: Header, width: int) -> Strip:
        number = f" {header.count} "
        room = width - len(number)
        name = fit(" " + one_line(folder_name(header.title)), room).rstrip()
        place = "  " + one_line(folder_place(header.title))
        return Strip(
            [
                Segment(name, self.palette.ink("list--header")),
                Segment(fit(place, room - cell_len(name)), self.palette.ink("list--count")),
                Segment(number, self.palette.ink("list--count")),
            ]
        ).adjust_cell_length(width)

    def _first_line(self, item: Item, width: int, look: Look) -> Strip:
        marks = list(_marks(item))
        taken = sum(cell_len(sign) + 1 for sign, _ in marks)
        fold = f"{'▾' if item.unfolded else '▸'} " if item.children else ""
        indent = "  " * min(item.depth, 4)
        room = max(0, width - 2 - taken - len(fold) - len(indent))
        unread = "-unread" if item.unread else ""
        segments = [
            self.drawn.bar(look),
            Segment(indent),
            Segment(fold, self.palette.ink("list--fold")),
            Segment(
                fit(one_line(item.session.title) or "untitled", room),
                self.palette.ink(f"list--title{unread}"),
            ),
            *(Segment(f" {sign}", self.palette.ink(f"list--{name}")) for sign, name in marks),
        ]
        return Strip(segments).adjust_cell_length(width)

    def _second_line(self, item: Item, width: int, look: Look) -> Strip:
        indent = "  " * min(item.depth, 4)
        about = fit(_about(item, self._now), width - 2 - len(indent))
        bar = self.drawn.bar(look._replace(marked=False))
        segments = [bar, Segment(indent), Segment(about, self.palette.ink("list--about"))]
        return Strip(segments).adjust_cell_length(width)

    # Keys and mouse.

    def action_fold(self, unfold: bool) -> None:
        """Unfold the sub-agents; fold them, or go to the parent where there are none."""
        item = self.current
        if not isinstance(item, Item):
            return
        if item.children and item.unfolded != unfold:
            self.post_message(self.FoldChanged(self, item.session.path, unfold))
        elif item.depth and not unfold:
            self._to_parent(item.depth)

    def action_toggle_fold(self) -> None:
        """Unfold what is folded, fold what is not."""
        if isinstance(item := self.current, Item):
            self.action_fold(not item.unfolded)

    def _to_parent(self, depth: int) -> None:
        for index in range(self.cursor, -1, -1):
            entry = self.source[index]
            if isinstance(entry, Item) and entry.depth < depth:
                self.select(index)
                return


_seen_of_item = attrgetter(*(field.name for field in fields(Item) if field.name != "session"))
_seen_of_session = attrgetter(*({field.name for field in fields(Session)} - UNSEEN))


def _look_alike(before: Entry, after: Entry, then: int, now: int) -> bool:
    """Whether two entries look the same, each at its moment."""
    if isinstance(before, Header) or isinstance(after, Header):
        return before == after
    one, other = before.session, after.session
    return (
        (one is other or _seen_of_session(one) == _seen_of_session(other))
        and _seen_of_item(before) == _seen_of_item(after)
        and age(one.updated_at, then) == age(other.updated_at, now)
    )


MIDWAY: dict[str, str] = {"crashed": "✗", "interrupted": "■", "unknown": "~"}
"""Signs of sessions that ended midway, or may have, where no other sign says so."""


def _marks(item: Item) -> Iterator[Mark]:
    """The signs at the right edge."""
    session = item.session
    if item.children and not item.unfolded:
        yield f"{item.children} sub", "fold"
    if item.pinned:
        yield "★", "pinned"
    if session.integrity.state in ("corrupt", "unreadable") or session.status == "corrupt":
        yield "✗", "broken"
    elif session.integrity.state == "damaged":
        yield "✗", "uncertain"
    elif session.integrity.state == "partial-tail":
        yield "…", "fold"
    folded = not item.unfolded  # those that are unfolded tell it themselves
    if uncertain := session.family_uncertain if folded else session.uncertain:
        yield f"⚠{uncertain}", "uncertain"
    elif session.status in MIDWAY:
        yield MIDWAY[session.status], "fold"
    if session.candidates:
        yield f"◆{session.candidates}", "candidates"
    if session.status == "asking":
        yield "?", "asking"
    if session.family_works if folded else session.status == "working":
        yield "●", "working"
    if item.unread:
        yield "•", "unread"


def _about(item: Item, now: int) -> str:
    """Workspace, model, age and events, as far as they are known."""
    session = item.session
    parts = [folder_name(session.workspace), session.model or "", age(session.updated_at, now)]
    if session.events is not None:
        parts.append(f"{session.events:,}")
    if item.depth:
        parts = [*parts[1:3], count(session.events or 0, "event")]
    parts = [family_words(session.family), *parts, origin_words(session.origin)]
    return " · ".join(one_line(part, 80) for part in parts if part)
