"""The screen with the cases of all sessions, newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from ...widgets.review.pane import ReviewPane
from ..base import keys
from ..feed.messages import CasesChanged
from .place_screen import PlaceScreen

if TYPE_CHECKING:
    from ..feed.feed import Feed

LOOKING = "Looking for uncertain actions …"
NOTHING = "No open cases. Every tool call has a result or your verdict."


class ReviewScreen(PlaceScreen):
    """Shows the uncertain actions of all sessions."""

    BINDINGS: ClassVar[list[BindingType]] = keys.PLACE

    def __init__(self, feed: Feed, now: Callable[[], int]) -> None:
        super().__init__("review", feed, now)
        self._pane = ReviewPane()

    def content(self) -> Iterable[Widget]:
        """Yield the pane of the cases."""
        yield self._pane

    def on_mount(self) -> None:
        """Show that the cases are being gathered."""
        self._pane.show_cases("all", [], self._now(), several=True, empty=LOOKING)
        self._pane.focus()

    def told(self, message: CasesChanged) -> None:
        """Show the current cases and their counts."""
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

    def step_back(self) -> bool:
        """Leave a note, question or case, or clear the marks; return whether it did."""
        return self._pane.step_back()
