"""The Textual application: starts and stops the feed, and routes its messages to the screens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from ..storage.private.places import Config, Places
from ..storage.stores.roots import Roots
from ..widgets.sessions.list import SessionList
from ..widgets.words.kinds import LABELS
from .base import keys
from .browse.screen import BrowseScreen
from .feed.feed import Feed
from .feed.messages import (
    CandidatesChanged,
    CasesChanged,
    DecisionOutcome,
    EligibleEvents,
    ExportText,
    HitsChanged,
    SessionsChanged,
    SessionUseChanged,
    UsageChanged,
)
from .notify.attention import Attention
from .notify.toast import say
from .places.places import Navigation
from .startup.early import Early
from .startup.settings_check import checked
from .terminal.clipboard import copied
from .terminal.terminal import end_without_terminal
from .terminal.terminal_app import TerminalApp

DARK = "textual-dark"

FOR_ALL = (DecisionOutcome, EligibleEvents, ExportText, SessionUseChanged)
"""Messages of the feed that go to the application whatever their subject."""


class Desk(TerminalApp):
    """The application over some roots.

    `opened` is the transcript to show first, and `about` describes the roots in the top bar.
    `started` is called when the first frame is on screen. The result of the application is True if
    the user asked for the demo, which is offered when there are no sessions.
    """

    TITLE = "sessions"
    CSS_PATH = "desk.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012 (typed by Textual)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = keys.DESK

    def __init__(
        self,
        roots: Roots,
        places: Places,
        config: Config,
        *,
        opened: Path | None = None,
        about: str = "all sources",
        early: Early | None = None,
        started: Callable[[], object] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._config, self.problems = checked(config)
        self._clock = clock
        self.roots, self.places = roots, places
        looked = [str(path) for path in roots.looked]
        self.browse = BrowseScreen(self.now, looked, opened, about)
        early = early or Early(roots, places, config.review_days)
        self.feed = Feed(early, self._tell, self.now)
        self.browse.attend(self.feed, started)
        self.navigation = Navigation(self, self.browse, self.feed, self.now)
        self._attention = Attention(self, rings=config.notify)

    def now(self) -> int:
        """Return milliseconds since the Unix epoch."""
        return int(self._clock() * 1000)

    def _tell(self, message: Message) -> None:
        """Post a message of the feed to the application or to the main screen; thread-safe."""
        with suppress(RuntimeError):  # raised if the screen or its event loop is gone
            if isinstance(message, FOR_ALL) or getattr(message, "subject", None) == "all":
                self.post_message(message)
            else:
                self.browse.post_message(message)

    def on_mount(self) -> None:
        """Apply the settings; the main screen starts the feed once it can receive messages."""
        self.theme = self._config.theme or DARK
        self.set_keymap(dict(self._config.keymap))
        for problem in self.problems:
            say(self, problem, serious=True)
        self._attention.begin()
        if not self.is_headless:
            end_without_terminal(self._end_reading)

    def get_default_screen(self) -> BrowseScreen:
        """Return the main screen, with its size classes set.

        As the default screen it is laid out once; pushed over an empty one, it would be laid out
        twice.
        """
        width, height = self.size
        for breakpoints, extent in (
            (self.HORIZONTAL_BREAKPOINTS, width),
            (self.VERTICAL_BREAKPOINTS, height),
        ):
            self.browse.add_class([name for least, name in breakpoints if extent >= least][-1])
        return self.browse

    def on_unmount(self) -> None:
        """Stop the notifications and the feed."""
        self._attention.end()
        self._end_reading()

    def _end_reading(self) -> None:
        """Stop the feed and wait up to 2 seconds for it to save what was read."""
        self.feed.stop()
        if self.feed.is_alive():
            self.feed.join(timeout=2)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield the commands of the palette: the active keys of the screen, and the theme."""
        seen: set[str] = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            is_motion = (binding.id or "").startswith("rows.")
            if active.enabled and binding.tooltip and not is_motion and binding.action not in seen:
                seen.add(binding.action)
                run = partial(self.run_action, binding.action, active.node)
                yield SystemCommand(binding.description, binding.tooltip, run)
        yield SystemCommand("Theme", "Choose colours", self.action_change_theme)

    def action_help(self) -> None:
        """Show the help, which has its own key to close it."""
        from .places.help import HelpScreen, help_of

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(help_of(self.screen)))

    # Places.

    @property
    def place(self) -> str:
        """The current place."""
        return self.navigation.place

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable going to the current place, and leaving a text field outside list and search."""
        is_writing = isinstance(self.focused, Input) and self.place not in ("browse", "search")
        is_here = parameters == (self.place,)
        if self.screen is self.browse and is_here:
            is_here = isinstance(self.focused, SessionList)
        return action != "go" or not (is_writing or is_here)

    def action_go(self, place: str) -> None:
        """Go to a place: the list of sessions, review, candidates, search or usage."""
        self.navigation.go(place)
        if place == "browse":
            self.browse.go("list")
        elif place == "search":
            from .places.search import SearchScreen

            self.get_screen(place, SearchScreen).ask()

    def on_browse_screen_return_wanted(self, event: BrowseScreen.ReturnWanted) -> None:
        """Return to the place from which a session was opened."""
        self.navigation.go(event.place)

    @on(CasesChanged)
    @on(CandidatesChanged)
    @on(UsageChanged)
    @on(SessionUseChanged)
    @on(HitsChanged)
    def _told(self, message: Message) -> None:
        self.navigation.tell(message)

    # Panes are imported when they are first shown, so their messages are handled by name.

    def _pane_message(self, message: Message) -> None:
        """Handle a message of a pane, on any screen."""
        from .pane_messages import HANDLERS

        HANDLERS[message.handler_name](self, message)

    on_review_pane_judged = on_review_pane_undo_wanted = on_review_pane_copy_wanted = _pane_message
    on_review_pane_file_wanted = on_review_pane_source_wanted = _pane_message
    on_candidate_pane_settled = on_candidate_pane_undo_wanted = _pane_message
    on_candidate_pane_edit_wanted = on_candidate_pane_export_wanted = _pane_message
    on_candidate_pane_source_wanted = on_candidate_pane_copied = _pane_message
    on_event_panel_copied = on_event_panel_file_wanted = _pane_message
    on_usage_pane_sessions_wanted = on_search_screen_event_wanted = _pane_message

    # Actions on a session or its events.

    def action_remember(self) -> None:
        """Propose the marked events, or the one under the cursor, as memory candidates."""
        from .feed.tasks import CheckEligibility

        if (chosen := self.browse.events) is None:
            say(self, "Open a session first: m remembers the event under the cursor")
        else:
            path, addresses = chosen
            self.typeahead.await_screen()
            self.feed.carry_out(CheckEligibility(path, tuple(addresses)))

    @on(EligibleEvents)
    @work
    async def _propose(self, message: EligibleEvents) -> None:
        from .feed.tasks import Propose
        from .forms.remember import Original, RememberForm

        self.typeahead.screen_came()
        if message.refusal:
            say(self, message.refusal, serious=True)
        for number, event in enumerate(message.events, 1):
            original = Original(event.event_id, event.at, LABELS[event.kind], event.text)
            form = RememberForm(original, place=(number, len(message.events)))
            if (said := await self.push_screen_wait(form)) is None:
                return
            self.feed.carry_out(Propose(event, said.summary, said.reason))
        self.browse.reading.timeline.clear_marks()

    @work
    async def action_rename(self) -> None:
        """Ask for a title of the session."""
        from .feed.tasks import SetTitle
        from .forms.title import TitleForm

        if session := self.browse.session:
            own = session.title if session.title_from == "user" else ""
            title = await self.push_screen_wait(TitleForm(own, session.agents_title))
            if title is not None:
                self.feed.carry_out(SetTitle(session.path, title or None))

    def action_pin(self) -> None:
        """Pin or unpin the session."""
        from .feed.tasks import Pin

        if session := self.browse.session:
            self.feed.carry_out(Pin(session.path, not session.pinned))

    def action_hide(self) -> None:
        """Hide the session from the list, or show it again."""
        from .feed.tasks import Hide

        if session := self.browse.session:
            self.feed.carry_out(Hide(session.path, session.hidden_by != "user"))

    @work
    async def action_resume(self) -> None:
        """Resume the session in its agent."""
        from .browse.resume import resume

        if session := self.browse.session:
            await resume(self, session, self._config.resume)

    @on(SessionsChanged)
    def _sessions_changed(self, message: SessionsChanged) -> None:
        self._attention.look(message, self.now(), self.browse.reading.path)

    @on(DecisionOutcome)
    def _decided(self, message: DecisionOutcome) -> None:
        say(self, message.sentence, message.serious)

    @on(ExportText)
    def _exported(self, message: ExportText) -> None:
        self.copy_to_clipboard(message.text)
        say(self, copied(self, message.what, message.rest))
