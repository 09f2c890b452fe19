"""The transcripts of one session in several files, read to their ends, presented as one.

Joins what belongs together across files: a call and its late result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from ..folds.facts import Facts
from ..model.event import Event
from ..model.integrity import Integrity
from .continuations import Late, judged, late_records
from .transcript import Transcript


class Parts:
    """Transcripts, oldest first; usually just one. Parts are counted from the oldest."""

    def __init__(self, transcripts: Sequence[Transcript]) -> None:
        self.transcripts = tuple(transcripts)
        self._known: list[int] = []
        """How many late records each part had when they were last looked at."""
        self._late: dict[tuple[int, int], Late] = {}

    @property
    def newest(self) -> Transcript:
        """The newest part, which grows."""
        return self.transcripts[-1]

    @property
    def older(self) -> tuple[Transcript, ...]:
        """The earlier parts."""
        return self.transcripts[:-1]

    @property
    def paths(self) -> list[Path]:
        """The paths of the parts."""
        return [transcript.path for transcript in self.transcripts]

    def holding(self, session: str) -> Transcript:
        """Return the part with a session id; the newest if none has it."""
        found = (one for one in self.transcripts if one.session == session)
        return next(found, self.newest)

    def events(self) -> Iterator[Event]:
        """Yield the events of all parts, including their tails. Raises OSError."""
        for transcript in self.transcripts:
            yield from chain(transcript.events(), transcript.tail())

    def integrity(self) -> Integrity:
        """Return the integrity: that of the newest part, unless an older one is corrupt."""
        return judged([(one.path, one.integrity()) for one in self.transcripts])

    def ties(self, part: int) -> Ties:
        """Return what belongs to the calls of one part but is in another."""
        facts = [one.facts for one in self.transcripts]
        known = [len(one.ancestry.late) for one in facts]
        if known != self._known:
            self._known, self._late = known, late_records(facts)
        return Ties(facts, part, self.transcripts.__getitem__, self._late)


class Ties:
    """What belongs to the calls of one part of a session but is in another part.

    `facts` are those of all parts, `load` returns the transcript of one.
    """

    def __init__(
        self,
        facts: Sequence[Facts],
        part: int,
        load: Callable[[int], Transcript],
        late: Mapping[tuple[int, int], Late] | None = None,
    ) -> None:
        self._part = part
        self._load = load
        self._late = late_records(facts) if late is None else late
        self.is_awaited = not any(map(_moved_on, facts[part + 1 :]))
        """Whether results may still come for calls of the part, where its agent is at work.

        Calls of one response may stand on both sides of where a session went on in a new file;
        once it moved on there, those before it are not waited for.
        """

    def answers(self, number: int) -> bool:
        """Return whether the open call with a number continues in a later part."""
        return (self._part, number) in self._late

    def late(self, index: int) -> Event | None:
        """Return the result or start, in a later part, of the open call at a 0-based index."""
        found = self._found(index)
        return found[0].event(found[1]) if found else None

    def end(self, index: int) -> Event | None:
        """Return the result in a later part, even if the call only started there."""
        if (found := self._found(index)) is None:
            return None
        event, other = found[0].with_other(found[1])
        return other if event.stage == "started" and other is not None else event

    def call(self, offset: int) -> Event | None:
        """Return the call in an earlier part that the event at an address belongs to."""
        own = Late(self._part, offset)
        call = next((call for call, late in self._late.items() if late == own), None)
        if call is None:
            return None
        part, number = call
        transcript = self._load(part)
        return transcript.event(transcript.positions.start_of(number - 1))

    def _found(self, index: int) -> tuple[Transcript, int] | None:
        late = self._late.get((self._part, index + 1))
        if late is None:
            return None
        transcript = self._load(late.part)
        at = transcript.positions.index_at(late.offset)
        return (transcript, at) if at >= 0 else None


def _moved_on(facts: Facts) -> bool:
    """Return whether a part goes beyond the response that was in progress when it began."""
    batches = (call.batch for calls in [*facts.open_calls.values()] for call in [*calls])
    return bool(facts.moved_on) or max(batches, default=0) > 1
