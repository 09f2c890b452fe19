"""The one screen: sessions on the left, the open one on the right; one at a time where narrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Input

from ..storage.session import Session
from ..widgets.grouping import Arrangement, Item, entries
from ..widgets.safe import safe
from ..widgets.session_filter import parse
from ..widgets.session_list import SessionList
from ..widgets.status_line import Notice, TopBar, nothing_found
from ..widgets.timeline import Timeline
from . import keys
from .kin import Kin, Way
from .messages import (
    Bookmarked,
    CandidatesTold,
    CasesTold,
    Found,
    ReadingAhead,
    SessionsChanged,
    TranscriptGrew,
    TranscriptLost,
    TranscriptOpened,
    Understood,
)
from .reading import Reading
from .saying import say
from .summary import summary_of

if TYPE_CHECKING:
    from ..widgets.event_panel import EventPanel
    from ..widgets.marking import Patterns
    from .feed import Feed

Place = Literal["list", "timeline", "event"]
PLACES: tuple[Place, ...] = ("list", "timeline", "event")

PREVIEW_AFTER = 0.08
"""Seconds the cursor rests on a session before it is shown."""

AGE_EVERY = 20.0
"""Seconds after which ages are written anew."""

FILTER, FILTERED_OUT = "words, status: has:uncertain since:2h", "No match. Escape shows all."


class BrowseScreen(Screen[None]):
    """Sessions, and the one that is open."""

    feed: Feed
    _reading: Reading
    BINDINGS: ClassVar[list[BindingType]] = keys.BROWSE

    def __init__(
        self,
        now: Callable[[], int],
        looked: Sequence[str],
        opened: Path | None = None,
        about: str = "all roots",
    ) -> None:
        self._place: Place = "timeline" if opened else "list"
        super().__init__(classes=f"-on-{self._place}")  # a change would style all anew
        self._now = now
        self._looked = tuple(looked)
        self._opened_first = opened
        self._about = about
        self._sessions: dict[Path, Session] = {}
        self._bookmarks = Bookmarked({}, 0)
        self._arrangement = Arrangement()
        self._said: frozenset[str] = frozenset()
        self._preview: Timer | None = None
        self._steered = False
        """Whether the person did anything yet: until then the cursor stays on the neediest."""
        self._list = SessionList(empty="Looking for sessions …", id="sessions")
        self._filter = Input(placeholder=FILTER, id="filter")
        self._filter.display = False
        self._foot = Vertical(id="foot")
        self._kin = Kin(self)

    def attend(self, feed: Feed) -> None:
        """Ask this feed for sessions; to be called before the screen is shown."""
        self.feed = feed
        self._reading = Reading(feed, self._now, id="right")

    def compose(self) -> ComposeResult:
        """List and open session below the top bar."""
        yield TopBar(id="top")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self._filter
                yield self._list
            yield self._reading
        yield Notice(id="nothing")
        yield self._foot

    def on_mount(self) -> None:
        """Begin to read; where a session was named, begin with it."""
        self._go(self._place)
        self.feed.start()
        if first := self.feed.first_list():
            self._sessions_changed(first)
        self.call_after_refresh(self._settle)
        if self._opened_first:
            self._reading.open(self._opened_first, None, None)
        self.set_interval(AGE_EVERY, self._show_list)

    def _settle(self) -> None:
        """The first list is on screen: now for what took longer than it."""
        self.feed.go_on()
        if self._foot.is_attached:  # else one has left already
            self._foot.mount(Footer(show_command_palette=False))

    def on_screen_resume(self) -> None:
        """Another place was looked at meanwhile: tell again what the tab shows."""
        if self._reading.is_mounted:
            self._reading.look_again()

    def on_unmount(self) -> None:
        """Remember where the person is."""
        self._reading.leave()

    # What the feed says.

    @on(SessionsChanged)
    def _sessions_changed(self, message: SessionsChanged) -> None:
        self._sessions = {session.path: session for session in message.sessions}
        self._bookmarks = message.bookmarks
        self._kin.know(self._sessions)
        self._show_list()
        self._show_summary(message)
        for problem in sorted(set(message.problems) - self._said):
            self.notify(safe(problem, 300).plain, severity="warning", markup=False)
        self._said |= set(message.problems)
        if self._reading.path:
            self._reading.show_session(self._sessions.get(self._reading.path))

    @on(TranscriptOpened)
    def _transcript_opened(self, message: TranscriptOpened) -> None:
        self._reading.opened(message)

    @on(TranscriptGrew)
    def _transcript_grew(self, message: TranscriptGrew) -> None:
        self._reading.grew(message)

    @on(TranscriptLost)
    def _transcript_lost(self, message: TranscriptLost) -> None:
        self._reading.lost(message)

    @on(Found)
    def _found(self, message: Found) -> None:
        self._reading.found(message)

    @on(Understood)
    def _understood(self, message: Understood) -> None:
        self._reading.understood(message)

    @on(CasesTold)
    @on(CandidatesTold)
    def _told(self, message: CasesTold | CandidatesTold) -> None:
        self._reading.told(message)

    @on(ReadingAhead)
    def _reading_ahead(self, message: ReadingAhead) -> None:
        self._reading.ahead(message)

    # What the widgets say.

    @on(SessionList.Highlighted)
    def _session_highlighted(self, event: SessionList.Highlighted) -> None:
        if self._preview:
            self._preview.stop()
        if self.has_class("-wide") and isinstance(event.row, Item) and self._may_preview:
            path = event.row.session.path
            self._preview = self.set_timer(PREVIEW_AFTER, lambda: self._open(path))

    @property
    def _may_preview(self) -> bool:
        """Whether the list leads: not while one reads the session that is open or was named."""
        return self._place == "list" and (self._steered or self._opened_first is None)

    @on(SessionList.Opened)
    def _session_opened(self, event: SessionList.Opened) -> None:
        if isinstance(event.row, Item):
            self._open(event.row.session.path)
            self._go("timeline")

    @on(SessionList.FoldChanged)
    def _fold_changed(self, event: SessionList.FoldChanged) -> None:
        unfolded = self._arrangement.unfolded
        changed = unfolded | {event.path} if event.unfolded else unfolded - {event.path}
        self._arrange(unfolded=changed)

    @on(Timeline.Opened)
    def _event_opened(self, event: Timeline.Opened) -> None:
        if not self._kin.enter(event.row.offset):
            self._go("event")

    @on(Reading.SourceShown)
    def _source_shown(self) -> None:
        self._go("timeline")

    def on_event_panel_copied(self, event: EventPanel.Copied) -> None:
        """Say what was copied."""
        rest = "" if event.whole else ", cut to what terminals take"
        shown = self._reading.panel.event
        name = f" {shown.event_id}" if shown and event.what == "event id" else ""
        say(self.app, f"Copied the {event.what}{name}{rest}")

    @on(Reading.Said)
    def _reading_said(self, event: Reading.Said) -> None:
        say(self.app, event.sentence, event.serious)

    @on(Input.Changed, "#filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self._arrange(filter=parse(event.value, self._now()))
        self._list.reveal()

    @on(Input.Submitted, "#filter")
    def _filter_submitted(self, event: Input.Submitted) -> None:
        event.input.display = bool(event.value.strip())
        self.set_focus(self._list)

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A slash that is typed into a box is a slash; the demo is for an empty desk."""
        if action == "demo":
            return self.has_class("-nothing")
        return not (action == "find" and isinstance(self.focused, Input))

    def action_demo(self) -> None:
        """Leave for the demo, where there is nothing to see."""
        self.app.exit(True)

    def action_find(self) -> None:
        """Filter the list, or find in the session, whichever has the keys."""
        if self._place == "list":
            self._filter.display = True
            self.set_focus(self._filter)
        else:
            self._reading.find()

    def action_back(self) -> None:
        """One place back; leave from the first, once nothing is filtered out."""
        if self._place == "list" and not self._filter.display:
            self.app.exit()
        else:
            self.action_escape()

    def action_escape(self) -> None:
        """End what was begun, else go one place back; never leave."""
        if self._place == "event" and self._reading.panes.step_back():
            return
        if self._reading.end_finding():
            self._go("timeline")
        elif self._place == "timeline" and self._reading.timeline.marks:
            self._reading.timeline.clear_marks()
        elif self._place == "list" and self._filter.display:
            self._filter.value = ""
            self._filter.display = False
            self._go("list")
        elif self._place != "list" and not (self._place == "timeline" and self._kin.back()):
            self._go(PLACES[PLACES.index(self._place) - 1])

    def action_turn(self, step: int) -> None:
        """Turn the tabs below the timeline."""
        self._reading.panes.turn(step)

    def action_group(self) -> None:
        """Group by day, or by workspace."""
        by_day = self._arrangement.group_by == "day"
        self._arrange(group_by="workspace" if by_day else "day")

    def action_read_all(self) -> None:
        """Mark all sessions as read."""
        self.feed.keep(self._bookmarks.read(self._arrangement.unread, self._now()))

    def action_kin(self, way: Way) -> None:
        """Go to what the session works for or comes from, or to what comes of it."""
        self._kin.go(way)

    def on_key(self) -> None:
        """From now on the cursor stays where the person put it."""
        self._steered = True

    on_mouse_down = on_key

    def on_descendant_focus(self) -> None:
        """The place is where the keys go."""
        focused = self.focused
        if isinstance(focused, SessionList) or (focused and focused.id == "filter"):
            self._stand_on("list")
        elif focused and self._reading.panes in focused.ancestors_with_self:
            self._stand_on("event")
        elif focused and self._reading in focused.ancestors_with_self:
            self._stand_on("timeline")

    # For the program.

    @property
    def session(self) -> Session | None:
        """The session under the cursor of the list, or the open one, whichever has the keys."""
        if self._place == "list":
            return self._list.session
        return self._sessions.get(self._reading.path) if self._reading.path else None

    @property
    def path(self) -> Path | None:
        """The open transcript."""
        return self._reading.path

    @property
    def events(self) -> tuple[Path, list[int]] | None:
        """The open transcript with the offsets of the events chosen; None where none are."""
        path, offsets = self._reading.path, self._reading.chosen()
        return (path, offsets) if path and offsets and self._place != "list" else None

    def show_event(self, path: Path, offset: int | None) -> None:
        """Open a session at one of its events, None: where one was."""
        self._open(path)
        self._list.select_path(path)
        if offset is not None:
            self._reading.go_to(offset)
        self._go("timeline")

    def seek(self, word: str, patterns: Patterns) -> None:
        """Mark what was looked for in the open session, and let `n` go on with a word of it."""
        self._reading.seek(word, patterns)

    def filter_by(self, words: str) -> None:
        """Show the sessions that a filter finds."""
        self._filter.display = True
        self._filter.value = words
        self._go("list")

    def clear_marks(self) -> None:
        """What was marked is done."""
        self._reading.timeline.clear_marks()

    # Inside.

    def _open(self, path: Path) -> None:
        self._reading.open(path, self._sessions.get(path), self._bookmarks.marks.get(path))
        self._kin.show_doors()

    def _go(self, place: Place) -> None:
        self._stand_on(place)
        if place == "event":
            self._reading.panes.take_keys()
        else:
            self.set_focus(self._list if place == "list" else self._reading.timeline)

    def _stand_on(self, place: Place) -> None:
        self._place = place
        if place != "list":
            self._reading.enter()
        for other in PLACES:
            self.set_class(other == place, f"-on-{other}")

    def _arrange(self, **changes: object) -> None:
        self._arrangement = replace(self._arrangement, **changes)  # type: ignore[arg-type]
        self._show_list()

    def _show_list(self) -> None:
        sessions = list(self._sessions.values())
        unread = self._bookmarks.unread(sessions) - {self._reading.path}
        pinned = frozenset(session.path for session in sessions if session.pinned)
        self._arrangement = replace(self._arrangement, unread=unread, pinned=pinned)
        shown = entries(sessions, self._arrangement, self._now())
        empty = FILTERED_OUT if self._sessions else "No sessions."
        self._list.show_entries(shown, self._now(), empty)
        if not self._steered and not self._points_at_named():
            self._list.action_first()

    def _points_at_named(self) -> bool:
        """Put the cursor on the session that was named; whether it is in the list."""
        return self._opened_first is not None and self._list.select_path(self._opened_first)

    def _show_summary(self, message: SessionsChanged) -> None:
        self.query_one(TopBar).show(summary_of(message, self._about))
        if self.has_class("-nothing") == bool(message.sessions):
            self.set_class(not message.sessions, "-nothing")
            self.refresh_bindings()
        if not message.sessions:
            self.query_one(Notice).show(*nothing_found(self._looked, str(Path.cwd())))
