"""What was used in all sessions: by day, workspace, model and tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Footer

from ..widgets.amounts import count
from ..widgets.usage_pane import UsagePane
from . import keys
from .place_bar import PlaceBar
from .usage_message import UsageTold

if TYPE_CHECKING:
    from .feed import Feed

LOOKING = "Adding up what was used …"
NOTHING = "Nothing was used yet.\nTokens, calls and edits show here as soon as an agent works."


class UsageScreen(Screen[None]):
    """The usage of all sessions."""

    BINDINGS: ClassVar[list[BindingType]] = keys.PLACE

    def __init__(self, feed: Feed) -> None:
        super().__init__(id="usage")
        self._feed = feed
        self._bar = PlaceBar("usage")
        self._pane = UsagePane()

    def compose(self) -> ComposeResult:
        """The pane below what there is in all."""
        yield self._bar
        yield self._pane
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show that there is something going on."""
        self._pane.show_reports({}, empty=LOOKING)
        self._pane.focus()

    def on_screen_resume(self) -> None:
        """Tell this from now on."""
        self._feed.look_at("usage", everywhere=True)

    def told(self, message: UsageTold) -> None:
        """Show what was used as it is now."""
        self._pane.show_reports(message.reports, empty=NOTHING)
        whole = message.reports[0]
        counts = [
            count(len(whole.totals.sessions), "session"),
            count(len(whole.workspaces), "workspace"),
            count(len(whole.models), "model"),
            count(len(whole.tools), "tool"),
        ]
        if message.uncounted:
            verb = "is" if message.uncounted == 1 else "are"
            counts.insert(0, f"{count(message.uncounted, 'transcript')} {verb} not counted yet")
        self._bar.show(counts)

    def action_back(self) -> None:
        """Back to the sessions."""
        self.app.pop_screen()
