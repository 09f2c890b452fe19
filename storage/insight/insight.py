"""The memory of an open session, and what could be restored after a restart.

Both are folds over the same events. They advance a slice at a time, so that a long session does not
block the UI and each further record only costs itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..memory.fold import MemoryFold
from ..model.event import Event
from ..model.memory import SessionMemory
from ..model.recovery import Fold, Recovery
from ..model.timeline import Alive
from ..review.effects import KeptEffects
from ..transcript.continuations import address
from ..transcript.transcript import Transcript
from .recover import concluded, fold_for, whole_integrity, with_effects, with_running

SLICE = 200
"""Records folded at a time: takes a few milliseconds."""


class Insight:
    """Memory and recovery of a session whose transcripts are read from the beginning.

    `older` are its earlier parts, oldest first, which do not grow. Offsets in the results are
    addresses in the session.
    """

    def __init__(self, transcript: Transcript, older: Sequence[Transcript] = ()) -> None:
        self._parts = (*older, transcript)
        self._effects = KeptEffects()
        self._part = 0
        self._folded = 0
        """Number of records of the current part that were folded."""
        self._earlier = 0
        """Number of events in the parts before it."""
        self._memory: MemoryFold
        self._recovery: Fold
        self._begin()

    @property
    def transcript(self) -> Transcript:
        """The newest part."""
        return self._parts[-1]

    @property
    def paths(self) -> list[Path]:
        """The paths of the parts, oldest first."""
        return [part.path for part in self._parts]

    def goes_on_in(self, transcripts: Sequence[Transcript]) -> bool:
        """Switch to these transcripts if they begin with the current parts; return whether so."""
        count = len(self._parts)
        known = [one.path for one in transcripts[:count]]
        if known != self.paths or transcripts[count - 1] is not self._parts[-1]:
            return False
        self._parts = (*self._parts, *transcripts[count:])
        return True

    @property
    def share(self) -> float:
        """The fraction of the transcripts that was folded, 0 to 1."""
        total = sum(len(one.positions) for one in self._parts)
        before = sum(len(one.positions) for one in self._parts[: self._part])
        return (before + self._folded) / total if total else 1.0

    def advance(self) -> bool:
        """Fold the next slice; return whether there is more. Raises OSError if reading fails."""
        if self._basis != self._basis_now():
            self._begin()
        transcript = self._parts[self._part]
        end = min(self._folded + SLICE, len(transcript.positions))
        if self._folded < end:
            with transcript.reading() as read:
                for index in range(self._folded, end):
                    self._add(read(index))
                    self._folded = index + 1
        if self._folded < len(transcript.positions):
            return True
        return self._goes_on_with_next()

    def _goes_on_with_next(self) -> bool:
        """Switch to the next part; return whether there is one."""
        if self._part == len(self._parts) - 1:
            return False
        tail = self._parts[self._part].tail()
        for event in tail:
            self._add(event)
        self._earlier += self._folded + len(tail)
        self._part, self._folded = self._part + 1, 0
        self._basis = self._basis_now()
        return True

    def _add(self, event: Event) -> None:
        if self._part:
            place = event.place
            place = place._replace(offset=address(self._part, place.offset))
            event = event._replace(place=place)
        self._memory.add(event)
        self._recovery.add(event)

    def memory(self, alive: Alive) -> SessionMemory:
        """Return the session's memory; `alive`: whether its agent can still deliver results."""
        since = self._parts[0].inherited_before
        return replace(self._memory.memory(alive, since), session=self.transcript.session)

    def recovery(self, alive: Alive, now: int = 0) -> Recovery:
        """Return what a restart would restore, without the unterminated tail; nothing if corrupt.

        `now` (ms since 1970) determines when the cached search for unrecorded effects is repeated.
        """
        integrity, tail = self.transcript.ending()
        whole = whole_integrity(self.transcript, integrity, self._parts[:-1])
        recovery = concluded(self.transcript, (whole, tail), self._recovery, self._earlier)
        recovery = with_running(recovery, self._parts, alive)
        if alive is not False or recovery.restored is None:
            return recovery
        effects = self._effects.of(self.transcript, now)
        return with_effects(recovery, self.transcript, effects.actions)

    def _begin(self) -> None:
        transcript = self.transcript
        self._part = self._folded = self._earlier = 0
        self._basis = self._basis_now()
        self._memory = MemoryFold(transcript.session, transcript.agent)
        self._recovery = fold_for(transcript)

    def _basis_now(self) -> tuple[int, str, int]:
        """Return what the folds are based on; they restart when the file or the branch changes."""
        transcript = self._parts[self._part]
        return transcript.generation, transcript.agent.name, transcript.facts.branchings
