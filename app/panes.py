"""What stands below the timeline: the event under the cursor, or what the session comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import ContentSwitcher

from ..storage.session import Session
from ..storage.timeline import Verdict
from ..widgets.event_panel import EventPanel
from ..widgets.facts_pane import FactsPane
from ..widgets.memory_facts import memory_facts
from ..widgets.recovery_facts import recovery_facts
from ..widgets.tab_bar import TabBar
from .messages import CandidatesTold, CasesTold, Understood
from .understanding import Aspect

if TYPE_CHECKING:
    from ..widgets.candidate_pane import CandidatePane
    from ..widgets.review_pane import ReviewPane

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
WAITING = "The session is being read from its beginning …"
NO_CASES = "Nothing is uncertain here: every call has its result."
NO_CANDIDATES = "Nothing of this session is to be remembered yet.\nm on a message proposes it."


class Panes(Vertical):
    """Event, Memory, Review, Candidates and Recovery, one at a time.

    Those that only a few sessions need are made when they are first looked at.
    """

    @dataclass
    class Turned(Message):
        """Another tab is shown; `aspect` is what of the session it needs to know."""

        aspect: Aspect

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.event = EventPanel(id="event")
        self._memory = FactsPane(empty=WAITING, id="memory")
        self._recovery = FactsPane(empty=WAITING, id="recovery")
        self._review: ReviewPane | None = None
        self._candidates: CandidatePane | None = None
        self._understood: dict[str, Understood] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._bar = TabBar(TABS, id="tabs")
        self._switcher = ContentSwitcher(initial="event")

    def compose(self) -> ComposeResult:
        """The tabs, and what is shown of them."""
        yield self._bar
        with self._switcher:
            yield from (self.event, self._memory, self._recovery)

    @property
    def shown(self) -> str:
        """The tab that is shown."""
        return self._bar.shown

    def take_keys(self) -> None:
        """Give the keys to what is shown."""
        self._pane(self.shown).focus()

    def step_back(self) -> bool:
        """End what was begun in the pane that is shown; whether there was anything."""
        pane = self._pane(self.shown)
        return not isinstance(pane, EventPanel | FactsPane) and pane.step_back()

    def turn(self, step: int) -> None:
        """Show the next tab, or the one before; the keys stay with the panes if they were."""
        self.show(self._bar.next(step))

    def understood(self, message: Understood) -> None:
        """Show what the session comes to."""
        if message.memory is not None:
            self._understood["memory"] = message
        if message.recovery is not None:
            self._understood["recovery"] = message
        self._show_facts()

    def _show_facts(self) -> None:
        for message in self._understood.values():
            if message.memory is not None:
                facts = memory_facts(message.memory, self._verdicts)
                self._memory.show_facts(message.path, facts)
            if message.recovery is not None:
                facts = recovery_facts(message.recovery, self._verdicts)
                self._recovery.show_facts(message.path, facts)

    def told_cases(self, message: CasesTold, now: int) -> None:
        """Show the session's uncertain actions."""
        pane = self._review_pane()
        pane.show_cases(message.subject, message.cases, now, several=False, empty=NO_CASES)

    def told_candidates(self, message: CandidatesTold, now: int) -> None:
        """Show the session's memory candidates."""
        pane, items = self._candidates_pane(), message.items
        pane.show_candidates(message.subject, items, now, several=False, empty=NO_CANDIDATES)

    def forget(self) -> None:
        """Another session is shown: what was known is of the one before."""
        self._understood.clear()
        for pane in (self._memory, self._recovery):
            pane.show_facts(None, [])
        if self._review:
            self._review.show_cases(None, [], 0, several=False, empty=WAITING)
        if self._candidates:
            self._candidates.show_candidates(None, [], 0, several=False, empty=WAITING)

    def show_marks(self, session: Session | None) -> None:
        """Say behind the tabs' names what a person would look for in them."""
        uncertain = session.uncertain if session else 0
        candidates = session.candidates if session else 0
        broken = session is not None and session.integrity.state in BROKEN
        self._bar.mark("review", f"⚠{uncertain}" if uncertain else "")
        self._bar.mark("candidates", f"◆{candidates}" if candidates else "")
        self._bar.mark("recovery", "✗" if broken else "")
        verdicts = dict(session.verdicts) if session else {}
        if verdicts != self._verdicts:
            self._verdicts = verdicts
            self._show_facts()

    def show(self, name: str) -> None:
        """Show a tab; the keys stay with the panes if they were."""
        had_keys = self.has_focus_within
        self._pane(name)
        self._bar.show(name)
        self._switcher.current = name
        self.post_message(self.Turned(ASPECTS[name]))
        if had_keys:
            self.take_keys()

    @on(TabBar.Chosen)
    def _chosen(self, event: TabBar.Chosen) -> None:
        event.stop()
        self.show(event.name)

    def _pane(self, name: str) -> EventPanel | FactsPane | ReviewPane | CandidatePane:
        if name == "review":
            return self._review_pane()
        if name == "candidates":
            return self._candidates_pane()
        return {"memory": self._memory, "recovery": self._recovery}.get(name, self.event)

    def _review_pane(self) -> ReviewPane:
        if self._review is None:
            from ..widgets.review_pane import ReviewPane

            self._review = ReviewPane(id="review")
            self._review.display = False
            self._switcher.mount(self._review)
        return self._review

    def _candidates_pane(self) -> CandidatePane:
        if self._candidates is None:
            from ..widgets.candidate_pane import CandidatePane

            self._candidates = CandidatePane(id="candidates")
            self._candidates.display = False
            self._switcher.mount(self._candidates)
        return self._candidates
