"""The memory of a session on screen: goal, todo, checks, decisions, failures and work, a line each.

Every line leads to the event that it comes from.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from ..storage.memory import ListName, MemoryItem, SessionMemory
from .ages import clock
from .layout import Even
from .rows import Look
from .safe import fit, one_line
from .virtual_rows import VirtualRows

GROUPS: tuple[tuple[ListName, str], ...] = (
    ("todo_items", "todo"),
    ("verification_status", "checks"),
    ("key_decisions", "decided"),
    ("failed_attempts", "failed"),
    ("completed_work", "done"),
)
"""The lists in their order on screen, each with its name there."""

NAME = 10
"""Cells of a group's name."""

ALONE = 40
"""Columns below which the time gives way to the text."""

SHOWN = 2000
"""Characters of a text that a row holds: more than the widest line shows."""


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One line: an item of a group, or how many older ones the group has left out."""

    group: str
    text: str
    at: int | None = None
    event_id: str | None = None
    offset: int = 0
    uncertain: bool = False
    is_first: bool = False
    """Whether it bears the name of its group."""
    is_item: bool = True


class MemoryPane(VirtualRows[MemoryRow]):
    """What is remembered of one session."""

    HELP = """\
## Memory

What the session is about, as its records tell: the goal, what is still to be done, how tests and
checks ended, what was decided, what failed, and what was done.

- `enter` goes to the event that a line comes from
- `⚠` an action began, and nothing tells how it ended
- The newest stand first; `+ 1,204 earlier` tells how many are left out
"""
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "memory--group",
        "memory--goal",
        "memory--text",
        "memory--failed",
        "memory--uncertain",
        "memory--time",
        "memory--earlier",
    }
    DEFAULT_CSS = """
    MemoryPane {
        & > .memory--group { color: $text-accent; text-style: bold; }
        & > .memory--goal { color: $foreground; text-style: bold; }
        & > .memory--text { color: $foreground; }
        & > .memory--failed { color: $text-error; }
        & > .memory--uncertain { color: $text-warning; text-style: bold; }
        & > .memory--time { color: $text-muted; }
        & > .memory--earlier { color: $text-muted; }
    }
    """

    @dataclass
    class SourceWanted(Message):
        """The person wants to see the event that a line comes from, and where its record is."""

        pane: MemoryPane
        event_id: str
        offset: int

        @property
        def control(self) -> MemoryPane:
            """The widget that sent it."""
            return self.pane

    def __init__(
        self,
        memory: SessionMemory | None = None,
        *,
        empty: str = "Nothing to remember yet.",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        rows = list(_rows(memory)) if memory else []
        super().__init__(rows, empty=empty, id=id, classes=classes)
        self._session = memory.session if memory else None
        self._places: dict[Hashable, int] = {}

    def show_memory(self, memory: SessionMemory | None) -> None:
        """Show a session's memory as it is now; the cursor stays with its line if it is there."""
        session = memory.session if memory else None
        keep, self._session = session == self._session, session
        self.show(list(_rows(memory)) if memory else [], keep=keep)

    def identity(self, row: MemoryRow) -> Hashable:
        """Group, text and where it comes from."""
        return row.group, row.offset, row.text, row.is_item

    def place_of(self, identity: Hashable) -> int | None:
        """Where that line stands."""
        return self._places.get(identity)

    def can_rest_on(self, index: int) -> bool:
        """The cursor passes by what tells of lines left out."""
        return self.source[index].is_item

    def lay_out(self) -> Even:
        """One line a row."""
        rows = [self.source[index] for index in range(len(self.source))]
        self._places = {self.identity(row): index for index, row in enumerate(rows)}
        return Even(len(rows))

    def draw(self, index: int, row: MemoryRow, width: int, look: Look) -> Sequence[Strip]:
        """The group's name on its first line, the text, and the time where there is room."""
        time = clock(row.at) if row.at is not None and width >= ALONE else ""
        sign = "⚠ " if row.uncertain else ""
        room = max(0, width - 1 - NAME - len(sign) - (len(time) + 1 if time else 0))
        segments = [
            self.drawn.bar(look),
            Segment(fit(row.group if row.is_first else "", NAME), self._ink("group")),
            Segment(sign, self._ink("uncertain")),
            Segment(fit(one_line(row.text), room), self._ink(_look_of(row))),
            Segment(f" {time}" if time else "", self._ink("time")),
        ]
        return [Strip(segments).adjust_cell_length(width)]

    def action_open(self) -> None:
        """Ask for the event that the line comes from."""
        row = self.current
        if row is not None and row.event_id is not None:
            self.post_message(self.SourceWanted(self, row.event_id, row.offset))

    def _ink(self, name: str) -> Style:
        return self.palette.ink(f"memory--{name}")


def _look_of(row: MemoryRow) -> str:
    if not row.is_item:
        return "earlier"
    return row.group if row.group in ("goal", "failed") else "text"


def _rows(memory: SessionMemory) -> Iterator[MemoryRow]:
    if memory.current_goal and memory.goal:
        yield _row("goal", replace(memory.current_goal, text=memory.goal), is_first=True)
    for name, group in GROUPS:
        items = memory.items(name)
        # What is to be done stands in its order, all else with the newest first.
        shown = items if name == "todo_items" else items[::-1]
        for place, item in enumerate(shown):
            yield _row(group, item, is_first=not place)
        if dropped := memory.dropped.get(name, 0):
            word = "more" if name == "todo_items" else "earlier"
            yield MemoryRow(group, f"+ {dropped:,} {word}", is_item=False)


def _row(group: str, item: MemoryItem, is_first: bool) -> MemoryRow:
    return MemoryRow(
        group,
        item.text[:SHOWN],
        item.at,
        item.source.start_event_id,
        item.offset,
        item.uncertain,
        is_first,
    )
