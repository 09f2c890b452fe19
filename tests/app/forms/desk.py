"""A place to open a form over, which other keys belong to."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Static

NOTHING = object()
"""What stands for no result yet; None is one."""


class Desk(App[None]):
    """A text, the keys of which would be noticed, and what a form over it gave back."""

    # In a terminal of one cell a scroll bar would come and go for ever.
    CSS = "Screen { overflow: hidden; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        (key, f"note('{key}')", key) for key in ("q", "a", "x", "question_mark", "backspace", "m")
    ]

    def __init__(self) -> None:
        super().__init__()
        self.result: Any = NOTHING
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static("The place below")

    def action_note(self, key: str) -> None:
        """A key that a form should have kept."""
        self.heard.append(key)

    async def opens(self, form: ModalScreen[Any], pilot: Pilot[None]) -> None:
        """Open a form, and wait until it is there."""

        def keep(result: Any) -> None:
            self.result = result

        await self.push_screen(form, keep)
        await pilot.pause()

    @property
    def closed(self) -> bool:
        """Whether the form is gone."""
        return self.result is not NOTHING
