"""Asks for a session's title, or restores the agent's."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Input, Static

from ...widgets.words.safe import one_line
from .dialog import CANCEL, HEIGHTS, WIDTHS, Bottom, Dialog, FormScreen
from .field import Field

TITLE_MOST = 200
"""Maximum characters of a title."""

EMPTY = "leave empty to restore the agent's title"


class TitleForm(FormScreen[str | None]):
    """Asks for a title; returns "" to restore the agent's, None if cancelled."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    TitleForm {
        align: center middle;
        background: $background 60%;
        .title--agents { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = CANCEL

    def __init__(self, title: str, agents: str) -> None:
        super().__init__()
        self._field = Field("title", title, most=TITLE_MOST, placeholder=EMPTY, id="title")
        self._agents = agents
        self._bottom = Bottom("Save")

    def compose(self) -> ComposeResult:
        """The title, and the agent's own."""
        with Dialog(title="Title of the session", hint="enter: save · escape: cancel"):
            yield self._field
            yield Static(_agents(self._agents), classes="title--agents")
            yield self._bottom

    def on_mount(self) -> None:
        """Focus the box."""
        self.set_focus(self._field.box)

    @on(Input.Changed)
    def _changed(self) -> None:
        self._bottom.say("")

    @on(Input.Submitted)
    @on(Button.Pressed, "#done")
    def _keep(self) -> None:
        if sentence := self._field.excess:
            self._bottom.say(sentence)
            self.set_focus(self._field.box)
        else:
            self.end(self._field.text)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Leave the title unchanged."""
        self.end(None)


def _agents(title: str) -> Content:
    name = one_line(title)
    if not name:
        return Content.styled("the agent gave it no title", "$foreground-muted")
    return Content.assemble(("the agent calls it ", "$foreground-muted"), (name, "$foreground"))
