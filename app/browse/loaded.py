"""The loaded rows of the open session, rebuilt when parts are added or earlier records change."""

from __future__ import annotations

from ...storage.model.session import Session
from ...storage.model.timeline import Alive, Row, Verdict
from ...storage.timeline.session_rows import SessionRows
from ...storage.transcript.transcript import Transcript
from ...widgets.timeline.timeline import Jump, Step, TimelineSource
from ..feed.messages import TranscriptGrew, TranscriptOpened


class NoRows:
    """The empty timeline that is shown before a session is open."""

    complete = True

    def __len__(self) -> int:
        return 0

    def __getitem__(self, index: int, /) -> Row:
        raise IndexError(index)

    def place_of(self, offset: int) -> int | None:
        """Return None."""
        return None

    def next_of(self, jump: Jump, start: int, step: Step) -> int | None:
        """Return None."""
        return None


NO_ROWS: TimelineSource = NoRows()


class Loaded:
    """The rows of one session and the state that they display.

    `rows` is None until the transcript is loaded.
    """

    def __init__(self) -> None:
        self.rows: SessionRows | None = None
        self.alive: Alive = False
        """Whether the agent is running, so that results may still arrive."""
        self._verdicts: dict[str, Verdict] = {}
        self._older: tuple[Transcript, ...] = ()
        self._first_part = 0
        self._left: frozenset[int] = frozenset()
        self._generation = 0

    def know(self, session: Session | None) -> bool:
        """Take over the verdicts and state of the session; return whether that changes the rows."""
        self.alive = session.alive if session else False
        self._verdicts = dict(session.verdicts) if session else {}
        if self.rows is None:
            return False
        changed = self.rows.settle(self._verdicts) | (self.rows.alive is not self.alive)
        if changed:
            self.rows.alive = self.alive
        return changed

    def open(self, message: TranscriptOpened, depth: int) -> SessionRows:
        """Build the rows of a transcript that was loaded from its end or completely."""
        self._left, self._older, self._first_part = message.left, message.older, message.first
        return self.build(message.transcript, depth)

    def grow(self, message: TranscriptGrew) -> list[int] | None:
        """Return the rows changed by new records; None if all must be rebuilt."""
        left, self._left = self._left, message.left
        is_other = message.transcript.generation != self._generation or left != self._left
        return None if is_other or self.rows is None else self.rows.grow()

    def build(self, transcript: Transcript, depth: int) -> SessionRows:
        """Build the rows of all loaded parts, of which `transcript` is the newest, at a depth."""
        parts = (*self._older, transcript)
        rows = SessionRows(parts, self._first_part, depth, self.alive, self.rows)
        rows.leave(self._left)
        rows.settle(self._verdicts)
        self.rows, self._generation = rows, transcript.generation
        return rows
