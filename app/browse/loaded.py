"""What is loaded of the open session: its rows, made anew where more comes or its past changed."""

from __future__ import annotations

from ...storage.model.session import Session
from ...storage.model.timeline import Alive, Row, Verdict
from ...storage.timeline.session_rows import SessionRows
from ...storage.transcript.transcript import Transcript
from ...widgets.timeline.timeline import Jump, Step, TimelineSource
from ..feed.messages import TranscriptGrew, TranscriptOpened


class NoRows:
    """The rows of the timeline before a session is open."""

    complete = True

    def __len__(self) -> int:
        return 0

    def __getitem__(self, index: int, /) -> Row:
        raise IndexError(index)

    def place_of(self, offset: int) -> int | None:
        """Nowhere."""
        return None

    def next_of(self, jump: Jump, start: int, step: Step) -> int | None:
        """Nowhere."""
        return None


NO_ROWS: TimelineSource = NoRows()


class Loaded:
    """The rows of one session, None until its transcript is there, and what they show."""

    def __init__(self) -> None:
        self.rows: SessionRows | None = None
        self.alive: Alive = False
        """Whether results may still come."""
        self._verdicts: dict[str, Verdict] = {}
        self._older: tuple[Transcript, ...] = ()
        self._first_part = 0
        self._left: frozenset[int] = frozenset()
        self._generation = 0

    def know(self, session: Session | None) -> bool:
        """Take verdicts and state of the session; whether that changes the rows."""
        self.alive = session.alive if session else False
        self._verdicts = dict(session.verdicts) if session else {}
        if self.rows is None:
            return False
        changed = self.rows.settle(self._verdicts) | (self.rows.alive is not self.alive)
        if changed:
            self.rows.alive = self.alive
        return changed

    def open(self, message: TranscriptOpened, depth: int) -> SessionRows:
        """The rows of a transcript from its end, or now from its beginning."""
        self._left, self._older, self._first_part = message.left, message.older, message.first
        return self.build(message.transcript, depth)

    def grow(self, message: TranscriptGrew) -> list[int] | None:
        """The rows that new records changed; None where all have to be built anew."""
        left, self._left = self._left, message.left
        is_other = message.transcript.generation != self._generation or left != self._left
        return None if is_other or self.rows is None else self.rows.grow()

    def build(self, transcript: Transcript, depth: int) -> SessionRows:
        """The rows of its parts, the newest being that transcript, at a depth."""
        parts = (*self._older, transcript)
        rows = SessionRows(parts, self._first_part, depth, self.alive, self.rows)
        rows.leave(self._left)
        rows.settle(self._verdicts)
        self.rows, self._generation = rows, transcript.generation
        return rows
