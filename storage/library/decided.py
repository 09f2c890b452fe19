"""The user's decisions about a session, as the list needs them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from ..decisions.decisions import Decisions, Personal, RecordKey
from ..folds.responses import effect_id
from ..model.store import TranscriptFile
from ..model.timeline import Verdict
from ..records.digest import digest
from ..text.folding import well_formed
from ..transcript.overview import Overview
from .status import SeenEffect


class DecidedSessions:
    """Looks up decisions by session; without a database nothing is decided."""

    def __init__(self, decisions: Decisions | None) -> None:
        self._decisions = decisions
        self._version = -1
        self._candidates: dict[str, list[str]] = {}

    def refresh(self) -> bool:
        """Read new decisions, made here or elsewhere; return whether there were any."""
        if self._decisions is None:
            return False
        self._decisions.refresh()
        if self._decisions.version == self._version:
            return False
        self._version = self._decisions.version
        self._candidates = defaultdict(list)
        for candidate in self._decisions.candidates():
            if candidate.status != "rejected":
                self._candidates[candidate.session_id].append(candidate.source_id)
        return True

    def personal(self, file: TranscriptFile, others: Collection[Path]) -> Personal:
        """Return title, pin and hide; `others` are transcripts with the same session id."""
        if self._decisions is None:
            return Personal()
        return self._decisions.personal(well_formed(file.session), file.path, others)

    def candidates(self, session: str) -> tuple[str, ...]:
        """Return the event ids of a session's memory candidates that were not rejected."""
        return tuple(self._candidates.get(well_formed(session), ()))

    def verdicts(
        self,
        file: TranscriptFile,
        overview: Overview,
        others: Collection[Path],
        seen: Collection[SeenEffect] = (),
    ) -> tuple[tuple[str, Verdict], ...]:
        """Return the verdicts on open calls and on effects without a record, by id.

        Only those whose record is unchanged.
        """
        session = well_formed(file.session)
        if self._decisions is None or not self._decisions.judged(session):
            return ()
        return tuple(_verdicts(self._decisions, session, file.path, overview, others, seen))


def _verdicts(
    decisions: Decisions,
    session: str,
    path: Path,
    overview: Overview,
    others: Collection[Path],
    seen: Collection[SeenEffect],
) -> Iterator[tuple[str, Verdict]]:
    judged = decisions.judged(session)
    for event_id, offset, size in _undecided(session, overview, seen):
        if (told := well_formed(event_id)) not in judged:
            continue
        with suppress(OSError):  # a file that cannot be read is told of elsewhere
            key = RecordKey(session, told, digest(path, offset, size))
            if judgement := decisions.judgement(key, path=path, others=others):
                yield event_id, judgement.verdict


def _undecided(
    session: str, overview: Overview, seen: Collection[SeenEffect]
) -> Iterator[tuple[str, int, int]]:
    """Yield what may have a verdict: its id, and the place of the record it refers to."""
    for calls in overview.facts.open_calls.values():
        for call in calls:
            if call.event_id is not None:
                yield call.event_id, call.offset, call.size
    for file in overview.facts.responses.lost_files:
        yield effect_id(session, file.path), file.offset, file.size
    yield from ((one.id, one.offset, one.size) for one in seen)
