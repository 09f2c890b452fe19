"""What was used: in all sessions, by day, workspace, model and tool; or in one, in its course."""

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
    """The usage of all sessions, or of the one that `session` gives."""

    BINDINGS: ClassVar[list[BindingType]] = keys.USAGE

    def __init__(
        self, feed: Feed, now: Callable[[], int], session: Callable[[], Session | None]
    ) -> None:
        super().__init__("usage", feed, now)
        self._session = session
        self._path: Path | None = None
        """Of the session that is shown, None for all."""
        self._uncounted = 0
        """Transcripts that the index does not hold."""
        self._pane = UsagePane()
        self._session_pane = SessionUsagePane()
        self._session_pane.display = False

    def content(self) -> Iterable[Widget]:
        """One of the panes."""
        yield from (self._pane, self._session_pane)

    def on_mount(self) -> None:
        """Show that there is something going on."""
        self._pane.show_reports({}, empty=LOOKING)
        self._pane.focus()

    def look(self) -> None:
        """Ask for the usage of the session, or of all."""
        self._feed.look_at("usage", self._path or "all")

    def on_screen_suspend(self) -> None:
        """Whoever leaves comes back to all sessions; a dialog does not leave."""
        if self not in self.app.screen_stack:
            self._turn(None)

    def told(self, message: UsageChanged | SessionUseChanged) -> None:
        """Show what was used as it is now."""
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
        """One goes to the session from all of them, and back from it."""
        if action == "session":
            return self._path is None and self._session() is not None
        return action != "all" or self._path is not None

    def action_session(self) -> None:
        """Show the session that one comes from."""
        if session := self._session():
            self._session_pane.show_session(session, self._now())
            self._turn(session.path)
            self.look()

    def action_all(self) -> None:
        """Show all sessions again."""
        self._turn(None)
        self.look()

    def step_back(self) -> bool:
        """From the session to all."""
        is_one = self._path is not None
        if is_one:
            self.action_all()
        return is_one

    def _turn(self, path: Path | None) -> None:
        """Show the pane of one session, or that of all."""
        self._path = path
        self._pane.display = path is None
        self._session_pane.display = path is not None
        (self._pane if path is None else self._session_pane).focus()
        if path is not None:
            self._bar.show(["this session"])
        self.refresh_bindings()
