"""What workspaces, models or tools had of the whole: a lying bar each, the longest first."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual.binding import BindingType
from textual.strip import Strip

from ..base.row_layout import Even
from ..base.rows import Look
from ..base.virtual_rows import VirtualRows
from ..base.widget_message import WidgetMessage
from ..words.safe import fit
from .bars import LYING, stacked
from .inks import INK_STYLES, INKS, inks_of, segments
from .keys import SHARES
from .words import Bar, Kind, Measure, shown_as

VALUE = 7
"""Cells of an amount, with the space before it."""

PERCENT = 6
"""Cells of a percentage, with the space before it."""

ROOMY = 40
"""Columns from which on percentages are shown."""


class More(NamedTuple):
    """Stands for the bars that do not fit, until it is opened."""

    left_out: int


class ShareList(VirtualRows[Bar | More], inherit_bindings=False):
    """The bars of one kind; `leads`: opening one leads to its sessions."""

    COMPONENT_CLASSES: ClassVar[set[str]] = INKS | {"share--name", "share--amount"}
    DEFAULT_CSS = (
        """
    ShareList {
        & > .share--name { color: $foreground; }
        & > .share--amount { color: $text-muted; }
        & > .rows--cursor-blurred { background: $background; }
        & > .rows--bar-blurred { color: $background; }
    """
        + INK_STYLES
        + "}"
    )
    BINDINGS: ClassVar[list[BindingType]] = SHARES

    class Highlighted(VirtualRows.Highlighted):
        """The cursor came to stand on a bar, or on what stands for more of them."""

    class Opened(VirtualRows.Opened):
        """A bar was opened; `row` is a `Bar`."""

    @dataclass
    class AsideWanted(WidgetMessage["ShareList"]):
        """The person wants to go to the list beside this one."""

        step: int

    def __init__(self, kind: Kind, *, leads: bool = True, id: str | None = None) -> None:
        super().__init__([], empty="", id=id)
        self.kind: Kind = kind
        self._leads = leads
        self._bars: Sequence[Bar] = ()
        self._total = 0
        self._measure_shown: Measure = "tokens"
        self._is_unfolded = False
        self._places: dict[Hashable, int] = {}

    @property
    def bar(self) -> Bar | None:
        """The bar that the cursor stands on."""
        return self.current if isinstance(self.current, Bar) else None

    def show_bars(self, bars: Sequence[Bar], measure: Measure, total: int, *, empty: str) -> None:
        """Show bars, longest first, of some measure, beside the total of it."""
        self._bars, self._measure_shown, self._total = bars, measure, total
        self.show(self._folded(), empty=empty)

    def _folded(self) -> list[Bar | More]:
        """As many bars as fit, and a line for the rest."""
        room = max(2, self._view_height)
        if self._is_unfolded or len(self._bars) <= room:
            return list(self._bars)
        return [*self._bars[: room - 1], More(len(self._bars) - room + 1)]

    # What `VirtualRows` asks for.

    def identity(self, row: Bar | More) -> Hashable:
        """The name of what a bar stands for."""
        return None if isinstance(row, More) else row.name

    def place_of(self, identity: Hashable) -> int | None:
        """Where the bar of that name stands."""
        return self._places.get(identity)

    def key(self, index: int, row: Bar | More) -> Hashable:
        """Lengths depend on the longest bar too."""
        return row, self._longest, self._total, self._measure_shown

    def lay_out(self) -> Even:
        """One line a bar."""
        rows = [self.source[index] for index in range(len(self.source))]
        self._places = {self.identity(row): index for index, row in enumerate(rows)}
        return Even(len(rows))

    def draw(self, index: int, row: Bar | More, width: int, look: Look) -> Sequence[Strip]:
        """The name, the bar, how much it is and how much of the whole."""
        cursor = self.drawn.bar(look)
        if isinstance(row, More):
            quiet = self.palette.ink("usage--quiet")
            return [
                Strip([cursor, Segment(f"+ {row.left_out:,} more", quiet)]).adjust_cell_length(
                    width
                )
            ]
        name, percent = self._name_cells(width), PERCENT if width >= ROOMY else 0
        cells = max(0, width - 3 - name - VALUE - percent)
        bar = stacked(row.parts, self._longest, cells, LYING)
        amount = fit(shown_as(row.amount, self._measure_shown), VALUE, "right")
        quiet = self.palette.ink("share--amount")
        return [
            Strip(
                [
                    cursor,
                    Segment(fit(row.label, name), self.palette.ink("share--name")),
                    Segment(" "),
                    *segments(bar, inks_of(len(row.parts)), self.palette),
                    Segment(amount, self.palette.ink("share--name")),
                    Segment(self._percent(row) if percent else "", quiet),
                ]
            ).adjust_cell_length(width)
        ]

    @property
    def _longest(self) -> int:
        return self._bars[0].amount if self._bars else 0

    def _name_cells(self, width: int) -> int:
        shown = self._bars[: len(self.source)]
        longest = max((cell_len(bar.label) for bar in shown), default=0)
        return min(longest, max(6, width * 2 // 5))

    def _percent(self, bar: Bar) -> str:
        part = 100 * bar.amount / max(1, self._total)
        return fit(f"{part:.0f} %" if part >= 1 else "< 1 %", PERCENT, "right")

    # Keys and mouse.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What leads nowhere cannot be opened, unless there is more to show."""
        return action != "open" or self._leads or isinstance(self.current, More)

    def action_open(self) -> None:
        """Ask for the sessions of the bar under the cursor, or show the bars that are left out."""
        if isinstance(self.current, More):
            place, self._is_unfolded = self.cursor, True
            self.show(self._folded())
            self.select(place)
        else:
            super().action_open()

    def action_aside(self, step: int) -> None:
        """Ask for the list beside this one."""
        self.post_message(self.AsideWanted(self, step))

    def on_resize(self) -> None:
        """As many bars as fit."""
        rows = self._folded()
        if len(rows) != len(self.source):
            self.show(rows)
        else:
            super().on_resize()
