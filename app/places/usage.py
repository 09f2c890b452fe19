"""The screen with the usage of all sessions, by day, workspace, model and tool, or of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget

from ...storage.model.session import Session
from ...widgets.usage.pane import UsagePane
from ...widgets.usage.session_pane import SessionUsagePane
from ...widgets.words.amounts import count
from ..base import keys
from ..feed.messages import SessionUseChanged, UsageChanged
from ..notify.toast import say
from .place_screen import PlaceScreen

if TYPE_CHECKING:
    from ..feed.feed import Feed

LOOKING = "Adding up what was used …"
NOTHING = "Nothing was used yet.\nTokens, calls and edits show here as soon as an agent works."


class UsageScreen(PlaceScreen):
    """Shows the usage of all sessions, or of the one that `session` returns."""

    BINDINGS: ClassVar[list[BindingType]] = keys.USAGE

    def __init__(
        self, feed: Feed, now: Callable[[], int], session: Callable[[], Session | None]
    ) -> None:
        super().__init__("usage", feed, now)
        self._session = session
        self._path: Path | None = None
        """The path of the shown session, None for all sessions."""
        self._uncounted = 0
        """Number of transcripts that the index does not contain completely."""
        self._pane = UsagePane()
        self._session_pane = SessionUsagePane()
        self._session_pane.display = False

    def content(self) -> Iterable[Widget]:
        """Yield both panes, of which one is visible."""
        yield from (self._pane, self._session_pane)

    def on_mount(self) -> None:
        """Show that usage is being counted."""
        self._pane.show_reports({}, empty=LOOKING)
        self._pane.focus()

    def look(self) -> None:
        """Request the usage of the shown session, or of all."""
        self._feed.look_at("usage", self._path or "all")

    def on_screen_suspend(self) -> None:
        """Return to all sessions when the screen is left, but not when a dialog covers it."""
        if self not in self.app.screen_stack:
            self._turn(None)

    def told(self, message: UsageChanged | SessionUseChanged) -> None:
        """Show the current usage."""
        if isinstance(message, UsageChanged):
            self._uncounted = message.uncounted
            self._pane.show_reports(message.reports, empty=NOTHING)
        elif message.subject == self._path and (session := self._session()):
            self._session_pane.show_session(session, self._now())
            self._session_pane.show_use(message.use)

    @on(UsagePane.Shown)
    def _shown(self, event: UsagePane.Shown) -> None:
        report = event.report
        counts = [
            count(len(report.totals.sessions), "session"),
            count(len(report.workspaces), "workspace"),
            count(len(report.models), "model"),
            count(len(report.tools), "tool"),
            event.period,
        ]
        if self._uncounted:
            verb = "is" if self._uncounted == 1 else "are"
            counts.insert(0, f"{count(self._uncounted, 'transcript')} {verb} not counted yet")
        self._bar.show(counts)

    @on(UsagePane.Said)
    def _said(self, event: UsagePane.Said) -> None:
        say(self.app, event.sentence)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key applies now: to one session from all of them, and back."""
        if action == "session":
            return self._path is None and self._session() is not None
        return action != "all" or self._path is not None

    def action_session(self) -> None:
        """Show the usage of the session that is selected in the main screen."""
        if session := self._session():
            self._session_pane.show_session(session, self._now())
            self._turn(session.path)
            self.look()

    def action_all(self) -> None:
        """Show the usage of all sessions."""
        self._turn(None)
        self.look()

    def step_back(self) -> bool:
        """Go back from one session to all; return whether one was shown."""
        is_one = self._path is not None
        if is_one:
            self.action_all()
        return is_one

    def _turn(self, path: Path | None) -> None:
        """Show the pane of the session at a path, or with None that of all sessions."""
        self._path = path
        self._pane.display = path is None
        self._session_pane.display = path is not None
        (self._pane if path is None else self._session_pane).focus()
        if path is not None:
            self._bar.show(["this session"])
        self.refresh_bindings()
