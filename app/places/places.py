"""Navigation between the main screen and the other places.

A place is created when it is first visited, and keeps its state, such as cursor and query,
afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.message import Message

from ..feed.messages import (
    CandidatesChanged,
    CasesChanged,
    HitsChanged,
    SessionUseChanged,
    UsageChanged,
)
from .place_screen import PlaceScreen

if TYPE_CHECKING:
    from ..browse.screen import BrowseScreen
    from ..feed.feed import Feed

TOLD: dict[type[Message], str] = {
    CasesChanged: "review",
    CandidatesChanged: "candidates",
    HitsChanged: "search",
    UsageChanged: "usage",
    SessionUseChanged: "usage",
}
"""The place that each message of the feed is for, if its subject is all sessions."""

PLACES = frozenset(TOLD.values())
"""The ids of the places' screens."""


def screen_of(place: str, feed: Feed, now: Callable[[], int], browse: BrowseScreen) -> PlaceScreen:
    """Create the screen of a place; `browse` is the main screen."""
    if place == "review":
        from .review import ReviewScreen

        return ReviewScreen(feed, now)
    if place == "candidates":
        from .candidates import CandidatesScreen

        return CandidatesScreen(feed, now)
    if place == "search":
        from .search import SearchScreen

        return SearchScreen(feed, now, lambda: browse.has_class("-nothing"))
    from .usage import UsageScreen

    return UsageScreen(feed, now, lambda: browse.session)


class Navigation:
    """Switch between places, and pass messages of the feed to them."""

    def __init__(
        self, app: App[Any], browse: BrowseScreen, feed: Feed, now: Callable[[], int]
    ) -> None:
        self._app = app
        self._browse = browse
        self._feed = feed
        self._now = now

    @property
    def place(self) -> str:
        """The current place, or "browse" for the main screen; dialogs do not count."""
        names = (screen.id for screen in self._app.screen_stack[::-1])
        return next((name for name in names if name in PLACES), "browse")

    def go(self, place: str) -> None:
        """Show a place in its last state."""
        app = self._app
        app.clear_notifications()  # they are about the previous place
        if app.screen is not self._browse and len(app.screen_stack) > 1:
            app.pop_screen()
        if place == "browse":
            return
        if not app.is_screen_installed(place):
            app.install_screen(screen_of(place, self._feed, self._now, self._browse), place)
        app.push_screen(place)

    def show_source(self, path: Path, offset: int) -> None:
        """Show the event of the record at an offset of a transcript in the main screen."""
        came_from = self.place if self.place != "browse" else ""
        self.go("browse")
        self._browse.show_event(path, self._browse.parts.address(path, offset), came_from)

    def show_sessions(self, words: str) -> None:
        """Show the sessions that match a filter in the main screen."""
        came_from = self.place
        self.go("browse")
        self._browse.filter_by(words, came_from)

    def tell(self, message: Message) -> None:
        """Pass a message to its place if that is open."""
        for screen in self._app.screen_stack:
            if isinstance(screen, PlaceScreen) and screen.id == TOLD[type(message)]:
                screen.told(message)
