"""The right side of the main screen: header, timeline and panes of the open session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from ...storage.model.session import Session
from ...storage.private.bookmarks import Bookmark
from ...storage.timeline.session_rows import SessionRows
from ...storage.transcript.transcript import Transcript
from ...widgets.base.session_header import SessionHeader
from ...widgets.timeline.timeline import DEPTHS, Jump, Step, Timeline
from ...widgets.words.matches import literal
from ...widgets.words.safe import safe
from ..base import keys
from ..feed.messages import (
    CandidatesChanged,
    CasesChanged,
    InsightChanged,
    MatchesFound,
    ReadingProgress,
    TranscriptGrew,
    TranscriptLost,
    TranscriptOpened,
)
from ..notify.toast import say
from .backfill import Backfill
from .find import GO_ON, FindBox, Finding, nearest, none_shown, not_there
from .loaded import NO_ROWS, Loaded
from .panes import ASPECTS, Panes

if TYPE_CHECKING:
    from ...widgets.facts.pane import FactsPane
    from ...widgets.words.matches import Patterns
    from ..feed.feed import Feed

DEPTH = 3
"""The initial depth: thoughts, calls, prompts and answers."""

GLANCED = 2_000
"""Maximum milliseconds for which a session is shown without counting as read."""

NOTHING_OPEN = "Select a session to view it."
NOTHING_WRITTEN = "No events yet."


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit of the user to a session, which decides whether it counts as read."""

    path: Path | None = None
    """The transcript that is open or is being opened."""
    bookmark: Bookmark | None = None
    opened_at: int = 0
    is_entered: bool = False

    def was_read(self, now: int) -> bool:
        """Whether the session was focused, or shown for longer than `GLANCED`."""
        return self.is_entered or now - self.opened_at > GLANCED


class OpenSession(Vertical):
    """Shows one session that the feed reads, at its end or at its bookmark."""

    BINDINGS: ClassVar[list[BindingType]] = keys.READING

    class SourceShown(Message):
        """Posted when the timeline should be focused, at the source of a fact."""

    def __init__(self, feed: Feed, now: Callable[[], int], id: str | None = None) -> None:
        super().__init__(id=id)
        self.timeline = Timeline(NO_ROWS, depth=DEPTH, empty=NOTHING_OPEN, id="timeline")
        self.panes = Panes(id="panes")
        self._header = SessionHeader(id="header")
        self._box = FindBox(id="find")
        self._feed = feed
        self._now = now
        self._visit = Visit()
        self._loaded = Loaded()
        self._earlier = Backfill(feed, self.timeline, self.go_to)
        self._finding = Finding()
        self._state = ""
        """The state of the transcript, shown above the timeline; may contain untrusted text."""

    def compose(self) -> ComposeResult:
        """Yield the header, the find box, the timeline and the panes."""
        yield from (self._header, self._box, self.timeline, self.panes)

    @property
    def path(self) -> Path | None:
        """The transcript that is open or is being opened."""
        return self._visit.path

    @property
    def rows(self) -> SessionRows | None:
        """The rows at the shown depth; None until the transcript is loaded."""
        return self._loaded.rows

    # Commands.

    def open(self, path: Path, session: Session | None, bookmark: Bookmark | None) -> None:
        """Request a transcript from the feed and leave the open one."""
        if path == self.path:
            return
        self.leave()
        self._visit = Visit(path, bookmark, self._now())
        self._loaded = Loaded()
        self._earlier.begin()
        self._state = ""
        self._look_for(Finding())
        self.panes.forget()
        self.show_session(session)
        self._feed.open(path)

    def leave(self) -> None:
        """Save the bookmark of the open session, if it counts as read."""
        rows, timeline, now = self.rows, self.timeline, self._now()
        if self.path and rows is not None and len(rows) and self._visit.was_read(now):
            cursor = None if timeline.follow else rows[timeline.cursor].offset
            self._feed.keep({self.path: Bookmark(cursor, rows.end, now)})

    def enter(self) -> None:
        """Note that the session was focused, so that it counts as read."""
        self._visit = replace(self._visit, is_entered=True)

    def goes_on_in(self, path: Path) -> None:
        """Note that the open session has a new transcript, which the feed will post."""
        self._visit = replace(self._visit, path=path)

    def show_session(self, session: Session | None) -> None:
        """Update what depends on the session's state and the time."""
        self._header.show(session, self._now())
        self.panes.show_marks(session)
        self.timeline.set_candidates(session.remembered if session else ())
        self.timeline.set_uncertain(bool(session and session.uncertain))
        if self._loaded.know(session):
            self.timeline.refresh()
            self._detail()

    def told(self, message: CasesChanged | CandidatesChanged) -> None:
        """Show the cases or candidates of the session."""
        if message.subject != self.path:
            return
        if isinstance(message, CasesChanged):
            self.panes.told_cases(message, self._now())
        else:
            self.panes.told_candidates(message, self._now())

    def look_again(self) -> None:
        """Request the data of the shown tab again, as another place has replaced the request."""
        self._feed.look_at(ASPECTS[self.panes.shown])

    def chosen(self) -> list[int]:
        """Return the addresses of the marked events, or of the one under the cursor."""
        marked = sorted(mark for mark in self.timeline.marks if isinstance(mark, int))
        current = self.timeline.current
        return marked or ([current.offset] if current else [])

    def opened(self, message: TranscriptOpened) -> None:
        """Show the transcript that was loaded, from its end or completely."""
        if message.path != self.path:
            return
        before, rows = self.rows, self._loaded.open(message, self.timeline.depth)
        self._show_rows(rows, before)
        if before is None and self._earlier.wanted is None:
            self._go_to_bookmark()
        self._earlier.loaded(self.path, rows)

    def grew(self, message: TranscriptGrew) -> None:
        """Show new records of the transcript."""
        if message.path != self.path or self.rows is None:
            return
        touched = self._loaded.grow(message)
        if touched is None:
            self._build(message.transcript, self.timeline.depth)
            self._detail()
            return
        for row in touched:
            self.timeline.changed(row)
        self.timeline.grew()
        if self.timeline.cursor in touched:
            self._detail()

    def lost(self, message: TranscriptLost) -> None:
        """Report that the transcript cannot be read any more."""
        if message.path == self.path:
            self._state = f"The transcript cannot be read: {message.reason}"
            self._show_state()
            say(self.app, self._state, serious=True)

    def understood(self, message: InsightChanged) -> None:
        """Show memory or recovery of the session."""
        if message.path == self.path:
            self.panes.understood(message)

    def found(self, message: MatchesFound) -> None:
        """Show the matches found so far."""
        words = self._finding.words
        is_mine = (message.path, message.words) == (self.path, words)
        if not (words and is_mine) or self.rows is None:
            return
        self.rows.match(message.matches)
        if message.finished and not self._finding.is_at_match:
            self._to_first_match(self.rows, len(message.matches))
        self._show_state()

    def ahead(self, message: ReadingProgress) -> None:
        """Show how much of the transcript has been read in the background."""
        if message.path == self.path:
            self._state = f"reading {message.percent} %"
            self._show_state()

    def find(self) -> None:
        """Show the box for the words to find."""
        self._box.ask()

    def end_finding(self) -> bool:
        """Hide the box; return whether it was visible."""
        return self._box.put_away()

    def find_no_more(self) -> bool:
        """Clear the words to find; return whether there were any."""
        if not self._finding.words or self._finding.is_at_match:
            return False
        self._look_for(Finding())
        self._feed.find("")
        return True

    def seek(self, word: str, patterns: Patterns) -> None:
        """Highlight what a search in all sessions found, and find `word` for the key `n`."""
        self.panes.show("event")
        self._look_for(Finding(word, patterns, is_at_match=True, is_due=bool(word)))
        self._find_sought()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key applies now; those to the next match only with words to find."""
        return action != "jump" or bool(self._finding.words)

    def action_jump(self, jump: Jump, step: Step) -> None:
        """Jump in the timeline while the panes below it have the focus."""
        self.timeline.action_jump(jump, step)

    # Messages of the widgets.

    @on(Input.Submitted, "#find")
    def _find_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        words = event.value.strip()
        self.end_finding()
        self.screen.set_focus(self.timeline)
        self._look_for(Finding(words, literal(words)))
        if words:
            self._feed.find(words)

    @on(Panes.Turned)
    def _turned(self, event: Panes.Turned) -> None:
        event.stop()
        self._feed.look_at(event.aspect)

    def on_facts_pane_source_wanted(self, event: FactsPane.SourceWanted) -> None:
        """Go to the event that is the source of a fact."""
        self.go_to(event.offset)
        self.post_message(self.SourceShown())

    def go_to(self, address: int) -> None:
        """Go to the record at an address, at the full depth if it is hidden at the current one.

        If the record is not loaded yet, this happens when it is.
        """
        self._earlier.wanted = address
        if (rows := self.rows) is None:
            return
        if not rows.reaches(address):
            self._earlier.ask_parts(self.path, rows)
            return
        if rows.row_showing(address) is None:
            self.timeline.set_depth(len(DEPTHS))
            rows = self._build(rows.transcript, len(DEPTHS))
        if (row := rows.row_showing(address)) is not None:
            self._earlier.wanted = None
            self.timeline.select(row)
            self._find_sought()

    @on(Timeline.Highlighted)
    def _highlighted(self, event: Timeline.Highlighted) -> None:
        event.stop()
        self._finding.moved()
        self._show_state()
        self._detail()

    @on(Timeline.Jumped)
    def _jumped(self, event: Timeline.Jumped) -> None:
        event.stop()
        if event.jump == "match":
            self._finding.stepped(event.step, event.wrapped)
            self._show_state()

    @on(Timeline.DepthChanged)
    def _depth_changed(self, event: Timeline.DepthChanged) -> None:
        if self.rows is not None:
            self._build(self.rows.transcript, event.depth)
        say(self.app, f"Showing {DEPTHS[event.depth - 1]}")

    @on(Timeline.EarlierWanted)
    def _earlier_wanted(self, event: Timeline.EarlierWanted) -> None:
        self._earlier.ask(self.path, self.rows, event.has_room)

    @on(Timeline.FirstWanted)
    def _first_wanted(self) -> None:
        self._earlier.wants_first = True
        self._earlier.ask_parts(self.path, self.rows)
        say(self.app, "Loading earlier events …")

    @on(Timeline.JumpFailed)
    def _jump_failed(self, event: Timeline.JumpFailed) -> None:
        if not self._earlier.jumps(self.path, self.rows, event):
            say(self.app, not_there(event))

    # Inside.

    def _to_first_match(self, rows: SessionRows, count: int) -> None:
        """Go to the nearest match, or report that none is shown."""
        place = nearest(rows, self.timeline.cursor)
        if place is None:
            say(self.app, none_shown(self._finding.words, count))
        else:
            self.timeline.select(place)
            self._finding.note = GO_ON

    def _find_sought(self) -> None:
        if self._finding.is_due and self._earlier.wanted is None:
            self._finding.is_due = False
            self._feed.find(self._finding.words)

    def _look_for(self, finding: Finding) -> None:
        """Replace the words to find; there are no matches until the feed posts them."""
        if finding.patterns != self._finding.patterns:
            self.panes.event.mark(finding.patterns)
        self._finding = finding
        if self.rows is not None:
            self.rows.match(())
        self._show_state()
        self.refresh_bindings()

    def _show_state(self) -> None:
        """Show above the timeline how far it was read, and the current match."""
        found = self._finding.state(self.rows, self.timeline.cursor)
        state = safe(" · ".join(filter(None, (self._state, found))), 160)
        self.timeline.border_title = state
        if (narrow := self.screen.has_class("-narrow")) or self.panes.border_title:
            self.panes.border_title = state if narrow else ""

    def _build(self, transcript: Transcript, depth: int) -> SessionRows:
        before, rows = self.rows, self._loaded.build(transcript, depth)
        self._show_rows(rows, before)
        return rows

    def _show_rows(self, rows: SessionRows, before: SessionRows | None) -> None:
        if rows.is_first_whole:
            self._state = ""
        self.timeline.set_parts(rows.begins)
        if before and rows.goes_on_from(before):
            self.timeline.go_on(rows)
        else:
            self.timeline.show(rows, empty=NOTHING_WRITTEN, keep=before is not None)
        self._show_state()
        if not len(rows):
            self.panes.event.show(None)

    def _go_to_bookmark(self) -> None:
        timeline, mark = self.timeline, self._visit.bookmark
        timeline.set_read_to(mark.read_to if mark else None)
        timeline.action_last()
        self._earlier.mark = mark.cursor if mark else None

    def _detail(self) -> None:
        if self.rows and len(self.rows):
            where = self.rows.where(min(self.timeline.cursor, len(self.rows) - 1))
            self.panes.show_record(where, self._loaded.alive, self.timeline.follow)
