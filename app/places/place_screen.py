"""What the places over the list of sessions share: the first line, and how one comes and goes."""

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
    """Name and counts; all of it is the program's own text."""

    DEFAULT_CSS = """
    PlaceBar { height: 1; padding: 0 1; background: $panel; color: $foreground; }
    """

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place
        self._counts: tuple[str, ...] = ()

    def show(self, counts: Sequence[str]) -> None:
        """Show what is in the place, the first count being what is to be done."""
        self._counts = tuple(counts)
        self.refresh()

    def render(self) -> Content:
        """The name, then the counts."""
        parts: list[tuple[str, str]] = [(f"{self._place}  ", "bold $text-accent")]
        for number, text in enumerate(self._counts):
            style = "$foreground-muted" if number else "bold $text-warning"
            parts += [(" · " if number else "", "$foreground-muted"), (text, style)]
        return Content.assemble(*parts)


class PlaceScreen(Screen[None]):
    """A place: its name and counts, its content, the keys; `feed` reports on it while it is shown.

    A subclass names its keys itself, `keys.PLACE` last: inherited ones would come first.
    `now` returns the milliseconds since 1970.
    """

    def __init__(self, place: Aspect, feed: Feed, now: Callable[[], int]) -> None:
        super().__init__(id=place)
        self._place = place
        self._feed = feed
        self._now = now
        self._bar = PlaceBar(place)

    @abstractmethod
    def content(self) -> Iterable[Widget]:
        """What stands between the first line and the keys."""

    @abstractmethod
    def told(self, message: Any) -> None:
        """Show what the feed says of the place."""

    def look(self) -> None:
        """Ask the feed for what is shown; it reports every change from then on."""
        self._feed.look_at(self._place, "all")

    def step_back(self) -> bool:
        """Cancel what was begun here; False where there is nothing to cancel."""
        return False

    def compose(self) -> ComposeResult:
        """The content between its counts and its keys."""
        yield self._bar
        yield from self.content()
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Another place was looked at meanwhile."""
        self.look()

    def action_back(self) -> None:
        """One step back, or back to the sessions."""
        if not self.step_back():
            self.app.pop_screen()
