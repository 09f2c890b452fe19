"""The Textual application: settings, the feed behind the screen, and what concerns the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from ..storage.private.places import Config, Places
from ..storage.stores.roots import Roots
from ..storage.text.paths import absolute
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
from .feed.requests import Subject
from .feed.tasks import (
    CheckEligibility,
    Edit,
    ExportApproved,
    Hide,
    Judge,
    Pin,
    Propose,
    SetTitle,
    Settle,
    TakeBack,
    Undo,
)
from .notify.attention import Attention
from .notify.toast import say
from .places.places import PLACES, screen_of, tell
from .startup.early import Early
from .startup.settings_check import checked
from .terminal.clipboard import copied
from .terminal.editor import edit
from .terminal.terminal import end_without_terminal
from .terminal.terminal_app import TerminalApp

if TYPE_CHECKING:
    from ..widgets.candidates.pane import CandidatePane
    from ..widgets.review.pane import ReviewPane
    from ..widgets.timeline.event_panel import EventPanel
    from ..widgets.usage.pane import UsagePane
    from .places.search import SearchScreen

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
        self._roots, self._places = roots, places
        looked = [str(path) for path in roots.looked]
        self.browse = BrowseScreen(self.now, looked, opened, about)
        early = early or Early(roots, places, config.review_days)
        self.feed = Feed(early, self._tell, self.now)
        self.browse.attend(self.feed, started)
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
        """Where one is: in browse or another place, whatever dialog lies over it."""
        names = (screen.id for screen in self.screen_stack[::-1])
        return next((name for name in names if name in PLACES), "browse")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One does not go where one is, nor away from a note that is being written."""
        is_writing = isinstance(self.focused, Input) and self.place not in ("browse", "search")
        is_here = parameters == (self.place,)
        if self.screen is self.browse and is_here:
            is_here = isinstance(self.focused, SessionList)
        return action != "go" or not (is_writing or is_here)

    def action_go(self, place: str) -> None:
        """Go to a place: the list of sessions, review, candidates, search or usage."""
        self._go_to(place)
        if place == "browse":
            self.browse.show_list()
        elif place == "search":
            from .places.search import SearchScreen

            self.get_screen(place, SearchScreen).ask()

    def _go_to(self, place: str) -> None:
        """Show a place as it was left."""
        self.clear_notifications()  # they speak of where one was
        if self.screen is not self.browse and len(self.screen_stack) > 1:
            self.pop_screen()
        if place == "browse":
            return
        if not self.is_screen_installed(place):
            self.install_screen(screen_of(place, self.feed, self.now, self.browse), place)
        self.push_screen(place)

    def on_browse_screen_return_wanted(self, event: BrowseScreen.ReturnWanted) -> None:
        """Go back to the place that something was shown out of."""
        self._go_to(event.place)

    @on(CasesChanged)
    @on(CandidatesChanged)
    @on(UsageChanged)
    @on(SessionUseChanged)
    @on(HitsChanged)
    def _told(self, message: Message) -> None:
        tell(self.screen_stack, message)

    def on_usage_pane_sessions_wanted(self, event: UsagePane.SessionsWanted) -> None:
        """Show the sessions that a bar stands for in the list."""
        came_from = self.place
        self._go_to("browse")
        self.browse.filter_by(event.words, came_from)

    def on_search_screen_event_wanted(self, event: SearchScreen.EventWanted) -> None:
        """Show what was found in its session, with the words marked."""
        self._show_source(event.path, event.offset)
        self.browse.seek(event.word, event.patterns)

    def _show_source(self, path: Path, offset: int) -> None:
        came_from = self.place if self.place != "browse" else ""
        self._go_to("browse")
        self.browse.show_event(path, self.browse.parts.address(path, offset), came_from)

    # What the person decides, in whichever place. The panes are imported when they are first
    # shown, so their messages are handled by name.

    def on_review_pane_judged(self, event: ReviewPane.Judged) -> None:
        """Give a verdict."""
        self.feed.carry_out(Judge(event.cases, event.verdict, event.note))

    def on_review_pane_undo_wanted(self, event: ReviewPane.UndoWanted) -> None:
        """Take a verdict back."""
        self.feed.carry_out(TakeBack(event.cases))

    def on_review_pane_copy_wanted(self, event: ReviewPane.CopyWanted) -> None:
        """Copy a note for the agent."""
        from ..widgets.words.agent_note import agent_note

        note = agent_note(event.cases, self.now())
        self.copy_to_clipboard(note)
        say(self, copied(self, "the note for the agent", f": {note}"))

    def on_review_pane_file_wanted(self, event: ReviewPane.FileWanted) -> None:
        """Open the file that a case is about."""
        if path := event.case.action.path:
            self.call_later(self._edit, path)

    def on_review_pane_source_wanted(self, event: ReviewPane.SourceWanted) -> None:
        """Show the call in its session."""
        self._show_source(event.case.path, event.case.action.offset)

    def on_candidate_pane_settled(self, event: CandidatePane.Settled) -> None:
        """Approve or reject."""
        self.feed.carry_out(Settle(event.items, event.status))

    def on_candidate_pane_undo_wanted(self, event: CandidatePane.UndoWanted) -> None:
        """Take back the last decision."""
        self.feed.carry_out(Undo(event.items))

    def on_candidate_pane_source_wanted(self, event: CandidatePane.SourceWanted) -> None:
        """Show the event in its session."""
        if event.item.file is None or event.item.offset is None:
            say(self, "Its transcript is gone: there is nothing to show")
        else:
            self._show_source(event.item.file, event.item.offset)

    def on_candidate_pane_copied(self, event: CandidatePane.Copied) -> None:
        """Say what was copied."""
        say(self, copied(self, f"the {event.what}"))

    @work
    async def on_candidate_pane_edit_wanted(self, event: CandidatePane.EditWanted) -> None:
        """Ask for other words for a candidate."""
        from .forms.remember import Original, Remembered, RememberForm

        candidate = event.item.candidate
        before = Remembered(candidate.summary, candidate.selection_reason)
        form = RememberForm(Original.of_candidate(event.item), before=before)
        if said := await self.push_screen_wait(form):
            self.feed.carry_out(Edit(candidate, said.summary, said.reason))

    @work
    async def on_candidate_pane_export_wanted(self, event: CandidatePane.ExportWanted) -> None:
        """Ask how the approved candidates are to be exported."""
        from .forms.export import ExportForm
        from .output.own_files import export_directory

        subject: Subject | None = self.browse.path if self.screen is self.browse else "all"
        if not event.pane.approved or subject is None:
            say(self, "Nothing approved yet. Press a to approve a candidate")
            return
        form = ExportForm(event.pane.approved, export_directory(), forbidden=self._forbidden)
        if chosen := await self.push_screen_wait(form):
            self.feed.carry_out(ExportApproved(subject, chosen.form, chosen.path))

    def _forbidden(self, path: Path) -> str:
        """Why nothing may be written there; "" where it may."""
        from .output.own_files import refusal

        return refusal(path, self._places, self._roots.found)

    def action_remember(self) -> None:
        """Propose the event under the cursor, or those that are marked, as memory candidates."""
        if (chosen := self.browse.events) is None:
            say(self, "Open a session first: m remembers the event under the cursor")
        else:
            path, addresses = chosen
            self.typeahead.await_screen()
            self.feed.carry_out(CheckEligibility(path, tuple(addresses)))

    @on(EligibleEvents)
    @work
    async def _considered(self, message: EligibleEvents) -> None:
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
        self.browse.clear_marks()

    @work
    async def action_rename(self) -> None:
        """Give the session a title of one's own."""
        from .forms.title import TitleForm

        if session := self.browse.session:
            own = session.title if session.title_from == "user" else ""
            title = await self.push_screen_wait(TitleForm(own, session.agents_title))
            if title is not None:
                self.feed.carry_out(SetTitle(session.path, title or None))

    def action_pin(self) -> None:
        """Pin the session to the top, or let it go."""
        if session := self.browse.session:
            self.feed.carry_out(Pin(session.path, not session.pinned))

    def action_hide(self) -> None:
        """Take the session out of the list, or put it back."""
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
        self._attention.look(message, self.now(), self.browse.path)

    @on(DecisionOutcome)
    def _decided(self, message: DecisionOutcome) -> None:
        say(self, message.sentence, message.serious)

    @on(ExportText)
    def _exported(self, message: ExportText) -> None:
        self.copy_to_clipboard(message.text)
        say(self, copied(self, message.what, message.rest))

    # Events and files.

    def on_event_panel_copied(self, event: EventPanel.Copied) -> None:
        """Say what was copied."""
        rest = "" if event.whole else ", cut to what terminals take"
        shown = event.panel.event
        name = f" {shown.event_id}" if shown and event.what == "event id" else ""
        say(self, copied(self, f"the {event.what}{name}", rest))

    def on_event_panel_file_wanted(self, event: EventPanel.FileWanted) -> None:
        """Open the file of an event."""
        self.call_later(self._edit, event.path, event.cwd)

    def _edit(self, named: str, cwd: str | None = None) -> None:
        path = absolute(named, cwd)
        if problem := edit(self, Path(path)) if path else "which file this is, is not known":
            say(self, f"{named}: {problem}", serious=True)
