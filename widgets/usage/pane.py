"""Usage: totals, days as columns, and what workspaces, models and tools had of it.

The lists stand side by side where there is room, one at a time where it is narrow; where it is
also low, the days or one list.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widgets import Static

from ...storage.model.usage import PERIODS, Reports, UsageReport
from ..base.tab_bar import TabBar
from ..base.widget_message import WidgetMessage
from .card import UsageCard
from .chart import UsageChart
from .days import Column
from .headline import UsageHeadline
from .keys import USAGE
from .share_list import ShareList
from .words import (
    KINDS,
    MEASURES,
    PERIOD_NAMES,
    Bar,
    Measure,
    amount_of,
    bars_of,
    measured,
    period_of,
    words_for,
    words_for_days,
)

NARROW, LOW = 100, 20
"""Cells and lines below which lists, or days and lists, are shown one at a time."""


class UsagePane(Vertical):
    """Is shown reports, and reports whose sessions the person wants to see."""

    HELP = """\
## Usage

Tokens, tool calls, file edits, and the number of sessions.

- Tokens are `cached` (read before), `input` (new to the model) and `output` (written by it)
- `m` changes the metric, `d` the period
- `tab` goes from the days to workspaces, models and tools; `left` and `right` change the day
- `s` shows the session that was open, or the one selected in the list
- `enter` shows the sessions of a day, or of a workspace, model or tool in the period
- Hidden sessions are left out, as in the list
- Sub-agents count towards their session; history that forks share is counted once
- Only agents that report tokens are counted; tokens can't be broken down by tool, or calls by model
"""
    DEFAULT_CSS = """
    UsagePane {
        height: 1fr;
        background: $background;
        & .usage-choice { height: 1; layout: horizontal; }
        & .usage-choice > Static { width: 10; padding: 0 1; color: $text-muted; }
        & .usage-choice > TabBar { width: 1fr; }
        & > #usage-measuring { margin: 1 0 0 0; }
        & > #usage-days { height: 3fr; layout: horizontal; border-top: solid $panel;
            border-title-color: $text-muted;
            &:focus-within { border-top: solid $accent; border-title-color: $text-accent; }
        }
        & UsageChart { width: 1fr; }
        & UsageCard { width: 22; padding: 1 1 0 1; }
        & > #usage-shares { height: 2fr; layout: horizontal; }
        & > #usage-nothing { display: none; padding: 2 3; color: $text-muted; }
        &.-empty > * { display: none; }
        &.-empty > #usage-nothing { display: block; }
        & ShareList { width: 1fr; border-top: solid $panel; border-title-color: $text-muted;
            &:focus { border-top: solid $accent; border-title-color: $text-accent; }
        }
        &.-narrow {
            & > #usage-days { layout: vertical; }
            & UsageChart { width: 100%; height: 1fr; }
            & UsageCard { width: 100%; height: 1; padding: 0; dock: bottom; }
            & ShareList { display: none; }
            & ShareList.-shown { display: block; }
        }
        &.-low {
            & > UsageHeadline { height: 1; }
            & > #usage-measuring, & .usage-choice > Static { display: none; }
            & > #usage-shares { display: none; height: 1fr; }
            & > #usage-days { height: 1fr; }
            &.-on-list > #usage-shares { display: block; }
            &.-on-list > #usage-days { display: none; }
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = USAGE

    @dataclass
    class SessionsWanted(WidgetMessage["UsagePane"]):
        """The person wants to see the sessions of a day, a workspace, a model or a tool."""

        words: str
        """The filter that finds them."""
        sessions: frozenset[Path]
        """Exactly those that the bar stands for."""

    @dataclass
    class Said(Message):
        """Something to tell the person, in a sentence."""

        sentence: str

    @dataclass
    class Shown(WidgetMessage["UsagePane"]):
        """The pane shows a period now, or shows it anew."""

        report: UsageReport
        period: str
        """As one says it within a sentence."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._measures = TabBar({name: name for name in MEASURES}, id="usage-measures")
        self._periods = TabBar({str(d): PERIOD_NAMES[d] for d in PERIODS}, id="usage-periods")
        self._headline = UsageHeadline()
        self._chart = UsageChart(id="usage-chart")
        self._card = UsageCard(id="usage-card")
        self._lists = {kind: ShareList(kind, id=f"usage-{kind}") for kind in KINDS}
        self._days = Container(self._chart, self._card, id="usage-days")
        self._nothing = Static(id="usage-nothing", markup=False)
        self._reports: Reports = {}
        self._measure: Measure = MEASURES[0]
        self._period = 30
        self._part: UsageChart | ShareList = self._chart

    def compose(self) -> ComposeResult:
        """What is looked at, the totals, the days, the lists."""
        yield _choice("period", self._periods)
        yield self._headline
        yield _choice("measure", self._measures, id="usage-measuring")
        yield self._days
        yield Container(*self._lists.values(), id="usage-shares")
        yield self._nothing

    def on_mount(self) -> None:
        """Begin with the days."""
        self._periods.show(str(self._period))
        self._turn_to(self._chart)

    def show_reports(self, reports: Reports, *, empty: str) -> None:
        """Show what was used as it is now; `empty` stands where nothing ever was."""
        self._reports = reports
        self._nothing.update(empty)
        has_any = 0 in reports and bool(reports[0].totals)
        self.set_class(not has_any, "-empty")
        if has_any:
            self._show()
            self.call_after_refresh(self._take_keys)

    def focus(self, scroll_visible: bool = True) -> Self:
        """Give the keys to the days, or to the list that had them."""
        self._part.focus(scroll_visible)
        return self

    # Keys and mouse.

    def action_measure(self, step: int) -> None:
        """Measure something else."""
        place = (MEASURES.index(self._measure) + step) % len(MEASURES)
        self._measure = MEASURES[place]
        self._show()

    def action_period(self, step: int) -> None:
        """Look at more days, or at fewer."""
        place = (PERIODS.index(self._period) + step) % len(PERIODS)
        self._period = PERIODS[place]
        self._show()

    def action_part(self, step: int) -> None:
        """Give the keys to the days or to one of the lists, in a circle."""
        parts = self._parts
        self._turn_to(parts[(parts.index(self._part) + step) % len(parts)])

    @on(TabBar.Chosen, "#usage-measures")
    def _measure_chosen(self, event: TabBar.Chosen) -> None:
        event.stop()
        self.action_measure(MEASURES.index(event.name) - MEASURES.index(self._measure))

    @on(TabBar.Chosen, "#usage-periods")
    def _period_chosen(self, event: TabBar.Chosen) -> None:
        event.stop()
        self.action_period(PERIODS.index(int(event.name)) - PERIODS.index(self._period))

    @on(UsageChart.Left)
    def _left(self, event: UsageChart.Left) -> None:
        event.stop()
        self._turn_to(self._shown_list)

    @on(ShareList.AsideWanted)
    def _aside(self, event: ShareList.AsideWanted) -> None:
        event.stop()
        place = KINDS.index(event.control.kind) + event.step
        self._turn_to(self._parts[(place + 1) % len(self._parts)])

    @on(UsageChart.Highlighted)
    def _day_highlighted(self, event: UsageChart.Highlighted) -> None:
        event.stop()
        self._show_card()

    @on(ShareList.Highlighted)
    def _share_highlighted(self, event: ShareList.Highlighted) -> None:
        event.stop()
        self._show_card()

    @on(UsageChart.Opened)
    def _day_opened(self, event: UsageChart.Opened) -> None:
        event.stop()
        column = event.column
        if not column.totals.sessions:
            self.post_message(self.Said(_no_sessions(column)))
            return
        words = words_for_days(column.first, column.last)
        self.post_message(self.SessionsWanted(self, words, column.totals.sessions))

    @on(ShareList.Opened)
    def _share_opened(self, event: ShareList.Opened) -> None:
        event.stop()
        bar, shares = event.row, event.control
        assert isinstance(bar, Bar)
        assert isinstance(shares, ShareList)
        since = self._reports[self._period].first if self._period else None
        words = words_for(shares.kind, bar.name, since)
        self.post_message(self.SessionsWanted(self, words, bar.totals.sessions))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The mouse, too, gives the keys to a part."""
        for part in self._parts:
            if part.id == event.widget.id:
                self._turn_to(part)

    def on_resize(self, event: events.Resize) -> None:
        """Show as much at once as there is room for."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.set_class(event.size.height < LOW, "-low")

    # Inside.

    def _take_keys(self) -> None:
        """What was not shown could not have the keys."""
        if self.is_attached and self.screen.focused is None:
            self.focus()

    @property
    def _parts(self) -> list[UsageChart | ShareList]:
        return [self._chart, *self._lists.values()]

    @property
    def _shown_list(self) -> ShareList:
        """The list that is shown where only one is."""
        return next(shares for shares in self._lists.values() if shares.has_class("-shown"))

    def _turn_to(self, part: UsageChart | ShareList) -> None:
        """Give the keys to a part, and show it."""
        self._part = part
        self.set_class(part is not self._chart, "-on-list")
        shown = part if isinstance(part, ShareList) else self._lists[KINDS[0]]
        for shares in self._lists.values():
            if part is not self._chart or not shares.has_class("-shown"):
                shares.set_class(shares is shown, "-shown")
        if not part.has_focus:
            part.focus()
        self._show_card()

    def _show(self) -> None:
        report = self._reports.get(self._period)
        if report is None:
            return
        self._measures.show(self._measure)
        self._periods.show(str(self._period))
        self._headline.show(report, self._measure)
        period = period_of(report, self._period)
        self.post_message(self.Shown(self, report, period))
        self._days.border_title = f" {self._measure} {period} "
        empty = f"Nothing {period}."
        self._chart.show(report, self._measure, empty=empty)
        for shares in self._lists.values():
            self._show_shares(shares, report)
        self._show_card()

    def _show_shares(self, shares: ShareList, report: UsageReport) -> None:
        measure = measured(shares.kind, self._measure)
        bars = bars_of(report, shares.kind, measure)
        total = amount_of(report.totals, measure)
        shares.border_title = f" {shares.kind} · {measure} · {PERIOD_NAMES[self._period]} "
        shares.show_bars(bars, measure, total, empty=f"no {measure} by {shares.kind[:-1]}")

    def _show_card(self) -> None:
        if isinstance(self._part, ShareList):
            if bar := self._part.bar:
                measure = measured(self._part.kind, self._measure)
                self._card.show(bar.label, bar.totals, measure, self._part.kind)
        elif column := self._chart.current:
            self._card.show(column.title, column.totals, self._measure)


def _no_sessions(column: Column) -> str:
    """That no session was at work on the days of a column."""
    return f"No sessions {'that day' if column.first == column.last else 'in that time'}"


def _choice(name: str, tabs: TabBar, id: str | None = None) -> Container:
    """Tabs behind the name of what they are a choice of."""
    return Container(Static(name), tabs, id=id, classes="usage-choice")
