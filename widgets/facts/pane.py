"""What is known of a session, a line each: its memory, or what a restart would restore.

A line leads to the event that it comes from, where it comes from one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from ..base.row_layout import Even
from ..base.rows import Look
from ..base.virtual_rows import VirtualRows
from ..base.widget_message import WidgetMessage
from ..words.ages import clock
from ..words.safe import fit, one_line

NAME = 11
"""Cells of a group's name."""

ALONE = 40
"""Columns below which the time gives way to the text."""

SHOWN = 2000
"""Characters of a text that a row holds: more than the widest line shows."""


Tone = Literal["plain", "strong", "bad", "quiet"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: something known, or how many older ones its group has left out. Foreign text."""

    group: str
    text: str
    at: int | None = None
    event_id: str | None = None
    offset: int = 0
    uncertain: bool = False
    is_first: bool = False
    """Whether it bears the name of its group."""
    is_item: bool = True
    tone: Tone = "plain"


class FactsPane(VirtualRows[Fact]):
    """What is known of one session."""

    HELP = """\
## Memory and recovery

**Memory** summarises the session from its records: the goal, open tasks, results of tests and
checks, decisions, failed attempts and completed work.

**Recovery** shows what a restart would restore, and whether the transcript can be trusted.

- `enter` goes to the event that a line comes from
- `⚠` an action that started but has no result
- Newest first; `+ 1,204 earlier` is the number of lines left out
"""
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "facts--group",
        "facts--plain",
        "facts--strong",
        "facts--bad",
        "facts--quiet",
        "facts--uncertain",
        "facts--time",
    }
    DEFAULT_CSS = """
    FactsPane {
        & > .facts--group { color: $text-accent; text-style: bold; }
        & > .facts--plain { color: $foreground; }
        & > .facts--strong { color: $foreground; text-style: bold; }
        & > .facts--bad { color: $text-error; }
        & > .facts--quiet { color: $text-muted; }
        & > .facts--uncertain { color: $text-warning; text-style: bold; }
        & > .facts--time { color: $text-muted; }
    }
    """

    @dataclass
    class SourceWanted(WidgetMessage["FactsPane"]):
        """The person wants to see the event that a line comes from, and where its record is."""

        event_id: str
        offset: int

    def __init__(self, *, empty: str, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([], empty=empty, id=id, classes=classes)
        self._subject: Hashable = None
        self._places: dict[Hashable, int] = {}

    def show_facts(self, subject: Hashable, facts: Sequence[Fact]) -> None:
        """Show what is known of a subject now; the cursor stays with its line of the same one."""
        keep, self._subject = subject == self._subject, subject
        self.show(facts, keep=keep)

    def identity(self, row: Fact) -> Hashable:
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

    def draw(self, index: int, row: Fact, width: int, look: Look) -> Sequence[Strip]:
        """The group's name on its first line, the text, and the time where there is room."""
        time = clock(row.at) if row.at is not None and width >= ALONE else ""
        sign = "⚠ " if row.uncertain else ""
        room = max(0, width - 1 - NAME - len(sign) - (len(time) + 2 if time else 0))
        segments = [
            self.drawn.bar(look),
            Segment(fit(row.group if row.is_first else "", NAME), self._ink("group")),
            Segment(sign, self._ink("uncertain")),
            Segment(fit(one_line(row.text), room), self._ink(row.tone)),
            Segment(f" {time} " if time else "", self._ink("time")),
        ]
        return [Strip(segments).adjust_cell_length(width)]

    def action_open(self) -> None:
        """Ask for the event that the line comes from."""
        row = self.current
        if row is not None and row.event_id is not None:
            self.post_message(self.SourceWanted(self, row.event_id, row.offset))

    def _ink(self, name: str) -> Style:
        return self.palette.ink(f"facts--{name}")
