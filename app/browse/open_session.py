"""The open session: its head, its timeline and the event under the cursor."""

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
"""Thoughts, calls, prompts and answers; the rest is noise until it is asked for."""

GLANCED = 2_000
"""Milliseconds for which a session may be shown without counting as read."""

NOTHING_OPEN = "Select a session to view it."
NOTHING_WRITTEN = "No events yet."


@dataclass(frozen=True, slots=True)
class Visit:
    """The user at a session: since when, where they were before, whether they turned to it."""

    path: Path | None = None
    """The transcript that is open or about to be."""
    bookmark: Bookmark | None = None
    opened_at: int = 0
    is_entered: bool = False

    def was_read(self, now: int) -> bool:
        """Whether they turned to it or looked for a while: passing by is not reading."""
        return self.is_entered or now - self.opened_at > GLANCED


class OpenSession(Vertical):
    """Shows one transcript, which the feed reads, from its end or from where one was."""

    BINDINGS: ClassVar[list[BindingType]] = keys.READING

    class SourceShown(Message):
        """The timeline is to be shown, with the event that a line comes from."""

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
        """What is said of the transcript itself, over the timeline; foreign."""

    def compose(self) -> ComposeResult:
        """Head, timeline, event."""
        yield from (self._header, self._box, self.timeline, self.panes)

    @property
    def path(self) -> Path | None:
        """The transcript that is open or about to be."""
        return self._visit.path

    @property
    def rows(self) -> SessionRows | None:
        """Its rows at the depth that is shown, once it is loaded."""
        return self._loaded.rows

    # Verbs.

    def open(self, path: Path, session: Session | None, bookmark: Bookmark | None) -> None:
        """Ask for a transcript; what was open is left."""
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
        """Remember where the person is in the open session."""
        rows, timeline, now = self.rows, self.timeline, self._now()
        if self.path and rows is not None and len(rows) and self._visit.was_read(now):
            cursor = None if timeline.follow else rows[timeline.cursor].offset
            self._feed.keep({self.path: Bookmark(cursor, rows.end, now)})

    def enter(self) -> None:
        """The person turned to the session: what is shown now counts as read."""
        self._visit = replace(self._visit, is_entered=True)

    def goes_on_in(self, path: Path) -> None:
        """The open session goes on in another transcript, which is told of next."""
        self._visit = replace(self._visit, path=path)

    def show_session(self, session: Session | None) -> None:
        """The open session's state changed, or time went by."""
        self._header.show(session, self._now())
        self.panes.show_marks(session)
        self.timeline.set_candidates(session.remembered if session else ())
        self.timeline.set_uncertain(bool(session and session.uncertain))
        if self._loaded.know(session):
            self.timeline.refresh()
            self._detail()

    def told(self, message: CasesChanged | CandidatesChanged) -> None:
        """The session's cases or candidates, as they are looked at."""
        if message.subject != self.path:
            return
        if isinstance(message, CasesChanged):
            self.panes.told_cases(message, self._now())
        else:
            self.panes.told_candidates(message, self._now())

    def look_again(self) -> None:
        """Ask anew for what the tab shows: something else was looked at meanwhile."""
        self._feed.look_at(ASPECTS[self.panes.shown])

    def chosen(self) -> list[int]:
        """The offsets of the marked events, or of the one under the cursor."""
        marked = sorted(mark for mark in self.timeline.marks if isinstance(mark, int))
        current = self.timeline.current
        return marked or ([current.offset] if current else [])

    def opened(self, message: TranscriptOpened) -> None:
        """The transcript is there, from its end; or now from its beginning."""
        if message.path != self.path:
            return
        before, rows = self.rows, self._loaded.open(message, self.timeline.depth)
        self._show_rows(rows, before)
        if before is None and self._earlier.wanted is None:
            self._go_to_bookmark()
        self._earlier.loaded(self.path, rows)

    def grew(self, message: TranscriptGrew) -> None:
        """The transcript has more records."""
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
        """The transcript cannot be read any more."""
        if message.path == self.path:
            self._state = f"The transcript cannot be read: {message.reason}"
            self._show_state()
            say(self.app, self._state, serious=True)

    def understood(self, message: InsightChanged) -> None:
        """What the session comes to, of what is looked at."""
        if message.path == self.path:
            self.panes.understood(message)

    def found(self, message: MatchesFound) -> None:
        """What a search found so far."""
        words = self._finding.words
        is_mine = (message.path, message.words) == (self.path, words)
        if not (words and is_mine) or self.rows is None:
            return
        self.rows.match(message.matches)
        if message.finished and not self._finding.is_at_match:
            self._to_first_match(self.rows, len(message.matches))
        self._show_state()

    def ahead(self, message: ReadingProgress) -> None:
        """How much of the transcript was read behind what is shown."""
        if message.path == self.path:
            self._state = f"reading {message.percent} %"
            self._show_state()

    def find(self) -> None:
        """Ask for words to find."""
        self._box.ask()

    def end_finding(self) -> bool:
        """Put the box away; whether it was there."""
        return self._box.put_away()

    def find_no_more(self) -> bool:
        """Forget what was looked for here; whether anything was."""
        if not self._finding.words or self._finding.is_at_match:
            return False
        self._look_for(Finding())
        self._feed.find("")
        return True

    def seek(self, word: str, patterns: Patterns) -> None:
        """Mark what was looked for elsewhere, and find a word of it for `n` to go on with."""
        self.panes.show("event")
        self._look_for(Finding(word, patterns, is_at_match=True, is_due=bool(word)))
        self._find_sought()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """From match to match where something is looked for."""
        return action != "jump" or bool(self._finding.words)

    def action_jump(self, jump: Jump, step: Step) -> None:
        """As in the timeline, from the panes beside it."""
        self.timeline.action_jump(jump, step)

    # What the widgets say.

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
        """Go to the event that a line comes from."""
        self.go_to(event.offset)
        self.post_message(self.SourceShown())

    def go_to(self, address: int) -> None:
        """Go to the event of the record at an address, at a depth at which it is shown.

        Where the session is not open yet, or was not read so far back, that happens later.
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
        """Go to the nearest record that holds the words, or say that there is none."""
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
        """Mark it from now on, and know of no match until it is found."""
        if finding.patterns != self._finding.patterns:
            self.panes.event.mark(finding.patterns)
        self._finding = finding
        if self.rows is not None:
            self.rows.match(())
        self._show_state()
        self.refresh_bindings()

    def _show_state(self) -> None:
        """Say over what is shown how far it was read, and which match one is at."""
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
