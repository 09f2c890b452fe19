"""The Textual application: its start and end, and which screen gets which message of the feed."""

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
"""Messages of the feed that concern whatever is shown."""


class Desk(TerminalApp):
    """The desk over some roots. `opened` is the transcript to begin with, `about` says what it is.

    `started` is called when the first frame is on screen. Its result is whether the person asked
    for the demo, where there was nothing else to see.
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
        """Milliseconds since 1970."""
        return int(self._clock() * 1000)

    def _tell(self, message: Message) -> None:
        """Give a message of the feed to whom it concerns."""
        with suppress(RuntimeError):  # so is said that the screen, or its loop, is gone already
            if isinstance(message, FOR_ALL) or getattr(message, "subject", None) == "all":
                self.post_message(message)
            else:
                self.browse.post_message(message)

    def on_mount(self) -> None:
        """Show the screen; it begins the reading when it can hear of it."""
        self.theme = self._config.theme or DARK
        self.set_keymap(dict(self._config.keymap))
        for problem in self.problems:
            say(self, problem, serious=True)
        self._attention.begin()
        if not self.is_headless:
            end_without_terminal(self._end_reading)

    def get_default_screen(self) -> BrowseScreen:
        """The list of sessions; laid over an empty screen it would be laid out twice."""
        width, height = self.size
        for breakpoints, extent in (
            (self.HORIZONTAL_BREAKPOINTS, width),
            (self.VERTICAL_BREAKPOINTS, height),
        ):
            self.browse.add_class([name for least, name in breakpoints if extent >= least][-1])
        return self.browse

    def on_unmount(self) -> None:
        """End the reading."""
        self._attention.end()
        self._end_reading()

    def _end_reading(self) -> None:
        """Keep what was read."""
        self.feed.stop()
        if self.feed.is_alive():
            self.feed.join(timeout=2)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: what the screen can do, and what concerns the whole program."""
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
        """Show what one can do here; the help closes itself."""
        from .places.help import HelpScreen, help_of

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(help_of(self.screen)))

    # Places.

    @property
    def place(self) -> str:
        """Where one is."""
        return self.navigation.place

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One does not go where one is, nor away from a note that is being written."""
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
        """Go back to the place that something was shown out of."""
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
        """Do what the user asks for in a pane, in whichever place."""
        from .pane_messages import HANDLERS

        HANDLERS[message.handler_name](self, message)

    on_review_pane_judged = on_review_pane_undo_wanted = on_review_pane_copy_wanted = _pane_message
    on_review_pane_file_wanted = on_review_pane_source_wanted = _pane_message
    on_candidate_pane_settled = on_candidate_pane_undo_wanted = _pane_message
    on_candidate_pane_edit_wanted = on_candidate_pane_export_wanted = _pane_message
    on_candidate_pane_source_wanted = on_candidate_pane_copied = _pane_message
    on_event_panel_copied = on_event_panel_file_wanted = _pane_message
    on_usage_pane_sessions_wanted = on_search_screen_event_wanted = _pane_message

    # What the user does with a session, or with its events.

    def action_remember(self) -> None:
        """Propose the event under the cursor, or those that are marked, as memory candidates."""
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
        """Give the session a title of one's own."""
        from .feed.tasks import SetTitle
        from .forms.title import TitleForm

        if session := self.browse.session:
            own = session.title if session.title_from == "user" else ""
            title = await self.push_screen_wait(TitleForm(own, session.agents_title))
            if title is not None:
                self.feed.carry_out(SetTitle(session.path, title or None))

    def action_pin(self) -> None:
        """Pin the session to the top, or unpin it."""
        from .feed.tasks import Pin

        if session := self.browse.session:
            self.feed.carry_out(Pin(session.path, not session.pinned))

    def action_hide(self) -> None:
        """Take the session out of the list, or put it back."""
        from .feed.tasks import Hide

        if session := self.browse.session:
            self.feed.carry_out(Hide(session.path, session.hidden_by != "user"))

    @work
    async def action_resume(self) -> None:
        """Go on with the session in its agent."""
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
