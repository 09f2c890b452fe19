"""The one screen: sessions on the left, the open one on the right; one at a time where narrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from ...storage.model.session import Session
from ...widgets.base.key_bar import KeyBar
from ...widgets.sessions.grouping import Item
from ...widgets.sessions.list import SessionList
from ...widgets.sessions.status_line import Notice, TopBar
from ...widgets.timeline.timeline import Timeline
from ...widgets.words.session_filter import parse
from ..base import keys
from ..feed.messages import SessionsChanged
from ..notify.toast import say
from .family import FamilyTrail, Way
from .find import FilterBox
from .listing import Listing
from .open_session import OpenSession
from .return_path import PLACES, Place, ReturnPath
from .routing import hear, of_the_open_session
from .summary import absence_of, summary_of

if TYPE_CHECKING:
    from ...widgets.words.matches import Patterns
    from ..feed.feed import Feed

PREVIEW_AFTER = 0.08  # seconds the cursor rests on a session before it is shown
AGE_EVERY = 20.0  # seconds after which ages are written anew


class BrowseScreen(Screen[None]):
    """Sessions, and the one that is open."""

    feed: Feed
    _reading: OpenSession
    BINDINGS: ClassVar[list[BindingType]] = keys.BROWSE

    @dataclass
    class ReturnWanted(Message):
        """The person goes back to the place that something was shown out of."""

        place: str

    def __init__(
        self,
        now: Callable[[], int],
        looked: Sequence[str],
        opened: Path | None = None,
        about: str = "all sources",
    ) -> None:
        self._place: Place = "timeline" if opened else "list"
        super().__init__(classes=f"-on-{self._place}")  # a change would style all anew
        self._now = now
        self._looked = tuple(looked)
        self._opened_first = opened
        self._about = about
        self._listing = Listing()
        self.parts = self._listing.parts
        self._preview: Timer | None = None
        self._way = ReturnPath()
        self._steered = False  # until then the cursor stays on the neediest
        self._list = SessionList(empty="Looking for sessions …", id="sessions")
        self._filter = FilterBox(id="filter")
        self._trail = FamilyTrail(self)

    def attend(self, feed: Feed, started: Callable[[], object] | None) -> None:
        """Ask this feed for sessions; to be called before the screen is shown.

        `started` is called when the first frame is on screen.
        """
        self.feed, self._started = feed, started
        self._reading = OpenSession(feed, self._now, id="right")

    def compose(self) -> ComposeResult:
        """List and open session below the top bar."""
        yield TopBar(id="top")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self._filter
                yield self._list
            yield self._reading
        yield Notice(id="nothing")
        yield KeyBar()

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
        """The first list is on screen: now for what can wait until then."""
        self.feed.go_on()
        if self._started:
            self._started()

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
        self._listing.told(message)
        self._trail.know(self._listing.sessions)
        self._go_on()
        self._show_summary(message)
        if self._reading.path:
            self._reading.show_session(self._listing.sessions.get(self._reading.path))

    @of_the_open_session
    def _of_the_open_session(self, message: Message) -> None:
        hear(self._reading, message)

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
        self._listing.fold(event.path, event.unfolded)
        self._show_list()

    @on(Timeline.Opened)
    def _event_opened(self, event: Timeline.Opened) -> None:
        if not self._trail.enter(event.row.offset):
            self._reading.panes.show("event")
            self._go("event")

    @on(OpenSession.SourceShown)
    def _source_shown(self) -> None:
        self._go("timeline")

    @on(OpenSession.Said)
    def _reading_said(self, event: OpenSession.Said) -> None:
        say(self.app, event.sentence, event.serious)

    @on(Input.Changed, "#filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self._listing.filter(parse(event.value, self._now()))
        self._show_list()
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
        if action == "leave":
            return self._place == "list" and not self._filter.display
        if action == "return":
            return parameters == (self._way.to,) and self._way.leads_from(self._place)
        return not (action == "find" and isinstance(self.focused, Input))

    def offers(self, action: str) -> bool:
        """Tabs are turned where one sees them."""
        return action != "turn(1)" or self._place != "list" or self.has_class("-wide")

    def action_demo(self) -> None:
        """Leave for the demo, where there is nothing to see."""
        self.app.exit(True)

    def action_find(self) -> None:
        """Filter the list, or find in the session, whichever has the keys."""
        if self._place == "list":
            self._set_way(ReturnPath())
            self._filter.display = True
            self.set_focus(self._filter)
        else:
            self._reading.find()

    def action_leave(self) -> None:
        """Leave from the first place, once nothing is filtered out."""
        self.app.exit()

    def action_escape(self) -> None:
        """End what was begun, else go one place back; never leave."""
        if self._end_begun():
            return
        if self._place == "list" and self._filter.display:
            self._end_filter()
            self._go("list")
        elif self._place == "timeline" and (self._reading.find_no_more() or self._trail.back()):
            return
        elif self._place != "list":
            self._go(PLACES[PLACES.index(self._place) - 1])

    def action_return(self, place: str) -> None:
        """End what was begun, else go back to the place that this was shown out of."""
        if self._end_begun():
            return
        if self._place == "list":
            self._end_filter()
        self._set_way(ReturnPath())
        self.post_message(self.ReturnWanted(place))

    def _end_begun(self) -> bool:
        """End what was begun where one is; whether there was anything."""
        if self._place == "event" and self._reading.panes.step_back():
            return True
        if self._reading.end_finding():
            self._go("timeline")
            return True
        has_marks = self._place == "timeline" and bool(self._reading.timeline.marks)
        if has_marks:
            self._reading.timeline.clear_marks()
        return has_marks

    def _end_filter(self) -> None:
        self._filter.value = ""
        self._filter.display = False

    def action_turn(self, step: int) -> None:
        """Turn the tabs below the timeline."""
        self._reading.panes.turn(step)

    def action_group(self) -> None:
        """Group by day, or by workspace."""
        self._listing.group()
        self._show_list()

    def action_read_all(self) -> None:
        """Mark all sessions as read."""
        self.feed.keep(self._listing.read_all(self._now()))

    def action_kin(self, way: Way) -> None:
        """Go to what the session works for or comes from, or to what comes of it."""
        self._trail.go(way)

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
        path = self._reading.path
        return self._listing.sessions.get(path) if path else None

    @property
    def path(self) -> Path | None:
        """The open transcript."""
        return self._reading.path

    @property
    def events(self) -> tuple[Path, list[int]] | None:
        """The open transcript with the offsets of the events chosen; None where none are."""
        path, offsets = self._reading.path, self._reading.chosen()
        return (path, offsets) if path and offsets and self._place != "list" else None

    def show_list(self) -> None:
        """Give the keys to the list."""
        self._go("list")

    def show_event(self, path: Path, offset: int | None, came_from: str = "") -> None:
        """Open a session at the address of an event, or where one was; perhaps out of a place."""
        path = self.parts.newest(path)
        self._open(path)
        self._list.select_path(path)
        if offset is not None:
            self._reading.go_to(offset)
        # Where one pane is shown at a time, a hit is to be read.
        is_read = came_from == "search" and self.has_class("-narrow")
        if is_read:
            self._reading.panes.show("event")
        self._set_way(ReturnPath(came_from, "event" if is_read else "timeline"))
        self._go(self._way.arrived)

    def seek(self, word: str, patterns: Patterns) -> None:
        """Mark what was looked for in the open session, and let `n` go on with a word of it."""
        self._reading.seek(word, patterns)

    def filter_by(self, words: str, came_from: str) -> None:
        """Show the sessions that a filter finds, out of another place, "" for none."""
        self._set_way(ReturnPath(came_from, "list"))
        self._filter.display = True
        self._filter.value = words
        self._go("list")

    def clear_marks(self) -> None:
        """What was marked is done."""
        self._reading.timeline.clear_marks()

    # Inside.

    def _go_on(self) -> None:
        """Show the list; sessions may go on in new transcripts, and so does what is open."""
        chosen = self._list.session.path if self._list.session else None
        if self._reading.path:
            self._reading.goes_on_in(self.parts.newest(self._reading.path))
            if moved := self._listing.moved(self._reading.path):
                self._open(moved)
        self._show_list()
        if chosen and chosen != self.parts.newest(chosen):
            self._list.select_path(self.parts.newest(chosen))

    def _open(self, path: Path) -> None:
        listing = self._listing
        self._reading.open(path, listing.sessions.get(path), listing.mark(path))
        self._trail.show_doors()

    def _go(self, place: Place) -> None:
        self._stand_on(place)
        if place == "event":
            self._reading.panes.take_keys()
        else:
            self.set_focus(self._list if place == "list" else self._reading.timeline)

    def _stand_on(self, place: Place) -> None:
        self._place = place
        if not self._way.reaches(place):
            self._way = ReturnPath()
        if place != "list":
            self._reading.enter()
        for other in PLACES:
            self.set_class(other == place, f"-on-{other}")
        self.refresh_bindings()

    def _set_way(self, way: ReturnPath) -> None:
        self._way = way
        self.refresh_bindings()

    def _show_list(self) -> None:
        shown = self._listing.entries(self._now(), self._reading.path)
        self._list.show_entries(shown, self._now(), self._listing.empty)
        named = self._opened_first
        if not (self._steered or (named and self._list.select_path(self.parts.newest(named)))):
            self._list.action_first()

    def _show_summary(self, message: SessionsChanged) -> None:
        self.query_one(TopBar).show(summary_of(message, self._about))
        if self.has_class("-nothing") == bool(message.sessions):
            self.set_class(not message.sessions, "-nothing")
            self.refresh_bindings()
        if not message.sessions:
            self.query_one(Notice).show(*absence_of(self._looked))
