"""The base of the screens over the main one: the bar at the top, and going back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from ...widgets.base.key_bar import KeyBar

if TYPE_CHECKING:
    from ..feed.feed import Feed
    from ..feed.requests import Aspect


class PlaceBar(Widget):
    """Shows the name and counts of a place; all of it is the program's own text."""

    DEFAULT_CSS = """
    PlaceBar { height: 1; padding: 0 1; background: $panel; color: $foreground; }
    """

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place
        self._counts: tuple[str, ...] = ()

    def show(self, counts: Sequence[str]) -> None:
        """Show counts; the first, of what is left to do, is highlighted."""
        self._counts = tuple(counts)
        self.refresh()

    def render(self) -> Content:
        """Return the name and the counts."""
        parts: list[tuple[str, str]] = [(f"{self._place}  ", "bold $text-accent")]
        for number, text in enumerate(self._counts):
            style = "$foreground-muted" if number else "bold $text-warning"
            parts += [(" · " if number else "", "$foreground-muted"), (text, style)]
        return Content.assemble(*parts)


class PlaceScreen(Screen[None]):
    """A place with its bar, its content and the key bar; `feed` posts its data while it is shown.

    A subclass defines its own BINDINGS, with `keys.PLACE` last, because inherited bindings would
    come first. `now` returns milliseconds since the Unix epoch.
    """

    def __init__(self, place: Aspect, feed: Feed, now: Callable[[], int]) -> None:
        super().__init__(id=place)
        self._place = place
        self._feed = feed
        self._now = now
        self._bar = PlaceBar(place)

    @abstractmethod
    def content(self) -> Iterable[Widget]:
        """Return the widgets between the bar and the key bar."""

    @abstractmethod
    def told(self, message: Any) -> None:
        """Show a message of the feed for this place."""

    def look(self) -> None:
        """Request the place's data from the feed, which posts every change from then on."""
        self._feed.look_at(self._place, "all")

    def step_back(self) -> bool:
        """Cancel the current operation; return whether there was one."""
        return False

    def compose(self) -> ComposeResult:
        """Yield the bar, the content and the key bar."""
        yield self._bar
        yield from self.content()
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Request the data again, as another place has replaced the request."""
        self.look()

    def action_back(self) -> None:
        """Cancel the current operation, or go back to the main screen."""
        if not self.step_back():
            self.app.pop_screen()
