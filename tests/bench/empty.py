"""The yardstick for starting and for memory: a Textual application with one word on it."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

WORD = "nothing-here"


class Empty(App[None]):
    """Shows one word."""

    def compose(self) -> ComposeResult:
        """The word."""
        yield Static(WORD)


if __name__ == "__main__":
    Empty().run()
