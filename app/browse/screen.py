"""The one screen: sessions on the left, the open one on the right; one at a time where narrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from ...storage.files.working_directory import working_directory
from ...storage.model.session import Session
from ...widgets.base.key_bar import KeyBar
from ...widgets.sessions.grouping import Item
from ...widgets.sessions.list import SessionList
from ...widgets.sessions.status_line import Notice, Summary, TopBar, nothing_found
from ...widgets.timeline.timeline import Timeline
from ..base import keys
from ..feed.messages import SessionsChanged
from ..selection.part_paths import PartPaths
from .family import FamilyTrail, Way
from .open_session import OpenSession
from .routing import hear, of_the_open_session
from .sessions_pane import SessionsPane

if TYPE_CHECKING:
    from ..feed.feed import Feed


Place = Literal["list", "timeline", "event"]
PLACES: tuple[Place, ...] = ("list", "timeline", "event")
"""Of the sessions, each behind the one before."""


@dataclass(frozen=True, slots=True)
class ReturnPath:
    """Leads from where one arrived to the place one came from; "" leads nowhere."""

    to: str = ""
    arrived: Place = "list"

    def leads_from(self, place: Place) -> bool:
        """Whether one place back is the place one came from."""
        return bool(self.to) and place == self.arrived

    def reaches(self, place: Place) -> bool:
        """Whether one would come by where one arrived, on the way back from there."""
        return PLACES.index(place) >= PLACES.index(self.arrived)


class BrowseScreen(Screen[None]):
    """Sessions, and the one that is open."""

    feed: Feed
    reading: OpenSession
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
        self._sessions = SessionsPane(now, opened, id="left")
        self._listing = self._sessions.listing
        self._way = ReturnPath()
        self._trail = FamilyTrail(self)

    def attend(self, feed: Feed, started: Callable[[], object] | None) -> None:
        """Ask this feed for sessions; to be called before the screen is shown.

        `started` is called when the first frame is on screen.
        """
        self.feed, self._started = feed, started
        self.reading = OpenSession(feed, self._now, id="right")

    def compose(self) -> ComposeResult:
        """List and open session below the top bar."""
        yield TopBar(id="top")
        with Horizontal(id="body"):
            yield from (self._sessions, self.reading)
        yield Notice(id="nothing")
        yield KeyBar()

    def on_mount(self) -> None:
        """Begin to read; where a session was named, begin with it."""
        self.go(self._place)
        self.feed.start()
        if first := self.feed.first_list():
            self._sessions_changed(first)
        self.call_after_refresh(self._settle)
        if self._opened_first:
            self.reading.open(self._opened_first, None, None)
            self._sessions.opened = self._opened_first

    def _settle(self) -> None:
        """The first list is on screen: now for what can wait until then."""
        self.feed.go_on()
        if self._started:
            self._started()

    def on_screen_resume(self) -> None:
        """Another place was looked at meanwhile: tell again what the tab shows."""
        if self.reading.is_mounted:
            self.reading.look_again()

    def on_unmount(self) -> None:
        """Remember where the person is."""
        self.reading.leave()

    # What the feed says.

    @on(SessionsChanged)
    def _sessions_changed(self, message: SessionsChanged) -> None:
        self._listing.told(message)
        self._trail.know(self._listing.sessions)
        self._follow_moves()
        self._sessions.show()
        self._show_summary(message)
        if self.reading.path:
            self.reading.show_session(self._listing.sessions.get(self.reading.path))

    @of_the_open_session
    def _of_the_open_session(self, message: Message) -> None:
        hear(self.reading, message)

    # What the widgets say.

    @on(SessionsPane.Rested)
    def _session_rested_on(self, event: SessionsPane.Rested) -> None:
        if self._sessions.session and self._sessions.session.path == event.path:
            self._open(event.path)

    @on(SessionList.Opened)
    def _session_opened(self, event: SessionList.Opened) -> None:
        if isinstance(event.row, Item):
            self._open(event.row.session.path)
            self.go("timeline")

    @on(Timeline.Opened)
    def _event_opened(self, event: Timeline.Opened) -> None:
        if not self._trail.enter(event.row.offset):
            self.reading.panes.show("event")
            self.go("event")

    @on(OpenSession.SourceShown)
    def _source_shown(self) -> None:
        self.go("timeline")

    # Keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A slash that is typed into a box is a slash; the demo is for an empty desk."""
        if action == "demo":
            return self.has_class("-nothing")
        if action == "leave":
            return self._place == "list" and not self._sessions.is_filtered
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
            self._sessions.ask_filter()
        else:
            self.reading.find()

    def action_leave(self) -> None:
        """Leave from the first place, once nothing is filtered out."""
        self.app.exit()

    def action_escape(self) -> None:
        """End what was begun, else go one place back; never leave."""
        if self._end_begun():
            return
        if self._place == "list" and self._sessions.is_filtered:
            self._sessions.end_filter()
            self.go("list")
        elif self._place == "timeline" and (self.reading.find_no_more() or self._trail.back()):
            return
        elif self._place != "list":
            self.go(PLACES[PLACES.index(self._place) - 1])

    def action_return(self, place: str) -> None:
        """End what was begun, else go back to the place that this was shown out of."""
        if self._end_begun():
            return
        if self._place == "list":
            self._sessions.end_filter()
        self._set_way(ReturnPath())
        self.post_message(self.ReturnWanted(place))

    def _end_begun(self) -> bool:
        """End what was begun where one is; whether there was anything."""
        if self._place == "event" and self.reading.panes.step_back():
            return True
        if self.reading.end_finding():
            self.go("timeline")
            return True
        has_marks = self._place == "timeline" and bool(self.reading.timeline.marks)
        if has_marks:
            self.reading.timeline.clear_marks()
        return has_marks

    def action_turn(self, step: int) -> None:
        """Turn the tabs below the timeline."""
        self.reading.panes.turn(step)

    def action_group(self) -> None:
        """Group by day, or by workspace."""
        self._sessions.group()

    def action_read_all(self) -> None:
        """Mark all sessions as read."""
        self.feed.keep(self._listing.read_all(self._now()))

    def action_kin(self, way: Way) -> None:
        """Go to what the session works for or comes from, or to what comes of it."""
        self._trail.go(way)

    def on_key(self) -> None:
        """From now on the cursor stays where the person put it."""
        self._sessions.steered = True

    on_mouse_down = on_key

    def on_descendant_focus(self) -> None:
        """The place is where the keys go."""
        focused = self.focused
        if focused and self._sessions in focused.ancestors_with_self:
            self._stand_on("list")
        elif focused and self.reading.panes in focused.ancestors_with_self:
            self._stand_on("event")
        elif focused and self.reading in focused.ancestors_with_self:
            self._stand_on("timeline")

    # For the program.

    @property
    def parts(self) -> PartPaths:
        """The transcripts of each session."""
        return self._listing.parts

    @property
    def session(self) -> Session | None:
        """The session under the cursor of the list, or the open one, whichever has the keys."""
        if self._place == "list":
            return self._sessions.session
        path = self.reading.path
        return self._listing.sessions.get(path) if path else None

    @property
    def events(self) -> tuple[Path, list[int]] | None:
        """The open transcript with the offsets of the events chosen; None where none are."""
        path, offsets = self.reading.path, self.reading.chosen()
        return (path, offsets) if path and offsets and self._place != "list" else None

    def go(self, place: Place) -> None:
        """Give the keys to the list, the timeline or the panes."""
        self._stand_on(place)
        if place == "event":
            self.reading.panes.take_keys()
        else:
            self.set_focus(self._sessions.list if place == "list" else self.reading.timeline)

    def show_event(self, path: Path, offset: int | None, came_from: str = "") -> None:
        """Open a session at the address of an event, or where one was; perhaps out of a place."""
        path = self.parts.newest(path)
        self._open(path)
        self._sessions.list.select_path(path)
        if offset is not None:
            self.reading.go_to(offset)
        # Where one pane is shown at a time, a hit is to be read.
        is_read = came_from == "search" and self.has_class("-narrow")
        if is_read:
            self.reading.panes.show("event")
        self._set_way(ReturnPath(came_from, "event" if is_read else "timeline"))
        self.go(self._way.arrived)

    def filter_by(self, words: str, came_from: str) -> None:
        """Show the sessions that a filter finds, out of another place, "" for none."""
        self._set_way(ReturnPath(came_from, "list"))
        self._sessions.filter_by(words)
        self.go("list")

    # Inside.

    def _follow_moves(self) -> None:
        """Sessions may go on in new transcripts, and so does what is open."""
        if path := self.reading.path:
            self.reading.goes_on_in(self.parts.newest(path))
            if moved := self._listing.moved(self.parts.newest(path)):
                self._open(moved)
            self._sessions.opened = self.reading.path

    def _open(self, path: Path) -> None:
        session, mark = self._listing.sessions.get(path), self._listing.mark(path)
        self.reading.open(path, session, mark)
        self._sessions.opened = path
        self._trail.show_doors()

    def _stand_on(self, place: Place) -> None:
        self._place = place
        if not self._way.reaches(place):
            self._way = ReturnPath()
        if place != "list":
            self.reading.enter()
        for other in PLACES:
            self.set_class(other == place, f"-on-{other}")
        self.refresh_bindings()

    def _set_way(self, way: ReturnPath) -> None:
        self._way = way
        self.refresh_bindings()

    def _show_summary(self, message: SessionsChanged) -> None:
        self.query_one(TopBar).show(_summary(message, self._about))
        if self.has_class("-nothing") == bool(message.sessions):
            self.set_class(not message.sessions, "-nothing")
            self.refresh_bindings()
        if not message.sessions:
            self.query_one(Notice).show(*nothing_found(self._looked, str(working_directory())))


def _summary(message: SessionsChanged, scope: str) -> Summary:
    """What the top line says of all sessions; `scope` says in a few words which they are.

    Sub-agents are no sessions, and what is hidden is not counted.
    """
    tops = [s for s in message.sessions if not s.parent_path and not s.hidden_by]
    return Summary(
        sessions=len(tops),
        working=sum(session.family_works for session in tops),
        need_you=sum(session.family_needs_you for session in tops),
        maybe_crashed=sum(session.status == "unknown" for session in tops),
        indexing=message.progress.percent,
        left=message.progress.left,
        scope=scope,
    )
