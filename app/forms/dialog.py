"""What all forms share: the frame, the line for an error, and the two buttons."""

from __future__ import annotations

from typing import TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button, Static

from ...widgets.words.safe import safe
from ..base.overlay import Overlay

WIDTHS = [(0, "-small"), (50, "-narrow"), (110, "-wide")]
HEIGHTS = [(0, "-low"), (18, "-high")]
"""Minimum sizes in cells for each layout of a form."""

CANCEL: list[BindingType] = [
    Binding("escape", "cancel", "Cancel", tooltip="Leave all as it is", id="forms.cancel"),
]


R = TypeVar("R")


class FormScreen(Overlay[R]):
    """A form that returns its result once, even if two keys arrive before it closes."""

    _has_ended = False

    def end(self, result: R) -> None:
        """Return the result, unless that was done or another screen has the focus."""
        if self.is_current and not self._has_ended:
            self._has_ended = True
            self.dismiss(result)


class Dialog(Vertical):
    """The frame of a form, centered; fills the screen if there is little room."""

    SCOPED_CSS = False  # its rules also depend on classes of the screen
    DEFAULT_CSS = """
    Dialog {
        width: 90%;
        max-width: 76;
        height: auto;
        max-height: 100%;
        padding: 0 1;
        background: $surface;
        border: round $accent;
        border-title-color: $text-accent;
        border-title-style: bold;
        border-subtitle-color: $text-muted;
    }
    .-small Dialog { width: 100%; }
    .-small .bottom--aside { display: none; }
    """

    def __init__(self, *children: Widget, title: str, hint: str) -> None:
        super().__init__(*children)
        self.border_title = title
        self.border_subtitle = hint


class Bottom(Vertical):
    """The bottom of a form: the current error, and the buttons."""

    DEFAULT_CSS = """
    Bottom {
        height: 2;
        & > .bottom--refusal {
            height: 1;
            color: $text-error;
            text-wrap: nowrap;
            text-overflow: ellipsis;
        }
        & > Horizontal { height: 1; align-horizontal: right; }
        .bottom--aside { width: 1fr; color: $text-muted; }
        Button { margin: 0 0 0 1; min-width: 10; }
    }
    """

    def __init__(self, done: str, *, aside: str = "") -> None:
        super().__init__()
        self._aside = Static(aside, classes="bottom--aside", markup=False)
        self._refusal = Static(classes="bottom--refusal")
        self._done = Button(done, variant="primary", id="done", compact=True)
        self._cancel = Button("Cancel", id="cancel", compact=True)

    def compose(self) -> ComposeResult:
        """The error, above the buttons."""
        yield self._refusal
        with Horizontal():
            yield self._aside
            yield self._done
            yield self._cancel

    def say(self, sentence: str) -> None:
        """Show an error; "" clears it."""
        self._refusal.update(safe(sentence, 400), layout=False)
