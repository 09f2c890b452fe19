"""A Textual app as a program of the terminal: how it reads keys, stops, comes back and crashes."""

from __future__ import annotations

from rich.console import RenderableType
from textual.app import App
from textual.events import Event
from textual.geometry import Size

from . import suspension
from .clipboard import COPIED, SENT, of_this_process
from .terminal import driver_class, leave_on_signals
from .typeahead import Typeahead

PALETTE = Size(24, 10)
"""The least that the palette can be shown in."""


class TerminalApp(App[bool]):
    """The base of the app. Its result is the app's own."""

    def __init__(self) -> None:
        super().__init__(driver_class=driver_class())
        self.typeahead = Typeahead(self)
        self.handed = COPIED
        """What became of the text that was copied last."""
        self._own_clipboard = of_this_process()

    def on_mount(self) -> None:
        """Hear of signals, in place of the driver."""
        leave_on_signals(self)
        suspension.attend(self)

    def on_unmount(self) -> None:
        """No key has an effect any more."""
        self.typeahead.end()

    async def on_event(self, event: Event) -> None:
        """Take an event, keys one after another."""
        if not self.typeahead.holds(event):
            await super().on_event(event)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text by whatever reaches the clipboard; `handed` tells what that was."""
        self._clipboard = text
        if self.is_headless:
            return
        if handed := self._own_clipboard.take(text):
            self.handed = handed
        else:
            super().copy_to_clipboard(text)
            self.handed = SENT

    def panic(self, *renderables: RenderableType) -> None:
        """End with an error, which is no success either."""
        self._return_code = 1
        super().panic(*renderables)

    def action_command_palette(self) -> None:
        """Show the palette where there is room for it."""
        if self.size.width >= PALETTE.width and self.size.height >= PALETTE.height:
            super().action_command_palette()

    def action_suspend(self) -> None:
        """Go into the background, back to the shell."""
        suspension.suspend(self)
