"""A Textual app as a well-behaved terminal program: input, suspending, copying, crashes."""

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
"""Minimum size for the command palette."""


class TerminalApp(App[bool]):
    """The base class of the app."""

    def __init__(self) -> None:
        super().__init__(driver_class=driver_class())
        self.typeahead = Typeahead(self)
        self.handed = COPIED
        """How the last text was copied."""
        self._own_clipboard = of_this_process()

    def on_mount(self) -> None:
        """Handle signals in place of the driver."""
        leave_on_signals(self)
        suspension.attend(self)

    def on_unmount(self) -> None:
        """Stop delivering keys."""
        self.typeahead.end()

    async def on_event(self, event: Event) -> None:
        """Handle an event; keys are delivered one at a time."""
        if not self.typeahead.holds(event):
            await super().on_event(event)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text in the first way that works; sets `handed`."""
        self._clipboard = text
        if self.is_headless:
            return
        if handed := self._own_clipboard.take(text):
            self.handed = handed
        else:
            super().copy_to_clipboard(text)
            self.handed = SENT

    def panic(self, *renderables: RenderableType) -> None:
        """End with an error, and with a nonzero exit code."""
        self._return_code = 1
        super().panic(*renderables)

    def action_command_palette(self) -> None:
        """Show the palette if there is room for it."""
        if self.size.width >= PALETTE.width and self.size.height >= PALETTE.height:
            super().action_command_palette()

    def action_suspend(self) -> None:
        """Suspend the program and return to the shell."""
        suspension.suspend(self)
