"""The memory candidates of all sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from ...widgets.candidates.pane import CandidatePane
from ..base import keys
from ..feed.messages import CandidatesChanged
from .place_screen import PlaceScreen

if TYPE_CHECKING:
    from ..feed.feed import Feed

LOOKING = "Looking for memory candidates …"
NOTHING = "No memory candidates yet.\nPress m on a message to propose one."


class CandidatesScreen(PlaceScreen):
    """Memory candidates of all sessions."""

    BINDINGS: ClassVar[list[BindingType]] = keys.PLACE

    def __init__(self, feed: Feed, now: Callable[[], int]) -> None:
        super().__init__("candidates", feed, now)
        self._pane = CandidatePane()

    def content(self) -> Iterable[Widget]:
        """The candidates."""
        yield self._pane

    def on_mount(self) -> None:
        """Show that there is something going on."""
        self._pane.show_candidates("all", [], self._now(), several=True, empty=LOOKING)
        self._pane.focus()

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

    def step_back(self) -> bool:
        """From the candidate to the list, or away from marks."""
        return self._pane.step_back()
