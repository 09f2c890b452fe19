"""A one-line input that never contains characters a terminal or list cannot handle."""

from __future__ import annotations

import re

from textual import events
from textual.widgets import Input

from ...widgets.words.safe import safe_text

PASTED = 20_000
"""Maximum characters pasted: many times what any form accepts."""

_BLANKS = re.compile(r"\s+")


def one_line_of(text: str) -> str:
    """Return foreign text safe for a box, with line ends and tabs turned into spaces."""
    return _BLANKS.sub(" ", safe_text(text[:PASTED]))


def collapsed(text: str) -> str:
    """Return the text with runs of white space collapsed and the ends stripped."""
    return " ".join(text.split())


class LineInput(Input):
    """A one-line `Input` that accepts all lines of a paste, made safe."""

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
        """Insert all lines of the paste; `Input` itself takes the first one, unchecked."""
        event.prevent_default().stop()
        self.replace(one_line_of(event.text), *self.selection)

    def action_paste(self) -> None:
        """Insert what was copied within the program."""
        self.replace(one_line_of(self.app.clipboard), *self.selection)
