"""What was used by the day, workspace, model or tool that the cursor stands on; also a legend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ...storage.model.usage import Totals
from ..base.palette import Palette
from ..base.strips import overlay
from ..words import amounts
from ..words.safe import fit
from .inks import INK_STYLES, INKS
from .words import Kind, Measure, amount_of, shown

SESSIONS: Measure = "sessions"

SIGN = "■"
"""Has the colour of the part of a bar that it stands for."""


class CardLine(NamedTuple):
    """One number: what it is, how much, and the colour of its sign."""

    name: str
    amount: str
    ink: str = ""


class UsageCard(Widget):
    """A line a number, or all on one line where there is no more."""

    COMPONENT_CLASSES: ClassVar[set[str]] = INKS | {"card--title", "card--amount"}
    DEFAULT_CSS = (
        """
    UsageCard {
        background: $background;
        color: $foreground;
        & > .card--title { color: $foreground; text-style: bold; }
        & > .card--amount { color: $foreground; }
    """
        + INK_STYLES
        + "}"
    )

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.palette = Palette(self)
        self._title = ""
        self._lines: list[CardLine] = []

    def show(self, title: str, totals: Totals, measure: Measure, kind: Kind | None = None) -> None:
        """Show totals under a title, which is safe text; `kind` is what they are a share of."""
        self._title = title
        self._lines = list(_lines(totals, measure, kind))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """A line of the card."""
        width = self.size.width
        if self.size.height == 1:
            strip = Strip(self._on_one_line(width))
        elif y == 0:
            strip = Strip([Segment(fit(self._title, width), self._ink("card--title"))])
        else:
            line = self._lines[y - 1] if y <= len(self._lines) else None
            strip = Strip(self._numbers(line, width) if line else [])
        return overlay(strip.adjust_cell_length(width), self.palette.paper())

    def notify_style_update(self) -> None:
        """Theme or style sheet changed."""
        super().notify_style_update()
        self.palette.clear()

    def _numbers(self, line: CardLine, width: int) -> list[Segment]:
        name = fit(line.name, width - 2 - cell_len(line.amount))
        return [
            Segment(f"{SIGN if line.ink else ' '} ", self._ink(line.ink or "usage--quiet")),
            Segment(name, self._ink("usage--quiet")),
            Segment(line.amount, self._ink("card--amount")),
        ]

    def _on_one_line(self, width: int) -> list[Segment]:
        """The title, and as many numbers as fit whole."""
        parts = [Segment(f" {self._title}", self._ink("card--title"))]
        room = width - cell_len(self._title) - 1
        for line in self._lines:
            text = f"{line.amount} {line.name}"
            room -= len(text) + 3 + (2 if line.ink else 0)
            if room < 0:
                break
            parts.append(Segment(" · ", self._ink("usage--quiet")))
            parts += [Segment(f"{SIGN} ", self._ink(line.ink))] if line.ink else []
            parts.append(Segment(text, self._ink("card--amount")))
        return parts

    def _ink(self, name: str) -> Style:
        return self.palette.ink(name)


def _lines(totals: Totals, measure: Measure, kind: Kind | None) -> Iterator[CardLine]:
    """The tokens by parts in the colours of the bars, then everything else that is told."""
    tokens = totals.tokens
    has_tokens, has_calls = kind != "tools", kind != "models"
    if measure == "tokens":
        yield CardLine("tokens", amounts.tokens(amount_of(totals, "tokens")))
        yield CardLine("output", amounts.tokens(tokens.output), "usage--output")
        yield CardLine("input", amounts.tokens(tokens.input), "usage--input")
        yield CardLine("cached", amounts.tokens(tokens.cached), "usage--cached")
    elif has_tokens:
        yield CardLine("tokens", amounts.tokens(amount_of(totals, "tokens")))
    counts: list[Measure] = ["calls"] if has_calls else []
    counts += ["edits"] if totals.edits or kind is None else []
    for name in (*counts, SESSIONS):
        ink = "usage--one" if name == measure else ""
        yield CardLine(name, shown(amount_of(totals, name)), ink)
    if has_tokens:
        yield CardLine("responses", shown(totals.responses))
