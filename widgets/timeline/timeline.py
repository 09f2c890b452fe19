"""The timeline: one line an event, following its end while an agent works."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, cast

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.binding import BindingType
from textual.strip import Strip

from ...storage.model.timeline import Row
from ..base import keys
from ..base.row_layout import Even
from ..base.rows import Look, Rows
from ..base.strips import overlay
from ..base.virtual_rows import VirtualRows
from ..base.widget_message import WidgetMessage
from ..words.ages import same_day
from ..words.safe import one_line
from .columns import cells

Jump = Literal["prompt", "uncertain", "match"]
"""What one can jump to."""

Step = Literal[-1, 1]

DEPTHS: tuple[str, ...] = ("prompts and answers", "+ calls", "+ thoughts", "everything")
"""What depth 1, 2, 3 and 4 show."""

EARLIER = 100
"""Rows from the top at which earlier ones are asked for."""


class TimelineSource(Rows[Row], Protocol):
    """The rows of one session at one depth."""

    @property
    def complete(self) -> bool:
        """Whether the rows reach back to the beginning of the session."""
        ...

    def place_of(self, offset: int) -> int | None:
        """The row that shows the record at that offset: itself, or else the next row; or None."""
        ...

    def next_of(self, jump: Jump, start: int, step: Step) -> int | None:
        """The nearest such row beyond `start` in that direction."""
        ...


class Timeline(VirtualRows[Row]):
    """Rows of a `TimelineSource`."""

    FOLLOWS = True
    HELP = """\
## Timeline

One line per event; a call and its result share a line.

- `✓` done, `✗` failed, `●` running, `○` not started, `?` asks you
- `⚠` uncertain: it started, but no result was recorded; your verdict replaces this sign
- `◆` memory candidate: `m` proposes the event, or all events marked with `space`
- `›` a sub-agent handles the call: `enter` opens it, `escape` goes back; `<` also goes up
- `▪` marked; dimmed rows belong to an abandoned branch
- `+` and `-` show more or less, from prompts and answers only to everything
- `J` and `K` go to the next or previous prompt, `u` to the next uncertain action, `n` and `N` to
  matches
- At the end the timeline follows the agent; scrolling up pauses following, `End` or `f` resumes it
"""
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "timeline--time",
        "timeline--day",
        "timeline--prompt",
        "timeline--answer",
        "timeline--reasoning",
        "timeline--call",
        "timeline--quiet",
        "timeline--damaged",
        "timeline--text",
        "timeline--text-quiet",
        "timeline--text-prompt",
        "timeline--added",
        "timeline--removed",
        "timeline--completed",
        "timeline--failed",
        "timeline--uncertain",
        "timeline--running",
        "timeline--candidate",
        "timeline--outcome",
        "timeline--rule",
        "timeline--badge",
        "timeline--abandoned",
    }
    DEFAULT_CSS = """
    Timeline {
        & > .timeline--time { color: $text-muted; }
        & > .timeline--day { color: $text-accent; text-style: bold; }
        & > .timeline--prompt { color: $text-accent; text-style: bold; }
        & > .timeline--answer { color: $text-success; text-style: bold; }
        & > .timeline--reasoning { color: $text-muted; text-style: italic; }
        & > .timeline--call { color: $text-primary; }
        & > .timeline--quiet { color: $text-muted; }
        & > .timeline--damaged { color: $text-error; text-style: bold; }
        & > .timeline--text { color: $foreground; }
        & > .timeline--text-quiet { color: $text-muted; }
        & > .timeline--text-prompt { color: $foreground; text-style: bold; }
        & > .timeline--added { color: $text-success; }
        & > .timeline--removed { color: $text-error; }
        & > .timeline--completed { color: $text-success; }
        & > .timeline--failed { color: $text-error; text-style: bold; }
        & > .timeline--uncertain { color: $text-warning; text-style: bold; }
        & > .timeline--running { color: $text-accent; }
        & > .timeline--candidate { color: $text-accent; }
        & > .timeline--outcome { color: $text-muted; }
        & > .timeline--rule { color: $text-accent; }
        & > .timeline--badge { background: $accent; color: auto 95%; text-style: bold; }
        & > .timeline--abandoned { color: $text-disabled; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys.TIMELINE

    class Highlighted(VirtualRows.Highlighted):
        """The cursor came to stand on an event; `row` is a `storage.timeline.Row`."""

    class Opened(VirtualRows.Opened):
        """An event was opened; `row` is a `storage.timeline.Row`."""

    class FollowChanged(VirtualRows.FollowChanged):
        """Following began or ended, or more events came while it rests."""

    class MarksChanged(VirtualRows.MarksChanged):
        """Events were marked or unmarked; identities are offsets."""

    @dataclass
    class DepthChanged(WidgetMessage["Timeline"]):
        """More or fewer kinds of events are asked for: 1 to 4, see `DEPTHS`."""

        depth: int

    @dataclass
    class Jumped(WidgetMessage["Timeline"]):
        """The cursor was put on a row of that sort; `wrapped`: from the other end on."""

        jump: Jump
        step: Step
        wrapped: bool

    @dataclass
    class JumpFailed(WidgetMessage["Timeline"]):
        """There is no such row in that direction; if not `complete`, among those loaded so far."""

        jump: Jump
        step: Step
        complete: bool

    @dataclass
    class EarlierWanted(WidgetMessage["Timeline"]):
        """The session has earlier rows, and the view came near the first loaded one or has room."""

        has_room: bool = False

    class FirstWanted(WidgetMessage["Timeline"]):
        """The beginning of the session is wanted, and it is not loaded yet."""

    def __init__(
        self,
        source: TimelineSource,
        *,
        depth: int = len(DEPTHS),
        read_to: int | None = None,
        empty: str = "No events yet.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(source, empty=empty, id=id, classes=classes)
        self._depth = depth
        self._read_to = read_to
        self._parts: Mapping[int, str] = {}
        self._rules: dict[int, str] = {}
        """By row what the rule above it says."""
        self._candidates: frozenset[str] = frozenset()
        self._doors: frozenset[int] = frozenset()
        self._has_uncertain = False
        self._asked_earlier_at = -1

    # Verbs.

    @property
    def timeline_source(self) -> TimelineSource:
        """The source, with what a timeline's source offers besides rows."""
        return cast("TimelineSource", self.source)

    @property
    def depth(self) -> int:
        """What is shown, 1 to 4; see `DEPTHS`."""
        return self._depth

    def set_read_to(self, offset: int | None) -> None:
        """Draw the rule below the record at that offset, the last one read; None draws none."""
        self._read_to = offset
        self.grew()
        self.refresh()

    def set_parts(self, parts: Mapping[int, str]) -> None:
        """Draw a rule where the session goes on in another file: by address, foreign names.

        They count from the next time that rows are shown or grow.
        """
        self._parts = parts

    def show(self, source: Rows[Row], *, empty: str | None = None, keep: bool = True) -> None:
        """As other rows are shown; where they leave room, earlier ones are wanted too."""
        super().show(source, empty=empty, keep=keep)
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        if not self.max_scroll_y and not self.timeline_source.complete:
            self.post_message(self.EarlierWanted(self, has_room=True))

    def go_on(self, source: TimelineSource) -> None:
        """Rows were added at the end, and all of them come from another source now."""
        self.source = source
        self.grew()

    def set_candidates(self, event_ids: Collection[str]) -> None:
        """Mark the events that are memory candidates."""
        if self._candidates != (candidates := frozenset(event_ids)):
            self._candidates = candidates
            self.refresh()

    def set_doors(self, offsets: Collection[int]) -> None:
        """Mark the calls that a sub-agent works for: enter leads into it."""
        if self._doors != (doors := frozenset(offsets)):
            self._doors = doors
            self.refresh()

    def set_uncertain(self, any_are: bool) -> None:
        """Tell whether the session has uncertain actions, shown here or not."""
        if self._has_uncertain != any_are:
            self._has_uncertain = any_are
            self.refresh_bindings()

    def set_depth(self, depth: int) -> None:
        """Tell which depth the source shows, without asking for it."""
        self._depth = min(max(depth, 1), len(DEPTHS))

    # What `VirtualRows` asks for.

    def identity(self, row: Row) -> Hashable:
        """The record's offset in its file."""
        return row.offset

    def place_of(self, identity: Hashable) -> int | None:
        """Where the source shows the record at that offset."""
        return self.timeline_source.place_of(cast("int", identity))

    def lay_out(self) -> Even:
        """One line a row, and rules above where a part begins and the first that was not read."""
        place_of = self.timeline_source.place_of
        rules = {place_of(start): f"goes on in {name}" for start, name in self._parts.items()}
        if self._read_to is not None:
            rules[place_of(self._read_to + 1)] = "last read"
        self._rules = {row: text for row, text in rules.items() if row}
        return Even(len(self.source), taller=tuple(self._rules))

    def key(self, index: int, row: Row) -> Hashable:
        """A row also looks different at the start of a day, below the rule and with a sign."""
        signs = self._is_candidate(row), row.offset in self._doors
        return row, self._starts_day(index, row), self._rules.get(index), signs

    def draw(self, index: int, row: Row, width: int, look: Look) -> Sequence[Strip]:
        """The row, with the rule above it where that belongs."""
        new_day, candidate = self._starts_day(index, row), self._is_candidate(row)
        door = row.offset in self._doors
        segments = [
            Segment(text, self.palette.ink(f"timeline--{name}"))
            for text, name in cells(row, width - 1, new_day=new_day, candidate=candidate, door=door)
        ]
        line = Strip([self.drawn.bar(look), *segments]).adjust_cell_length(width)
        rule = self._rules.get(index)
        return [line] if rule is None else [self._rule(rule, width), line]

    def _rule(self, text: str, width: int) -> Strip:
        said = f"── {one_line(text, width)} "
        rule = set_cell_size(said + "─" * (width - cell_len(said)), width)
        return Strip([Segment(rule, self.palette.ink("timeline--rule"))], width)

    def _starts_day(self, index: int, row: Row) -> bool:
        return index > 0 and not same_day(self.source[index - 1].at, row.at)

    def _is_candidate(self, row: Row) -> bool:
        return row.event_id is not None and row.event_id in self._candidates

    # The badge over the last line.

    def line(self, y: int) -> Strip:
        """A visible line; the last one carries the badge while new rows wait below."""
        strip = super().line(y)
        if not self.new or y != self.size.height - 1:
            return strip
        badge = f" ▼ {self.new:,} new — End "
        if len(badge) > strip.cell_length:
            return strip
        style = self.palette.whole("timeline--badge")
        rest = strip.crop(0, strip.cell_length - len(badge))
        return Strip.join([rest, overlay(Strip([Segment(badge)]), style)])

    # Keys.

    def offers(self, action: str) -> bool:
        """Not to follow what it follows, nor to go to what there is none of."""
        if action == "follow":
            return not self.follow
        return self._has_uncertain or not action.startswith("jump('uncertain'")

    def action_first(self) -> None:
        """Move the cursor to the first row, and ask for the one that is not loaded yet."""
        super().action_first()
        if not self.timeline_source.complete:
            self.post_message(self.FirstWanted(self))

    def on_timeline_follow_changed(self, event: Timeline.FollowChanged) -> None:
        """To follow is offered when it rests."""
        if not event.new:
            self.refresh_bindings()

    def action_follow(self) -> None:
        """Follow, or rest."""
        self.set_follow(not self.follow)

    def action_depth(self, change: int) -> None:
        """Ask for more or fewer kinds of events."""
        depth = min(max(self._depth + change, 1), len(DEPTHS))
        if depth != self._depth:
            self._depth = depth
            self.post_message(self.DepthChanged(self, depth))

    def action_jump(self, jump: Jump, step: Step) -> None:
        """Go to the next row of that sort, or say that there is none."""
        source, before = self.timeline_source, self.cursor
        place = source.next_of(jump, before, step)
        if place is not None:
            self.select(place)
            self.post_message(self.Jumped(self, jump, step, (place - before) * step <= 0))
            return
        complete = step == 1 or source.complete
        self.post_message(self.JumpFailed(self, jump, step, complete))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for earlier rows before the first loaded one is reached."""
        super().watch_scroll_y(old_value, new_value)
        self._want_earlier()

    def on_resize(self) -> None:
        """A view that is taller than what is loaded wants earlier rows too."""
        super().on_resize()
        self._want_earlier()

    def _want_earlier(self) -> None:
        count = len(self.source)
        if self.scroll_offset.y >= EARLIER or self.timeline_source.complete:
            return
        if count and count != self._asked_earlier_at:
            self._asked_earlier_at = count
            self.post_message(self.EarlierWanted(self))
