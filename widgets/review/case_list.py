"""The list of cases: what is to be decided first, two lines each."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.strip import Strip

from ...storage.model.case import Case
from ..base.row_layout import Mixed
from ..base.rows import Look
from ..base.strips import overlay
from ..base.virtual_rows import VirtualRows
from ..words.cases import CaseSummary, Word, summary, tail
from ..words.safe import fit, one_line
from . import keys as review_keys
from .case_rows import Entry, Heading, entries, identity

INDENT = 3
"""Cells before a case's words: bar, sign, blank."""

TOOL, LONG_TOOL = 5, 12
"""Cells of a tool's name: Edit, Write and Bash stand in a column, longer names take more."""


class CaseList(VirtualRows[Entry]):
    """Cases below the headings that `case_rows.entries` gives them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "cases--header",
        "cases--count",
        "cases--tool",
        "cases--subject",
        "cases--settled",
        "cases--about",
        "cases--good",
        "cases--bad",
        "cases--doubt",
        "cases--quiet",
    }
    DEFAULT_CSS = """
    CaseList {
        & > .cases--header { color: $text-accent; text-style: bold; }
        & > .cases--count { color: $text-muted; }
        & > .cases--tool { color: $text-primary; }
        & > .cases--subject { color: $foreground; }
        & > .cases--settled { color: $text-muted; }
        & > .cases--about { color: $text-muted; }
        & > .cases--good { color: $text-success; }
        & > .cases--bad { color: $text-error; }
        & > .cases--doubt { color: $text-warning; }
        & > .cases--quiet { color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = review_keys.CASES

    class Highlighted(VirtualRows.Highlighted):
        """The cursor came to stand on a case; `row` is a `Case`."""

    class Opened(VirtualRows.Opened):
        """A case was opened; `row` is a `Case`."""

    class MarksChanged(VirtualRows.MarksChanged):
        """Cases were marked or unmarked; identities as of `case_rows.identity`."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([], empty="", id=id, classes=classes)
        self._now = 0
        self._several = False
        self._places: dict[Hashable, int] = {}

    @property
    def case(self) -> Case | None:
        """The case that the cursor stands on."""
        return self.current if isinstance(self.current, Case) else None

    @property
    def chosen(self) -> tuple[Case, ...]:
        """The marked cases, from top to bottom; without any, the one under the cursor."""
        marked = tuple(case for case in self._cases() if identity(case) in self.marks)
        return marked or ((self.case,) if self.case else ())

    def show_cases(
        self, cases: Sequence[Case], now: int, *, several: bool, empty: str, keep: bool
    ) -> None:
        """Show cases as they are at a moment; without `keep` they are another subject's."""
        self._now, self._several = now, several
        self.show(entries(cases), empty=empty, keep=keep)

    def select_case(self, wanted: Hashable) -> None:
        """Put the cursor on the case of that identity, if it is here."""
        if (place := self._places.get(wanted)) is not None:
            self.select(place)

    def open_from_here(self, leaving: Collection[Hashable]) -> list[Hashable]:
        """The open cases but those, in the order in which one would turn to them next.

        First those of the same group, below the cursor, then above it, the nearest first.
        """
        is_older = self.case is not None and self.case.is_older
        places = ((self._places[identity(case)], case) for case in self._cases() if case.is_open)
        left = [(place, case) for place, case in places if identity(case) not in leaving]
        left.sort(key=lambda one: (one[1].is_older != is_older, _distance(one[0], self.cursor)))
        return [identity(case) for _, case in left]

    # What `VirtualRows` asks for.

    def identity(self, row: Entry) -> Hashable:
        """Where the record of a case is; a heading's title."""
        return row.title if isinstance(row, Heading) else identity(row)

    def place_of(self, identity: Hashable) -> int | None:
        """Where that case stands."""
        return self._places.get(identity)

    def can_rest_on(self, index: int) -> bool:
        """The cursor passes headings by."""
        return isinstance(self.source[index], Case)

    def lay_out(self) -> Mixed:
        """Headings take one line, cases two."""
        rows = [self.source[index] for index in range(len(self.source))]
        self._places = {self.identity(row): index for index, row in enumerate(rows)}
        return Mixed(1 if isinstance(row, Heading) else 2 for row in rows)

    def key(self, index: int, row: Entry) -> Hashable:
        """A case by its words: its arguments, as JSON has them, cannot be a key."""
        return row if isinstance(row, Heading) else (self._summary(row), row.is_open)

    def draw(self, index: int, row: Entry, width: int, look: Look) -> Sequence[Strip]:
        """A heading or a case."""
        if isinstance(row, Heading):
            return [self._header(row, width)]
        words = self._summary(row)
        return [
            self._first_line(words, row.is_open, width, look),
            self._second_line(words, width, look),
        ]

    def line(self, y: int) -> Strip:
        """A visible line; of an empty list, a line of the sentences in its middle."""
        return super().line(y) if len(self.source) else self._sentence(y)

    def _header(self, heading: Heading, width: int) -> Strip:
        number = f" {heading.count:,} "
        name = fit(f" {heading.title}", width - len(number))
        return Strip(
            [Segment(name, self._ink("header")), Segment(number, self._ink("count"))]
        ).adjust_cell_length(width)

    def _first_line(self, words: CaseSummary, is_open: bool, width: int, look: Look) -> Strip:
        outcome = Word("", "quiet") if width < 30 else words.outcome
        cells = min(max(TOOL, cell_len(words.tool)), LONG_TOOL, width // 3)
        tool = fit(words.tool, cells) + " "
        room = max(0, width - INDENT - cell_len(tool) - cell_len(outcome.text) - 2)
        text = tail(words.subject.text, room) if words.subject.is_path else words.subject.text
        segments = [
            self.drawn.bar(look),
            Segment(words.sign.text + " ", self._ink(words.sign.tone)),
            Segment(tool, self._ink("tool" if is_open else "settled")),
            Segment(fit(text, room), self._ink("subject" if is_open else "settled")),
            Segment(f" {outcome.text} ", self._ink(outcome.tone)),
        ]
        return Strip(segments).adjust_cell_length(width)

    def _second_line(self, words: CaseSummary, width: int, look: Look) -> Strip:
        bar = self.drawn.bar(look._replace(marked=False))
        about = fit(" " * (INDENT - 1) + words.about, max(0, width - 2))
        return Strip([bar, Segment(about, self._ink("about"))]).adjust_cell_length(width)

    def _sentence(self, y: int) -> Strip:
        lines, width = self._empty.split("\n"), self.size.width
        at = y - max(0, (self.size.height - len(lines)) // 2)
        line = one_line(lines[at]) if 0 <= at < len(lines) else ""
        text = " " * max(0, (width - cell_len(line)) // 2) + line
        segment = Segment(fit(text, width), self.palette.ink("rows--empty"))
        return overlay(Strip([segment], width), self.palette.paper())

    # Inside.

    def _cases(self) -> Iterator[Case]:
        rows = (self.source[index] for index in range(len(self.source)))
        return (row for row in rows if isinstance(row, Case))

    def _summary(self, case: Case) -> CaseSummary:
        return summary(case, self._now, self._several)

    def _ink(self, name: str) -> Style:
        return self.palette.ink(f"cases--{name}")


def _distance(place: int, cursor: int) -> tuple[bool, int]:
    """How far a row is to go to: what is above the cursor comes behind all that is below."""
    return place < cursor, abs(place - cursor)
