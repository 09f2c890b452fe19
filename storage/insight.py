"""What the records of an open session come to: its memory, and what a restart would restore.

Both are folds over the same events. They are brought up to a transcript a slice at a time, so
that a long session is understood behind the screen, and one more record costs only itself.
"""

from __future__ import annotations

from dataclasses import replace

from .action import Action
from .memory import SessionMemory
from .memory_fold import MemoryFold
from .recovering import concluded, fold_for
from .recovery import Fold, Recovery
from .tools import QUESTIONS
from .transcript import Transcript

SLICE = 200
"""Records folded at a time: a few milliseconds."""


class Insight:
    """Memory and recovery of one transcript that is read from its beginning."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self._folded = 0
        self._memory: MemoryFold
        self._recovery: Fold
        self._begin()

    @property
    def share(self) -> float:
        """How much of the transcript was folded, 0 to 1."""
        total = len(self.transcript.positions)
        return self._folded / total if total else 1.0

    def advance(self) -> bool:
        """Fold a slice of what is new; whether there is more. Raises OSError as reading does."""
        if self._basis != self._basis_now():
            self._begin()
        end = min(self._folded + SLICE, len(self.transcript.positions))
        if self._folded < end:
            with self.transcript.reading() as read:
                for index in range(self._folded, end):
                    event = read(index)
                    self._memory.add(event)
                    self._recovery.add(event)
                    self._folded = index + 1
        return self._folded < len(self.transcript.positions)

    def memory(self, alive: bool) -> SessionMemory:
        """The session's memory; `alive`: somebody may bring the results of open calls."""
        return self._memory.memory(alive)

    def recovery(self, alive: bool) -> Recovery:
        """What a restart would restore, the unterminated tail left out; nothing if corrupt.

        Calls that somebody may bring a result for, a question its person, are told as running.
        """
        recovery = concluded(self.transcript, self.transcript.ending(), self._recovery)
        if (restored := recovery.restored) is None:
            return recovery
        open_calls = tuple(self._as_it_is(action, alive) for action in restored.uncertain)
        return replace(recovery, restored=replace(restored, uncertain=open_calls))

    def _as_it_is(self, action: Action, alive: bool) -> Action:
        if not alive and action.tool not in QUESTIONS:
            return action
        current = {call.offset for call in self.transcript.facts.current_calls()}
        return replace(action, state="running") if action.offset in current else action

    def _begin(self) -> None:
        transcript = self.transcript
        self._basis = self._basis_now()
        self._folded = 0
        self._memory = MemoryFold(transcript.session, transcript.dialect.NAME)
        self._recovery = fold_for(transcript)

    def _basis_now(self) -> tuple[int, str, int]:
        """What the folds stand on: another file, or another branch, and they begin anew."""
        transcript = self.transcript
        return transcript.generation, transcript.dialect.NAME, transcript.facts.notices
