"""One input of a form: its name, its length and limit, and the box."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from .line_input import LineInput, collapsed


class Field(Vertical):
    """A name above a `LineInput`; counts characters as they will be stored."""

    DEFAULT_CSS = """
    Field {
        height: 2;
        & > Horizontal { height: 1; }
        .field--name { width: 1fr; color: $text-accent; }
        .field--count { width: auto; color: $text-muted; }
    }
    """

    def __init__(
        self, name: str, value: str = "", *, most: int, placeholder: str = "", id: str
    ) -> None:
        super().__init__(id=id)
        self.label = name
        """The name of the field, also used in errors."""
        self.most = most
        """Maximum number of characters."""
        self.box = LineInput(value, placeholder=placeholder)
        self._count = Static(classes="field--count")

    def compose(self) -> ComposeResult:
        """Name and count, then the box."""
        with Horizontal():
            yield Static(self.label, classes="field--name", markup=False)
            yield self._count
        yield self.box

    def on_mount(self) -> None:
        """Count the initial text."""
        self._show_count()

    @property
    def text(self) -> str:
        """The input with white space collapsed."""
        return collapsed(self.box.value)

    @property
    def excess(self) -> str:
        """Why the text is too long; "" if it is not."""
        length = len(self.text)
        return f"Too long: {length:,} of {self.most:,} characters." if length > self.most else ""

    @on(Input.Changed)
    def _show_count(self) -> None:
        style = "bold $text-error" if self.excess else "$foreground-muted"
        self._count.update(Content.styled(f"{len(self.text):,} / {self.most:,}", style))
