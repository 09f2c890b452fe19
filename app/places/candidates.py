"""The screen with the memory candidates of all sessions."""

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
    """Shows the memory candidates of all sessions."""

    BINDINGS: ClassVar[list[BindingType]] = keys.PLACE

    def __init__(self, feed: Feed, now: Callable[[], int]) -> None:
        super().__init__("candidates", feed, now)
        self._pane = CandidatePane()

    def content(self) -> Iterable[Widget]:
        """Yield the pane of the candidates."""
        yield self._pane

    def on_mount(self) -> None:
        """Show that the candidates are being gathered."""
        self._pane.show_candidates("all", [], self._now(), several=True, empty=LOOKING)
        self._pane.focus()

    def told(self, message: CandidatesChanged) -> None:
        """Show the current candidates and their counts."""
        items = message.items
        self._pane.show_candidates("all", items, self._now(), several=True, empty=NOTHING)
        counts = [
            f"{number:,} {status}"
            for status in ("proposed", "approved", "rejected")
            if (number := sum(item.candidate.status == status for item in items))
        ]
        self._bar.show(counts if message.is_whole else [*counts, "looking for more …"])

    def step_back(self) -> bool:
        """Go back from a candidate to the list, or clear the marks; return whether it did."""
        return self._pane.step_back()
