"""The tabs below the timeline: the event under the cursor, and facts about the session."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from ...storage.model.session import Session
from ...storage.model.timeline import Alive, Verdict
from ...widgets.base.tab_bar import TabBar
from ..feed.messages import CandidatesChanged, CasesChanged, InsightChanged
from ..feed.requests import Aspect

if TYPE_CHECKING:
    from ...storage.model.event_detail import EventDetail
    from ...storage.timeline.session_rows import Where
    from ...widgets.candidates.pane import CandidatePane
    from ...widgets.facts.pane import FactsPane
    from ...widgets.review.pane import ReviewPane
    from ...widgets.timeline.event_panel import EventPanel

    Pane = EventPanel | FactsPane | ReviewPane | CandidatePane

W = TypeVar("W", bound=Widget)

TABS = {
    "event": "Event",
    "memory": "Memory",
    "review": "Review",
    "candidates": "Candidates",
    "recovery": "Recovery",
}
ASPECTS: dict[str, Aspect] = {
    "event": "",
    "memory": "memory",
    "review": "review",
    "candidates": "candidates",
    "recovery": "recovery",
}
BROKEN = frozenset({"corrupt", "damaged", "unreadable"})
SMALL = 1 << 16
"""Maximum size of an event, in bytes, that is read as fast as its row is drawn."""

GONE = (OSError, IndexError, StopIteration)
"""Exceptions raised by reading while a file is being replaced."""

WAITING = "The session is being read from its beginning …"
NO_CASES = "No open cases in this session."
NO_CANDIDATES = "No memory candidates in this session yet.\nPress m on a message to propose it."


class Panes(Vertical):
    """Shows one of Event, Memory, Review, Candidates and Recovery.

    Each pane is created when it is first shown, to speed up the first list.
    """

    @dataclass
    class Turned(Message):
        """Posted when another tab is shown; `aspect` is the data that it needs."""

        aspect: Aspect

    @dataclass
    class Detailed(Message):
        """Posted when the event of a record has been read completely."""

        where: Where
        detail: EventDetail

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._event: EventPanel | None = None
        self._where: Where | None = None
        """The record whose event is shown or is being read."""
        self._facts: dict[str, FactsPane] = {}
        self._review: ReviewPane | None = None
        self._candidates: CandidatePane | None = None
        self._understood: dict[str, InsightChanged] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._bar = TabBar(TABS, id="tabs")
        self._switcher = ContentSwitcher()

    def compose(self) -> ComposeResult:
        """Yield the tab bar and the switcher for the panes."""
        yield from (self._bar, self._switcher)

    def on_mount(self) -> None:
        """Show the first tab after the first refresh."""
        self.call_after_refresh(self._show_first)

    def _show_first(self) -> None:
        if self._switcher.current is None and self._switcher.is_attached:
            self._show_pane(self.shown)

    @property
    def shown(self) -> str:
        """The name of the shown tab."""
        return self._bar.shown

    @property
    def event(self) -> EventPanel:
        """The pane of the event under the cursor."""
        if self._event is None:
            from ...widgets.timeline.event_panel import EventPanel

            self._event = self._added(EventPanel(id="event"))
        return self._event

    def show_record(self, where: Where, alive: Alive, is_new: bool) -> None:
        """Show the event of a record; `alive` means that results may still arrive.

        The file of a record that `is_new` was just read, so a small event is read at once and is
        drawn in the same frame as its row. Others are read in a thread.
        """
        self._where = where
        if not (is_new and self._show_at_once(where, alive)):
            self._read_detail(where, alive)

    def _show_at_once(self, where: Where, alive: Alive) -> bool:
        from ...storage.timeline.detail import detail_of, size_of

        with suppress(*GONE):
            if size_of(where.transcript, where.number) <= SMALL:
                self.event.show(detail_of(where.transcript, where.number, alive, where.late))
                return True
        return False

    @work(thread=True, group="detail", exit_on_error=False, description="detail")
    def _read_detail(self, where: Where, alive: Alive) -> None:
        from ...storage.timeline.detail import detail_of  # late, to speed up the first list

        try:
            detail = detail_of(where.transcript, where.number, alive, where.late)
        except GONE:
            return  # the feed reports the error or posts new rows
        self.post_message(self.Detailed(where, detail))

    @on(Detailed)
    def _detailed(self, event: Detailed) -> None:
        event.stop()
        if event.where is self._where:  # False if the cursor has moved on
            self.event.show(event.detail)

    def take_keys(self) -> None:
        """Focus the shown pane."""
        self._pane(self.shown).focus()

    def step_back(self) -> bool:
        """Cancel the current operation of the shown pane; return whether there was one."""
        pane = {"review": self._review, "candidates": self._candidates}.get(self.shown)
        return pane is not None and pane.step_back()

    def turn(self, step: int) -> None:
        """Show the next or previous tab; the focus stays in the panes if it was there."""
        self.show(self._bar.next(step))

    def show(self, name: str) -> None:
        """Show a tab; the focus stays in the panes if it was there."""
        had_keys = self.has_focus_within
        self._show_pane(name)
        self.post_message(self.Turned(ASPECTS[name]))
        if had_keys:
            self.take_keys()

    def understood(self, message: InsightChanged) -> None:
        """Show memory or recovery of the session."""
        self._understood["memory" if message.memory is not None else "recovery"] = message
        self._show_facts()

    def told_cases(self, message: CasesChanged, now: int) -> None:
        """Show the session's uncertain actions."""
        pane = self._review_pane()
        pane.show_cases(message.subject, message.cases, now, several=False, empty=NO_CASES)

    def told_candidates(self, message: CandidatesChanged, now: int) -> None:
        """Show the session's memory candidates."""
        pane, items = self._candidates_pane(), message.items
        pane.show_candidates(message.subject, items, now, several=False, empty=NO_CANDIDATES)

    def forget(self) -> None:
        """Clear the panes, because another session is shown."""
        self._understood.clear()
        for pane in self._facts.values():
            pane.show_facts(None, [])
        if self._review:
            self._review.show_cases(None, [], 0, several=False, empty=WAITING)
        if self._candidates:
            self._candidates.show_candidates(None, [], 0, several=False, empty=WAITING)

    def show_marks(self, session: Session | None) -> None:
        """Mark the tabs that contain open cases, candidates or damage."""
        uncertain = session.uncertain if session else 0
        candidates = session.candidates if session else 0
        broken = session is not None and session.integrity.state in BROKEN
        maybe = session.unknown if session else 0
        told = f"⚠{uncertain}" if uncertain else f"~{maybe}" if maybe else ""
        self._bar.mark("review", told)
        self._bar.mark("candidates", f"◆{candidates}" if candidates else "")
        self._bar.mark("recovery", "✗" if broken else "")
        verdicts = dict(session.verdicts) if session else {}
        if verdicts != self._verdicts:
            self._verdicts = verdicts
            self._show_facts()

    @on(TabBar.Chosen)
    def _chosen(self, event: TabBar.Chosen) -> None:
        event.stop()
        self.show(event.name)

    # Inside.

    def _show_pane(self, name: str) -> None:
        pane = self._pane(name)
        self._bar.show(name)
        if pane.is_attached:  # False while the screen is being removed
            self._switcher.current = name

    def _show_facts(self) -> None:
        from ...widgets.facts.memory import memory_facts
        from ...widgets.facts.recovery import recovery_facts

        for name, message in self._understood.items():
            facts = []
            if message.memory is not None:
                facts = memory_facts(message.memory, self._verdicts)
            elif message.recovery is not None:
                facts = recovery_facts(message.recovery, self._verdicts)
            self._facts_pane(name).show_facts(message.path, facts)

    def _pane(self, name: str) -> Pane:
        if name == "event":
            return self.event
        if name == "review":
            return self._review_pane()
        return self._candidates_pane() if name == "candidates" else self._facts_pane(name)

    def _facts_pane(self, name: str) -> FactsPane:
        if name not in self._facts:
            from ...widgets.facts.pane import FactsPane

            self._facts[name] = self._added(FactsPane(empty=WAITING, id=name))
        return self._facts[name]

    def _review_pane(self) -> ReviewPane:
        if self._review is None:
            from ...widgets.review.pane import ReviewPane

            self._review = self._added(ReviewPane(id="review"))
        return self._review

    def _candidates_pane(self) -> CandidatePane:
        if self._candidates is None:
            from ...widgets.candidates.pane import CandidatePane

            self._candidates = self._added(CandidatePane(id="candidates"))
        return self._candidates

    def _added(self, pane: W) -> W:
        pane.display = False
        self._switcher.mount(pane)
        return pane
