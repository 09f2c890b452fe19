"""The first line of a place that is not the list of sessions: its name, and what is in it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget


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
