"""The list of memory candidates: what waits for a decision first, two lines each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.strip import Strip

from ...storage.model.candidate import Sourced
from ..base.row_layout import Mixed
from ..base.rows import Look
from ..base.virtual_rows import VirtualRows
from ..words.candidate_markdown import CANDIDATE_SIGNS
from ..words.safe import fit, one_line
from .keys import CANDIDATE_ROWS
from .rows import WARNINGS, CandidateHeading, CandidateRow, about, age_of, candidate_rows, moment

LEAST = 12
"""Cells that the summary keeps before the warning at the right edge gives way."""


class CandidateList(VirtualRows[CandidateRow], inherit_bindings=False):
    """Candidates under a heading for each status."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "candidates--heading",
        "candidates--count",
        "candidates--proposed",
        "candidates--approved",
        "candidates--rejected",
        "candidates--summary",
        "candidates--quiet",
        "candidates--warning",
    }
    DEFAULT_CSS = """
    CandidateList {
        & > .candidates--heading { color: $text-accent; text-style: bold; }
        & > .candidates--count { color: $text-muted; }
        & > .candidates--proposed { color: $text-accent; text-style: bold; }
        & > .candidates--approved { color: $text-success; text-style: bold; }
        & > .candidates--rejected { color: $text-muted; }
        & > .candidates--summary { color: $foreground; }
        & > .candidates--quiet { color: $text-muted; }
        & > .candidates--warning { color: $text-warning; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = CANDIDATE_ROWS

    class Highlighted(VirtualRows.Highlighted):
        """The cursor came to stand on a candidate; `row` is a `Sourced`."""

    class Opened(VirtualRows.Opened):
        """The candidate that the cursor stands on was clicked; `row` is a `Sourced`."""

    class MarksChanged(VirtualRows.MarksChanged):
        """Candidates were marked or unmarked; identities are their ids."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([], id=id, classes=classes)
        self._now = 0
        self._several = False
        self._places: dict[Hashable, int] = {}

    @property
    def item(self) -> Sourced | None:
        """The candidate that the cursor stands on."""
        return self.current if isinstance(self.current, Sourced) else None

    @property
    def marked(self) -> tuple[Sourced, ...]:
        """The marked candidates that the list still holds, from top to bottom."""
        return self.items(self.marks)

    def items(self, ids: frozenset[Hashable]) -> tuple[Sourced, ...]:
        """The candidates of those ids, from top to bottom."""
        places = sorted(place for id in ids if (place := self._places.get(id)) is not None)
        rows = (self.source[place] for place in places)
        return tuple(row for row in rows if isinstance(row, Sourced))

    def show_candidates(
        self, items: Sequence[Sourced], now: int, *, several: bool, empty: str, keep: bool
    ) -> None:
        """Show candidates as they are at a moment, of one session or of several."""
        self._now, self._several = now, several
        self.show(candidate_rows(items), empty=empty, keep=keep)

    def select_candidate(self, id: str) -> None:
        """Put the cursor on a candidate, if the list holds it."""
        if (place := self._places.get(id)) is not None:
            self.select(place)

    # What `VirtualRows` asks for.

    def identity(self, row: CandidateRow) -> Hashable:
        """A candidate's id; a heading itself has none that a candidate could have."""
        return (row.status,) if isinstance(row, CandidateHeading) else row.candidate.candidate

    def place_of(self, identity: Hashable) -> int | None:
        """Where the candidate of that id stands."""
        return self._places.get(identity)

    def can_rest_on(self, index: int) -> bool:
        """The cursor passes headings by."""
        return isinstance(self.source[index], Sourced)

    def lay_out(self) -> Mixed:
        """Headings take one line, candidates two."""
        rows = [self.source[index] for index in range(len(self.source))]
        self._places = {self.identity(row): index for index, row in enumerate(rows)}
        return Mixed(1 if isinstance(row, CandidateHeading) else 2 for row in rows)

    def key(self, index: int, row: CandidateRow) -> Hashable:
        """A candidate also looks different as it ages, a heading as others are marked."""
        if isinstance(row, CandidateHeading):
            return row, self._marked_below(row)
        candidate, now = row.candidate, self._now
        return row, self._several, age_of(candidate, now), moment(candidate.captured_at, now)

    def draw(self, index: int, row: CandidateRow, width: int, look: Look) -> Sequence[Strip]:
        """A heading or a candidate."""
        if isinstance(row, CandidateHeading):
            return [self._heading(row, width)]
        return [self._first_line(row, width, look), self._second_line(row, width, look)]

    def action_mark(self) -> None:
        """Mark the candidate, or unmark it; its heading counts the marked ones."""
        super().action_mark()
        self.refresh()

    # Inside.

    def _marked_below(self, heading: CandidateHeading) -> int:
        return Counter(item.candidate.status for item in self.marked)[heading.status]

    def _heading(self, heading: CandidateHeading, width: int) -> Strip:
        marked = self._marked_below(heading)
        number = f"{marked:,} of {heading.count:,} marked " if marked else f"{heading.count:,} "
        name = fit(f" {heading.status.upper()}", width - len(number))
        segments = [
            Segment(name, self._ink("heading")),
            Segment(number, self._ink("proposed" if marked else "count")),
        ]
        return Strip(segments).adjust_cell_length(width)

    def _first_line(self, item: Sourced, width: int, look: Look) -> Strip:
        status = item.candidate.status
        warning = f" {WARNINGS[item.source]}" if WARNINGS[item.source] else ""
        if width - 4 - cell_len(warning) < LEAST:
            warning = " !" if warning else ""
        summary = one_line(item.candidate.summary) or "(no summary)"
        segments = [
            self.drawn.bar(look),
            Segment(f"{CANDIDATE_SIGNS[status]} ", self._ink(status)),
            Segment(
                fit(summary, width - 4 - cell_len(warning)),
                self._ink("quiet" if status == "rejected" else "summary"),
            ),
            Segment(warning, self._ink("warning")),
        ]
        return Strip(segments).adjust_cell_length(width)

    def _second_line(self, item: Sourced, width: int, look: Look) -> Strip:
        age = " " + age_of(item.candidate, self._now)
        line = about(item, self._now, width - 4 - cell_len(age), several=self._several)
        bar = self.drawn.bar(look._replace(marked=False))
        segments = [bar, Segment("  "), Segment(line + age, self._ink("quiet"))]
        return Strip(segments).adjust_cell_length(width)

    def _ink(self, name: str) -> Style:
        return self.palette.ink(f"candidates--{name}")
