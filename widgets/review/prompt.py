"""The line below the cases: a question, something to know, or a box for a note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from ..base.widget_message import WidgetMessage
from . import keys as review_keys

NOTE = 1_000
"""Characters that a note may have."""

PADDING = 4
"""Cells around the words and behind the box, that of its cursor too."""


class ReviewPrompt(Horizontal):
    """One line, there only while it has something to say or to ask."""

    DEFAULT_CSS = """
    ReviewPrompt {
        dock: bottom;
        height: 1;
        background: $panel;
        & > Static { width: 1fr; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
        & > Input { width: 1fr; padding: 0 1 0 0; }
        & > Input, & > Input:focus { background: $panel; }
        &.-note > Static { width: auto; max-width: 50%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = review_keys.PROMPT

    @dataclass
    class Given(WidgetMessage["ReviewPrompt"]):
        """The person has written a note, or none, and goes on."""

        note: str

    class Dropped(WidgetMessage["ReviewPrompt"]):
        """The person does not go on."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.display = False
        self._words = Static(id="review-words")
        self._box = Input(id="review-note", max_length=NOTE, compact=True)

    def compose(self) -> ComposeResult:
        """The words, and the box."""
        yield from (self._words, self._box)

    @property
    def takes_note(self) -> bool:
        """Whether the box for the note is there."""
        return self.display and self._box.display

    def say(self, words: Content) -> None:
        """Ask or tell something that any key answers."""
        self._open(words, takes_note=False)

    def take_note(self, words: Content, placeholder: str) -> None:
        """Ask for a note, behind some words."""
        self._open(words, takes_note=True)
        self._box.value, self._box.placeholder = "", placeholder
        # At once: what is typed next belongs into the box.
        self.screen.set_focus(self._box)

    def close(self) -> None:
        """Have nothing more to say."""
        self.display = False

    def action_drop(self) -> None:
        """Leave it."""
        self.post_message(self.Dropped(self))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.takes_note:
            self.post_message(self.Given(self, event.value.strip()))

    def _open(self, words: Content, *, takes_note: bool) -> None:
        self._words.update(words)
        self.set_class(takes_note, "-note")
        self._box.display = takes_note
        self.display = True
