"""The places that lie over the list of sessions; each is made when one first goes there.

Each keeps what it shows, cursor and query included, while one is elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.screen import Screen

from ..feed.messages import (
    CandidatesChanged,
    CasesChanged,
    HitsChanged,
    SessionUseChanged,
    UsageChanged,
)

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
"""The place that each message of the feed is for, where it is about all sessions."""

PLACES = frozenset(TOLD.values())
"""The ids of their screens."""


def screen_of(place: str, feed: Feed, now: Callable[[], int], browse: BrowseScreen) -> Screen[None]:
    """The screen of a place over the list, which `browse` shows."""
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

    return UsageScreen(feed, lambda: browse.session, now)


def tell(screens: list[Screen[Any]], message: Message) -> None:
    """Have the place that a message is for show it, if it is one of these screens."""
    for screen in screens:
        if screen.id == TOLD[type(message)]:
            screen.told(message)  # type: ignore[attr-defined]
