"""A box for one line, into which nothing comes that a terminal or a list would stumble over."""

from __future__ import annotations

import re

from textual import events
from textual.widgets import Input

from ...widgets.words.safe import safe_text

PASTED = 20_000
"""Characters of a text that are pasted: many times what any form takes."""

_BLANKS = re.compile(r"\s+")


def one_line_of(text: str) -> str:
    """Foreign text as it may stand in a box: safe, its line ends and tabs turned into blanks."""
    return _BLANKS.sub(" ", safe_text(text[:PASTED]))


def collapsed(text: str) -> str:
    """White space narrowed to single blanks, and none at the ends."""
    return " ".join(text.split())


class LineInput(Input):
    """An `Input` of one line that takes a paste of several whole, and safely."""

    DEFAULT_CSS = """
    LineInput {
        background: $panel;
        &.-textual-compact { padding: 0 1; }
        &:focus { background: $primary 30%; background-tint: $foreground 0%; }
    }
    """

    def __init__(self, value: str, *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(
            one_line_of(value).strip(),
            placeholder,
            select_on_focus=False,
            compact=True,
            id=id,
        )

    def on_paste(self, event: events.Paste) -> None:
        """Take all lines of it; an `Input` takes the first as it is."""
        event.prevent_default().stop()
        self.replace(one_line_of(event.text), *self.selection)

    def action_paste(self) -> None:
        """Take what was copied in the program."""
        self.replace(one_line_of(self.app.clipboard), *self.selection)
