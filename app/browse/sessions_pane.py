"""The left side of the main screen: the list of sessions and its filter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from ...storage.model.session import Session
from ...widgets.sessions.grouping import Item
from ...widgets.sessions.list import SessionList
from ...widgets.words.session_filter import parse
from .find import FilterBox
from .listing import Listing

PREVIEW_AFTER = 0.08  # seconds the cursor rests on a session before it is shown
AGE_EVERY = 20.0  # seconds after which ages are written anew


class SessionsPane(Vertical):
    """Shows a `Listing`; `first` is the session named on the command line, selected at first."""

    @dataclass
    class Rested(Message):
        """Posted when the cursor has rested on a session, to open it in a wide terminal."""

        path: Path

    def __init__(self, now: Callable[[], int], first: Path | None, *, id: str) -> None:
        super().__init__(id=id)
        self.listing = Listing()
        self.list = SessionList(empty="Looking for sessions …", id="sessions")
        self.opened: Path | None = None
        """The open session; set by the screen."""
        self.steered = False
        """Whether the user has pressed a key; until then the cursor stays on the first entry."""
        self._filter = FilterBox(id="filter")
        self._now = now
        self._first = first
        self._preview: Timer | None = None

    def compose(self) -> ComposeResult:
        """Yield the filter above the list."""
        yield from (self._filter, self.list)

    def on_mount(self) -> None:
        """Start the timer that updates the ages."""
        self.set_interval(AGE_EVERY, self.show)

    @property
    def session(self) -> Session | None:
        """The session under the cursor."""
        return self.list.session

    @property
    def is_filtered(self) -> bool:
        """Whether the filter is shown."""
        return self._filter.display

    def show(self) -> None:
        """Show the current listing; the selection follows a session into a new transcript."""
        chosen, newest = self.session.path if self.session else None, self.listing.parts.newest
        entries = self.listing.entries(self._now(), self.opened)
        self.list.show_entries(entries, self._now(), self.listing.empty)
        named = self._first
        if not (self.steered or (named and self.list.select_path(newest(named)))):
            self.list.action_first()
        if chosen and chosen != newest(chosen):
            self.list.select_path(newest(chosen))

    def group(self) -> None:
        """Toggle grouping by day and by workspace."""
        self.listing.group()
        self.show()

    def ask_filter(self) -> None:
        """Show the filter box and focus it."""
        self._filter.display = True
        self.screen.set_focus(self._filter)

    def filter_by(self, words: str) -> None:
        """Show the sessions that match a filter."""
        self._filter.display = True
        self._filter.value = words

    def end_filter(self) -> None:
        """Show all sessions again."""
        self._filter.value = ""
        self._filter.display = False

    @on(SessionList.Highlighted)
    def _highlighted(self, event: SessionList.Highlighted) -> None:
        if self._preview:
            self._preview.stop()
        if isinstance(event.row, Item) and self._may_preview:
            rested = self.Rested(event.row.session.path)
            self._preview = self.set_timer(PREVIEW_AFTER, lambda: self.post_message(rested))

    @property
    def _may_preview(self) -> bool:
        """Whether to open the session under the cursor: not while another is read or was named."""
        leads = self.screen.has_class("-wide") and self.screen.has_class("-on-list")
        return leads and (self.steered or self._first is None)

    @on(SessionList.FoldChanged)
    def _fold_changed(self, event: SessionList.FoldChanged) -> None:
        self.listing.fold(event.path, event.unfolded)
        self.show()

    @on(Input.Changed)
    def _filter_changed(self, event: Input.Changed) -> None:
        self.listing.filter(parse(event.value, self._now()))
        self.show()
        self.list.reveal()

    @on(Input.Submitted)
    def _filter_submitted(self, event: Input.Submitted) -> None:
        event.input.display = bool(event.value.strip())
        self.screen.set_focus(self.list)
