"""What one session used: totals, its course, and what models and tools had of it."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical

from ...storage.model.session import Session
from ...storage.model.usage import Course, SessionUse, UsageReport
from ..base.session_header import SessionHeader
from .course import CourseLine
from .headline import UsageHeadline
from .keys import SESSION
from .share_list import ShareList
from .words import Kind, Measure, amount_of, bars_of

MEASURED: dict[Kind, Measure] = {"models": "tokens", "tools": "calls"}
"""The lists, and what each shows."""

LOW = 16
"""Lines below which the course gives way to its least and the totals to one line."""


class SessionUsagePane(Vertical):
    """Is shown a session and what it used."""

    HELP = """\
## Usage of one session

The open session, or the one selected in the list, including its sub-agents.

- Time runs from left to right; `┊` marks a pause of any length
- `≤` is the highest column; the number at the end of the last line is the total
- `s` goes back to all sessions, `tab` switches between models and tools
- Tokens that only a trace next to the transcript reports are shown by the quarter hour
"""
    DEFAULT_CSS = """
    SessionUsagePane {
        height: 1fr;
        background: $background;
        & > SessionHeader { margin: 0 0 1 0; }
        & > #session-course { height: 1fr; border-top: solid $panel;
            border-title-color: $text-muted; padding: 1 0 0 0;
            & > CourseLine { height: 1fr; max-height: 17; }
        }
        & > #session-shares { height: 1fr; layout: horizontal; }
        & ShareList { width: 1fr; border-top: solid $panel; border-title-color: $text-muted;
            &:focus { border-top: solid $accent; border-title-color: $text-accent; }
        }
        &.-low {
            & > SessionHeader { margin: 0; height: 1; }
            & > UsageHeadline { height: 1; }
            & > #session-course { height: 4; padding: 0; }
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = SESSION

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._header = SessionHeader()
        self._headline = UsageHeadline()
        self._course = CourseLine()
        self._lists = {
            kind: ShareList(kind, leads=False, id=f"session-{kind}") for kind in MEASURED
        }
        self._part = self._lists["models"]
        self._path: Path | None = None

    def compose(self) -> ComposeResult:
        """The session, its totals, its course, the lists."""
        yield self._header
        yield self._headline
        course = Container(self._course, id="session-course")
        course.border_title = " tokens and calls over time "
        yield course
        yield Container(*self._lists.values(), id="session-shares")

    def show_session(self, session: Session, now: int) -> None:
        """Show which session it is, and how it is at a moment; of another one nothing is known."""
        self._header.show(session, now)
        if session.path != self._path:
            self._path = session.path
            self._forget()

    def show_use(self, use: SessionUse) -> None:
        """Show what it used as it is now."""
        self._headline.show_one(use.report)
        self._course.show(use.course)
        for shares in self._lists.values():
            self._show_shares(shares, use.report)

    def focus(self, scroll_visible: bool = True) -> Self:
        """Give the keys to the list that had them."""
        self._part.focus(scroll_visible)
        return self

    def action_part(self, step: int) -> None:
        """Give the keys to the other list."""
        parts = list(self._lists.values())
        self._part = parts[(parts.index(self._part) + step) % len(parts)]
        self._part.focus()

    @on(ShareList.AsideWanted)
    def _aside(self, event: ShareList.AsideWanted) -> None:
        event.stop()
        self.action_part(event.step)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The mouse, too, gives the keys to a list."""
        self._part = next(
            (part for part in self._lists.values() if part is event.widget), self._part
        )

    def on_resize(self, event: events.Resize) -> None:
        """Show as much as there is room for."""
        self.set_class(event.size.height < LOW, "-low")

    def _forget(self) -> None:
        self._headline.clear()
        self._course.show(Course(1))
        for kind, measure in MEASURED.items():
            self._lists[kind].show_bars([], measure, 0, empty="")

    def _show_shares(self, shares: ShareList, report: UsageReport) -> None:
        measure = MEASURED[shares.kind]
        bars = bars_of(report, shares.kind, measure)
        shares.border_title = f" {shares.kind} · {measure} "
        total = amount_of(report.totals, measure)
        shares.show_bars(bars, measure, total, empty=f"no {measure} by {shares.kind[:-1]}")
