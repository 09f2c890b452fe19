"""The messages that the feed posts to the screen.

Each one holds the complete current state, so that a later message can replace an earlier one.
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
"""Minimum number of unread bytes for which progress is shown; fewer are read unnoticed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of the background reading."""

    files_left: int = 0
    bytes_left: int = 0
    bytes_done: int = 0
    seconds_left: int | None = None
    """Estimated from the rate so far; None while there is no estimate."""

    @property
    def left(self) -> str:
        """Describe what is still to be read, such as `3 files and 12 MB to read, 4 s left`."""
        said = f"{count(self.files_left, 'file')} and {self.bytes_left / 1e6:,.0f} MB to read"
        if self.seconds_left is None:
            return said
        time = duration(self.seconds_left * 1000) if self.seconds_left else "under 1 s"
        return f"{said}, {time} left"

    @property
    def percent(self) -> int | None:
        """Percentage of bytes read; None if little is left to read."""
        total = self.bytes_done + self.bytes_left
        return min(99, 100 * self.bytes_done // total) if self.bytes_left > WORTH_SAYING else None


@dataclass(frozen=True, slots=True)
class ReadState:
    """The bookmark of each session, and when the program was first run (ms since the epoch)."""

    marks: Mapping[Path, Bookmark]
    first_run_at: int

    def unread(self, sessions: Iterable[Session]) -> frozenset[Path]:
        """Return the paths of the sessions that were updated after the user saw them."""
        return frozenset(one.path for one in sessions if (one.updated_at or 0) > self._seen(one))

    def read(self, paths: Iterable[Path], now: int) -> dict[Path, Bookmark]:
        """Return the bookmarks that mark these paths as read at `now`."""
        marks = ((path, self.marks.get(path, Bookmark(None, None, now))) for path in paths)
        return {path: replace(mark, seen_at=now) for path, mark in marks}

    def _seen(self, session: Session) -> int:
        mark = self.mark(session)
        return mark.seen_at if mark else self.first_run_at

    def mark(self, session: Session) -> Bookmark | None:
        """Return the latest bookmark of any part of a session."""
        marks = [self.marks[path] for path in session.paths if path in self.marks]
        return max(marks, key=lambda mark: mark.seen_at, default=None)


@dataclass
class SessionsChanged(Message):
    """All sessions in their current state."""

    sessions: list[Session]
    progress: Progress
    bookmarks: ReadState
    problems: list[str] = field(default_factory=list)
    """What could not be read or watched, one sentence each."""

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier list."""
        return isinstance(message, SessionsChanged)


@dataclass
class TranscriptOpened(Message):
    """A requested transcript, loaded from its end or completely."""

    path: Path
    transcript: Transcript
    left: frozenset[int] = frozenset()
    """Indexes of the records on abandoned branches."""
    older: tuple[Transcript, ...] = ()
    """The loaded earlier parts of the session, oldest first."""
    first: int = 0
    """The part number of the first loaded part; 0 is the session's oldest."""


@dataclass
class TranscriptGrew(Message):
    """The open transcript has new records, or was read again after its file was replaced."""

    path: Path
    transcript: Transcript
    left: frozenset[int] = frozenset()
    """Indexes of the records on abandoned branches."""

    def can_replace(self, message: Message) -> bool:
        """Replace an earlier message about the same transcript, which is shared and grows."""
        return isinstance(message, TranscriptGrew) and message.transcript is self.transcript


@dataclass
class ReadingProgress(Message):
    """How much of the open transcript has been read in the background, in percent."""

    path: Path
    percent: int

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier message of this type."""
        return isinstance(message, ReadingProgress)


@dataclass
class InsightChanged(Message):
    """Memory or recovery of the open transcript; the other one is None."""

    path: Path
    memory: SessionMemory | None = None
    recovery: Recovery | None = None

    def can_replace(self, message: Message) -> bool:
        """Replace an earlier message about the same aspect."""
        return isinstance(message, InsightChanged) and (
            (message.memory is None) == (self.memory is None)
        )


@dataclass
class MatchesFound(Message):
    """Records of the open session that contain the words to find."""

    path: Path
    words: str
    matches: list[int]
    """Addresses made of the records' indexes."""
    finished: bool

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier result, as a later one contains it."""
        return isinstance(message, MatchesFound)


@dataclass
class TranscriptLost(Message):
    """The open transcript cannot be read any more, and the reason."""

    path: Path
    reason: str


@dataclass
class CasesChanged(Message):
    """The uncertain actions of the subject, with evidence and verdicts."""

    subject: Subject
    cases: list[Case]
    is_whole: bool = True
    """Whether gathering is finished; False for an intermediate result."""

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier message of this type."""
        return isinstance(message, CasesChanged)


@dataclass
class CandidatesChanged(Message):
    """The memory candidates of the subject, each with its source."""

    subject: Subject
    items: list[Sourced]
    is_whole: bool = True
    """Whether gathering is finished; False for an intermediate result."""

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier message of this type."""
        return isinstance(message, CandidatesChanged)


@dataclass
class DecisionOutcome(Message):
    """The outcome of a decision: a confirmation, or the reason why it was refused."""

    sentence: str
    serious: bool = False


@dataclass(frozen=True, slots=True)
class EligibleEvent:
    """An event that may be proposed for memory; its text is untrusted."""

    path: Path
    event_id: str
    sha256: str
    """Digest of the record's bytes; the proposal is refused if the record has changed since."""
    at: int
    kind: Kind
    text: str


@dataclass
class EligibleEvents(Message):
    """The eligible ones of the requested events."""

    events: list[EligibleEvent]
    refusal: str = ""
    """Why the first of the others is not eligible; "" if all are."""


@dataclass
class ExportText(Message):
    """The approved candidates as text for the clipboard."""

    text: str
    what: str
    """A short description of the text."""
    rest: str
    """An addition to the notice, such as a refusal; may be ""."""


@dataclass
class HitsChanged(Message):
    """The hits so far, newest first, and the progress of the search."""

    sought: SearchRequest
    hits: Sequence[FoundEvent]
    finished: bool
    """Whether the search has stopped, because it is complete or has enough hits."""
    more: bool
    """Whether there are more hits than the requested number."""
    looked_at: int
    sessions: int
    """Number of sessions searched so far (`looked_at`) and in total."""
    percent: int | None
    """Percentage read of what the index does not contain; None if only indexed text is searched."""
    unsearched: int
    """Number of sessions not searched completely because the index is behind."""
    too_long: int = 0
    """Number of sessions with lines that are too long to be searched."""
    subject: Subject = "all"

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier message of this type."""
        return isinstance(message, HitsChanged)


@dataclass
class UsageChanged(Message):
    """Usage of all known sessions in each period."""

    subject: Subject
    reports: Reports
    uncounted: int = 0
    """Number of transcripts not counted completely because the index is behind."""

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier message of this type."""
        return isinstance(message, UsageChanged)


@dataclass
class SessionUseChanged(Message):
    """Usage of the session at a path."""

    subject: Subject
    use: SessionUse

    def can_replace(self, message: Message) -> bool:
        """Replace any earlier message of this type."""
        return isinstance(message, SessionUseChanged)
