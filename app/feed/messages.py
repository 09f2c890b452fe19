"""What the feed tells the screen.

Each carries the whole of what is so now, so that a later one makes earlier ones superfluous.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from ...storage.model.session import Session
from ...storage.private.bookmarks import Bookmark
from ...storage.transcript.transcript import Transcript
from ...widgets.words.amounts import count, duration
from .requests import SearchRequest, Subject

if TYPE_CHECKING:
    from ...storage.model.candidate import Sourced
    from ...storage.model.case import Case
    from ...storage.model.event import Kind
    from ...storage.model.memory import SessionMemory
    from ...storage.model.recovery import Recovery
    from ...storage.model.usage import Reports, SessionUse
    from ...widgets.search.hit_rows import FoundEvent

WORTH_SAYING = 4_000_000
"""Bytes that take long enough to read for a person to notice."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the background reading is."""

    files_left: int = 0
    bytes_left: int = 0
    bytes_done: int = 0
    seconds_left: int | None = None
    """As fast as it went so far; None while nobody knows."""

    @property
    def left(self) -> str:
        """What is still to be read, in a few words."""
        said = f"{count(self.files_left, 'file')} and {self.bytes_left / 1e6:,.0f} MB to read"
        if self.seconds_left is None:
            return said
        time = duration(self.seconds_left * 1000) if self.seconds_left else "under 1 s"
        return f"{said}, {time} left"

    @property
    def percent(self) -> int | None:
        """Of the bytes to read; None while there is little to read."""
        total = self.bytes_done + self.bytes_left
        return min(99, 100 * self.bytes_done // total) if self.bytes_left > WORTH_SAYING else None


@dataclass(frozen=True, slots=True)
class ReadState:
    """Where the person was in each session, and when the program was first run."""

    marks: Mapping[Path, Bookmark]
    first_run_at: int

    def unread(self, sessions: Iterable[Session]) -> frozenset[Path]:
        """Those that have records since the person last looked at them."""
        return frozenset(one.path for one in sessions if (one.updated_at or 0) > self._seen(one))

    def read(self, paths: Iterable[Path], now: int) -> dict[Path, Bookmark]:
        """The bookmarks of these once they are read."""
        marks = ((path, self.marks.get(path, Bookmark(None, None, now))) for path in paths)
        return {path: replace(mark, seen_at=now) for path, mark in marks}

    def _seen(self, session: Session) -> int:
        mark = self.mark(session)
        return mark.seen_at if mark else self.first_run_at

    def mark(self, session: Session) -> Bookmark | None:
        """The latest bookmark in a session, whichever part was its newest then."""
        marks = [self.marks[path] for path in session.paths if path in self.marks]
        return max(marks, key=lambda mark: mark.seen_at, default=None)


@dataclass
class SessionsChanged(Message):
    """The sessions as they are now."""

    sessions: list[Session]
    progress: Progress
    bookmarks: ReadState
    problems: list[str] = field(default_factory=list)
    """What could not be read or watched, a sentence each."""

    def can_replace(self, message: Message) -> bool:
        """Only the latest state matters."""
        return isinstance(message, SessionsChanged)


@dataclass
class TranscriptOpened(Message):
    """The transcript that was asked for, read from its end, or read whole."""

    path: Path
    transcript: Transcript
    left: frozenset[int] = frozenset()
    """Indexes of the records on branches that were left."""
    older: tuple[Transcript, ...] = ()
    """The earlier parts of the session that are loaded, the oldest first."""
    first: int = 0
    """The part, counted from the oldest there is, that the first loaded one is."""


@dataclass
class TranscriptGrew(Message):
    """The open transcript has more records, or was read anew."""

    path: Path
    transcript: Transcript
    left: frozenset[int] = frozenset()
    """Indexes of the records on branches that were left."""

    def can_replace(self, message: Message) -> bool:
        """The transcript itself tells how far it is."""
        return isinstance(message, TranscriptGrew) and message.transcript is self.transcript


@dataclass
class ReadingProgress(Message):
    """How much of the open transcript was read behind the screen."""

    path: Path
    percent: int

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, ReadingProgress)


@dataclass
class InsightChanged(Message):
    """What the records of the open transcript come to, of what was asked for."""

    path: Path
    memory: SessionMemory | None = None
    recovery: Recovery | None = None

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters, of each."""
        return isinstance(message, InsightChanged) and (
            (message.memory is None) == (self.memory is None)
        )


@dataclass
class MatchesFound(Message):
    """Records of the open transcript that hold the words looked for."""

    path: Path
    words: str
    matches: list[int]
    """As addresses in the session, of the records' indexes."""
    finished: bool

    def can_replace(self, message: Message) -> bool:
        """Later ones hold all that was found."""
        return isinstance(message, MatchesFound)


@dataclass
class TranscriptLost(Message):
    """The open transcript cannot be read any more, and why."""

    path: Path
    reason: str


@dataclass
class CasesChanged(Message):
    """The uncertain actions of what is looked at, with evidence and verdicts."""

    subject: Subject
    cases: list[Case]
    is_whole: bool = True
    """Whether that is all of them."""

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, CasesChanged)


@dataclass
class CandidatesChanged(Message):
    """The memory candidates of what is looked at, each beside its source."""

    subject: Subject
    items: list[Sourced]
    is_whole: bool = True
    """Whether that is all of them."""

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, CandidatesChanged)


@dataclass
class DecisionOutcome(Message):
    """What became of something that was decided: kept, or why not."""

    sentence: str
    serious: bool = False


@dataclass(frozen=True, slots=True)
class EligibleEvent:
    """An event that may be remembered; foreign text."""

    path: Path
    event_id: str
    sha256: str
    """Of the record's bytes: what is kept is what was shown."""
    at: int
    kind: Kind
    text: str


@dataclass
class EligibleEvents(Message):
    """Of the events that were asked for, those that may be remembered."""

    events: list[EligibleEvent]
    refusal: str = ""
    """Why the others, or the first of them, may not; "" where all may."""


@dataclass
class ExportText(Message):
    """The approved candidates as text for the clipboard."""

    text: str
    what: str
    """What the text is, in a few words."""
    rest: str
    """What else is to be said."""


@dataclass
class HitsChanged(Message):
    """The hits so far, newest first, and how far the search is."""

    sought: SearchRequest
    hits: Sequence[FoundEvent]
    finished: bool
    """Whether nothing more is looked for: there is nothing, or enough was found."""
    more: bool
    """Whether there are more hits than were wanted."""
    looked_at: int
    sessions: int
    """How many of the sessions were looked at, and how many there are to look at."""
    percent: int | None
    """How much was read of what the index does not hold; None where that is not asked for."""
    unsearched: int
    """Sessions that were not searched, or not whole: the index is behind."""
    too_long: int = 0
    """Sessions with lines that are too long to be searched."""
    subject: Subject = "all"

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, HitsChanged)


@dataclass
class UsageChanged(Message):
    """What was used in each period, in all sessions that are known."""

    subject: Subject
    reports: Reports
    uncounted: int = 0
    """Transcripts that are not counted, or not whole: the index is behind."""

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, UsageChanged)


@dataclass
class SessionUseChanged(Message):
    """What the session at a path used."""

    subject: Subject
    use: SessionUse

    def can_replace(self, message: Message) -> bool:
        """Only the latest matters."""
        return isinstance(message, SessionUseChanged)
