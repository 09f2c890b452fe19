"""The review of all sessions: what a crash left open, newest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from ...widgets.base.key_bar import KeyBar
from ...widgets.review.pane import ReviewPane
from ..base import keys
from ..base.place_bar import PlaceBar
from ..feed.messages import CasesChanged

if TYPE_CHECKING:
    from ..feed.feed import Feed

LOOKING = "Looking for uncertain actions …"
NOTHING = "No open cases. Every tool call has a result or your verdict."


class ReviewScreen(Screen[None]):
    """Uncertain actions of all sessions."""

    BINDINGS: ClassVar[list[BindingType]] = keys.PLACE

    def __init__(self, feed: Feed, now: Callable[[], int]) -> None:
        super().__init__(id="review")
        self._feed = feed
        self._now = now
        self._bar = PlaceBar("review")
        self._pane = ReviewPane()

    def compose(self) -> ComposeResult:
        """The cases below their counts."""
        yield self._bar
        yield self._pane
        yield KeyBar()

    def on_mount(self) -> None:
        """Show that there is something going on."""
        self._pane.show_cases("all", [], self._now(), several=True, empty=LOOKING)
        self._pane.focus()

    def on_screen_resume(self) -> None:
        """Tell this from now on."""
        self._feed.look_at("review", "all")

    def told(self, message: CasesChanged) -> None:
        """Show the cases as they are now."""
        cases = message.cases
        self._pane.show_cases("all", cases, self._now(), several=True, empty=NOTHING)
        waiting = [case for case in cases if case.is_open]
        maybe = sum(case.action.state == "unknown" for case in waiting)
        older = sum(case.is_older and case.action.state != "unknown" for case in waiting)
        pressing, decided = len(waiting) - older - maybe, len(cases) - len(waiting)
        done = "nothing new" if older or maybe else "all settled"
        counts = [f"{pressing:,} to decide" if pressing else done]
        counts += [f"{maybe:,} maybe crashed"] if maybe else []
        counts += [f"{older:,} low priority"] if older else []
        counts += [f"{decided:,} decided"] if decided else []
        self._bar.show(counts if message.is_whole else [*counts, "looking for more …"])

    def action_back(self) -> None:
        """End what was begun, or go back to the sessions."""
        if not self._pane.step_back():
            self.app.pop_screen()
