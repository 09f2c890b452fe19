"""The totals of a period or a session: below their names where there is room, else on one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual.content import Content
from textual.widget import Widget

from ...storage.model.usage import UsageReport
from ..words import amounts
from .words import Measure, shown

LEAST = 9
"""Cells from one number to the next at least."""

GAP = 3
"""Cells between two numbers on one line."""


class Number(NamedTuple):
    """A number and what it counts."""

    amount: str
    name: str
    is_measured: bool


class UsageHeadline(Widget):
    """Names above their numbers; all of it is the program's own text."""

    DEFAULT_CSS = """
    UsageHeadline { height: 2; padding: 0 1; background: $background; color: $foreground; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._numbers: list[Number] = []

    def show(self, report: UsageReport, measure: Measure) -> None:
        """Show the totals of a period."""
        sessions = shown(len(report.totals.sessions))
        first = Number(sessions, "sessions", measure == "sessions")
        self._numbers = [first, *_numbers(report, measure)]
        self.refresh()

    def show_one(self, report: UsageReport) -> None:
        """Show the totals of one session."""
        responses = Number(shown(report.totals.responses), "responses", False)
        self._numbers = [*_numbers(report, None), responses]
        self.refresh()

    def clear(self) -> None:
        """Show nothing."""
        self._numbers = []
        self.refresh()

    def render(self) -> Content:
        """Two lines of columns, or one line."""
        width, height = self.content_size
        return self._in_columns(width) if height > 1 else self._on_one_line(width)

    def _in_columns(self, width: int) -> Content:
        numbers, cells = self._numbers, 0
        while numbers:
            cells = min(14, width // len(numbers))
            if cells >= LEAST:
                break
            numbers = numbers[:-1]
        above = [(number.name.ljust(cells), "$foreground-muted") for number in numbers]
        below = [(number.amount.ljust(cells), _style(number)) for number in numbers]
        return Content.assemble(*above, ("\n", ""), *below)

    def _on_one_line(self, width: int) -> Content:
        parts: list[tuple[str, str]] = []
        for number in self._numbers:
            size = len(number.amount) + 1 + len(number.name) + (GAP if parts else 0)
            if size > width:
                break
            width -= size
            parts.append((" " * GAP if parts else "", ""))
            parts += [(number.amount, _style(number)), (f" {number.name}", "$foreground-muted")]
        return Content.assemble(*parts)


def _style(number: Number) -> str:
    return "bold $text-accent" if number.is_measured else "bold $foreground"


def _numbers(report: UsageReport, measure: Measure | None) -> Iterator[Number]:
    """What matters most first: where there is little room, the last ones are left out."""
    totals, tokens = report.totals, report.totals.tokens
    whole = tokens.input + tokens.cached + tokens.output
    yield Number(amounts.tokens(whole), "tokens", measure == "tokens")
    yield Number(shown(totals.calls), "calls", measure == "calls")
    yield Number(shown(totals.edits), "edits", measure == "edits")
    yield Number(shown(report.files), "files", False)
    yield Number(amounts.tokens(tokens.input), "input", False)
    yield Number(amounts.tokens(tokens.cached), "cached", False)
    yield Number(amounts.tokens(tokens.output), "output", False)
