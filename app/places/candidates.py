"""The memory candidates of all sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from ...widgets.base.key_bar import KeyBar
from ...widgets.candidates.pane import CandidatePane
from ..base import keys
from ..base.place_bar import PlaceBar
from ..feed.messages import CandidatesChanged

if TYPE_CHECKING:
    from ..feed.feed import Feed

LOOKING = "Looking for memory candidates …"
NOTHING = "No memory candidates yet.\nPress m on a message to propose one."


class CandidatesScreen(Screen[None]):
    """Memory candidates of all sessions."""

    BINDINGS: ClassVar[list[BindingType]] = keys.PLACE

    def __init__(self, feed: Feed, now: Callable[[], int]) -> None:
        super().__init__(id="candidates")
        self._feed = feed
        self._now = now
        self._bar = PlaceBar("candidates")
        self._pane = CandidatePane()

    def compose(self) -> ComposeResult:
        """The candidates below their counts."""
        yield self._bar
        yield self._pane
        yield KeyBar()

    def on_mount(self) -> None:
        """Show that there is something going on."""
        self._pane.show_candidates("all", [], self._now(), several=True, empty=LOOKING)
        self._pane.focus()

    def on_screen_resume(self) -> None:
        """Tell this from now on."""
        self._feed.look_at("candidates", "all")

    def told(self, message: CandidatesChanged) -> None:
        """Show the candidates as they are now."""
        items = message.items
        self._pane.show_candidates("all", items, self._now(), several=True, empty=NOTHING)
        counts = [
            f"{number:,} {status}"
            for status in ("proposed", "approved", "rejected")
            if (number := sum(item.candidate.status == status for item in items))
        ]
        self._bar.show(counts if message.is_whole else [*counts, "looking for more …"])

    def action_back(self) -> None:
        """One pane back, or back to the sessions."""
        if not self._pane.step_back():
            self.app.pop_screen()
