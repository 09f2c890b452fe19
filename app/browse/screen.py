"""The main screen: sessions on the left and the open one on the right; one at a time if narrow."""

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
"""The places of this screen, each one step deeper than the one before."""


@dataclass(frozen=True, slots=True)
class ReturnPath:
    """The way back to the place (`to`) from which the user arrived here; "" means none."""

    to: str = ""
    arrived: Place = "list"

    def leads_from(self, place: Place) -> bool:
        """Whether going back from this place leads to `to`."""
        return bool(self.to) and place == self.arrived

    def reaches(self, place: Place) -> bool:
        """Whether the way back from this place passes the place of arrival."""
        return PLACES.index(place) >= PLACES.index(self.arrived)


class BrowseScreen(Screen[None]):
    """Shows the list of sessions and the open session."""

    feed: Feed
    reading: OpenSession
    BINDINGS: ClassVar[list[BindingType]] = keys.BROWSE

    @dataclass
    class ReturnWanted(Message):
        """Posted when the user goes back to the place from which something was shown."""

        place: str

    def __init__(
        self,
        now: Callable[[], int],
        looked: Sequence[str],
        opened: Path | None = None,
        about: str = "all sources",
    ) -> None:
        self._place: Place = "timeline" if opened else "list"
        super().__init__(classes=f"-on-{self._place}")  # setting it later would restyle everything
        self._now = now
        self._looked = tuple(looked)
        self._opened_first = opened
        self._about = about
        self._sessions = SessionsPane(now, opened, id="left")
        self._listing = self._sessions.listing
        self._way = ReturnPath()
        self._trail = FamilyTrail(self)

    def attend(self, feed: Feed, started: Callable[[], object] | None) -> None:
        """Use this feed; must be called before the screen is shown.

        `started` is called when the first frame is on screen.
        """
        self.feed, self._started = feed, started
        self.reading = OpenSession(feed, self._now, id="right")

    def compose(self) -> ComposeResult:
        """Yield the list and the open session below the top bar."""
        yield TopBar(id="top")
        with Horizontal(id="body"):
            yield from (self._sessions, self.reading)
        yield Notice(id="nothing")
        yield KeyBar()

    def on_mount(self) -> None:
        """Start the feed, and open the session named on the command line, if any."""
        self.go(self._place)
        self.feed.start()
        if first := self.feed.first_list():
            self._sessions_changed(first)
        self.call_after_refresh(self._settle)
        if self._opened_first:
            self.reading.open(self._opened_first, None, None)
            self._sessions.opened = self._opened_first

    def _settle(self) -> None:
        """Start the work that waits until the first list is on screen."""
        self.feed.go_on()
        if self._started:
            self._started()

    def on_screen_resume(self) -> None:
        """Request the data of the shown tab again, as another place has replaced the request."""
        if self.reading.is_mounted:
            self.reading.look_again()

    def on_unmount(self) -> None:
        """Save the bookmark of the open session."""
        self.reading.leave()

    # Messages of the feed.

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

    # Messages of the widgets.

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
        """Whether a key applies now: `/` not while typing, the demo only without sessions."""
        if action == "demo":
            return self.has_class("-nothing")
        if action == "leave":
            return self._place == "list" and not self._sessions.is_filtered
        if action == "return":
            return parameters == (self._way.to,) and self._way.leads_from(self._place)
        return not (action == "find" and isinstance(self.focused, Input))

    def offers(self, action: str) -> bool:
        """Whether the key bar offers an action; turning tabs only where the tabs are visible."""
        return action != "turn(1)" or self._place != "list" or self.has_class("-wide")

    def action_demo(self) -> None:
        """Exit with True, which asks for the demo."""
        self.app.exit(True)

    def action_find(self) -> None:
        """Filter the list or find words in the session, depending on the focus."""
        if self._place == "list":
            self._set_way(ReturnPath())
            self._sessions.ask_filter()
        else:
            self.reading.find()

    def action_leave(self) -> None:
        """Quit."""
        self.app.exit()

    def action_escape(self) -> None:
        """Cancel the current operation, or go one place back; never quit."""
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
        """Cancel the current operation, or go back to the place from which this was shown."""
        if self._end_begun():
            return
        if self._place == "list":
            self._sessions.end_filter()
        self._set_way(ReturnPath())
        self.post_message(self.ReturnWanted(place))

    def _end_begun(self) -> bool:
        """Cancel the current operation of this place; return whether there was one."""
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
        """Show the next or previous tab below the timeline."""
        self.reading.panes.turn(step)

    def action_group(self) -> None:
        """Toggle grouping by day and by workspace."""
        self._sessions.group()

    def action_read_all(self) -> None:
        """Mark all sessions as read."""
        self.feed.keep(self._listing.read_all(self._now()))

    def action_kin(self, way: Way) -> None:
        """Go to the parent or origin (`up`), or to a child or continuation (`down`)."""
        self._trail.go(way)

    def on_key(self) -> None:
        """Note that the user has acted; the list's cursor is no longer moved automatically."""
        self._sessions.steered = True

    on_mouse_down = on_key

    def on_descendant_focus(self) -> None:
        """Set the place according to the focus."""
        focused = self.focused
        if focused and self._sessions in focused.ancestors_with_self:
            self._stand_on("list")
        elif focused and self.reading.panes in focused.ancestors_with_self:
            self._stand_on("event")
        elif focused and self.reading in focused.ancestors_with_self:
            self._stand_on("timeline")

    # For the application.

    @property
    def parts(self) -> PartPaths:
        """The transcripts of each session."""
        return self._listing.parts

    @property
    def session(self) -> Session | None:
        """The session under the list's cursor, or the open one, depending on the focus."""
        if self._place == "list":
            return self._sessions.session
        path = self.reading.path
        return self._listing.sessions.get(path) if path else None

    @property
    def events(self) -> tuple[Path, list[int]] | None:
        """The open transcript and the addresses of the chosen events; None if there are none."""
        path, offsets = self.reading.path, self.reading.chosen()
        return (path, offsets) if path and offsets and self._place != "list" else None

    def go(self, place: Place) -> None:
        """Focus the list, the timeline or the panes."""
        self._stand_on(place)
        if place == "event":
            self.reading.panes.take_keys()
        else:
            self.set_focus(self._sessions.list if place == "list" else self.reading.timeline)

    def show_event(self, path: Path, offset: int | None, came_from: str = "") -> None:
        """Open a session at the address of an event, or at its bookmark if `offset` is None.

        `came_from` is the place to return to, "" for none.
        """
        path = self.parts.newest(path)
        self._open(path)
        self._sessions.list.select_path(path)
        if offset is not None:
            self.reading.go_to(offset)
        # In a narrow terminal only one pane is visible, and a hit is opened to be read.
        is_read = came_from == "search" and self.has_class("-narrow")
        if is_read:
            self.reading.panes.show("event")
        self._set_way(ReturnPath(came_from, "event" if is_read else "timeline"))
        self.go(self._way.arrived)

    def filter_by(self, words: str, came_from: str) -> None:
        """Show the sessions that match a filter; `came_from` is the place to return to."""
        self._set_way(ReturnPath(came_from, "list"))
        self._sessions.filter_by(words)
        self.go("list")

    # Inside.

    def _follow_moves(self) -> None:
        """Follow the open session into a new transcript, or to a moved file."""
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
    """Return the counts for the top bar; `scope` describes which sessions are listed.

    Sub-agents and hidden sessions are not counted.
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
