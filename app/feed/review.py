"""Gathers the cases and memory candidates for the user to decide on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ...storage.candidates.proposals import sourced
from ...storage.folds.facts import Facts
from ...storage.model.candidate import Sourced
from ...storage.model.case import Case
from ...storage.model.session import Session
from ...storage.review.cases import Review, Search, cases_of, judged, key_of_case
from ...storage.review.inspection_cache import Inspections
from ...storage.text.folding import well_formed
from ...storage.timeline.rows import state_of
from ...storage.transcript.parts import Ties
from ...storage.transcript.transcript import Transcript
from .context import Context
from .incremental import IncrementalList
from .messages import CandidatesChanged, CasesChanged, DecisionOutcome
from .requests import Subject

LOOKED_EVERY = 2.0
"""Minimum seconds between two inspections of the files that cases are about."""


class ReviewWorker:
    """Gather cases and candidates while the screen shows them; used by the feed's thread only."""

    def __init__(self, context: Context, effects: Search) -> None:
        self._library = context.library
        self._decisions = context.decisions
        self._review_days = context.review_days
        self._post = context.post
        self._now = context.now
        self._seen: dict[Path, dict[tuple[int, str], Case]] = {}
        """Posted cases by transcript and place, kept because a result may arrive late."""
        self._inspections = Inspections()
        self._effects = effects
        self.cases = IncrementalList(
            self._cases, lambda *told: context.post(CasesChanged(*told)), LOOKED_EVERY
        )
        self.candidates = IncrementalList(
            self._candidates, lambda *told: context.post(CandidatesChanged(*told))
        )

    def changed(self) -> None:
        """Gather again, because transcripts have grown."""
        self.cases.changed()
        self.candidates.changed()

    def decided(self) -> None:
        """Apply a decision to the posted lists at once, then gather again."""
        self.cases.amend(self._with_verdict)
        self.candidates.amend(self._as_it_is)
        self.cases.changed()
        self.candidates.changed(at_once=True)

    def _with_verdict(self, case: Case) -> Case:
        bare = replace(case.action, verdict=None, note=None, decided_at=None)
        others = self._library.namesakes(case.path)
        key = key_of_case(case)
        action = judged(bare, key, self._decisions, path=case.path, others=others)
        if action == case.action:
            return case
        changed = replace(case, action=action)
        self._seen.setdefault(case.path, {})[action.place] = changed
        return changed

    def _as_it_is(self, item: Sourced) -> Sourced:
        now = self._decisions.candidate(item.candidate.candidate)
        return item if now in (None, item.candidate) else replace(item, candidate=now)

    def slice(self) -> bool:
        """Gather for one slice; return whether there was anything to do."""
        return self.cases.slice() or self.candidates.slice()

    def _cases(self, subject: Subject) -> Iterator[Case | None]:
        for session in self._sessions(subject):
            known = [one for path in session.paths if (one := self._library.overview(path))]
            if len(known) < len(session.paths) or not all(one.whole for one in known):
                continue  # its cases are gathered once it is read
            facts = [one.facts for one in known]
            for part in reversed(range(len(facts))):
                may_have = facts[part].open_calls or facts[part].responses.cut
                if may_have or session.paths[part] in self._seen:
                    try:
                        yield from self._cases_of(session, facts, part)
                    except OSError:
                        continue  # following or reading the file reports the error
            yield None

    def _cases_of(self, session: Session, facts: list[Facts], part: int) -> Iterator[Case]:
        """Yield the cases of one part of a session; `facts` holds those of all its parts."""
        path = session.paths[part]
        transcript = self._library.transcript(path)
        ties = Ties(facts, part, lambda other: self._library.transcript(session.paths[other]))
        before = self._seen.setdefault(path, {})
        listed = set()
        for case in cases_of(transcript, session, self._review(path), ties):
            place = case.action.place
            before[place] = _unless_alike(before.get(place), case)
            listed.add(place)
            yield before[place]
        for place, case in list(before.items()):
            if place not in listed:
                yield from self._ended(transcript, case)

    def _ended(self, transcript: Transcript, case: Case) -> Iterator[Case]:
        """Yield a case whose call has got a result; nothing if its record is gone."""
        if not case.ended:
            ended = None if case.action.found else _end_of(transcript, case)
            if ended is None:
                del self._seen[case.path][case.action.place]
                return
            case = self._seen[case.path][case.action.place] = replace(case, ended=ended)
            self._post(DecisionOutcome(f"{case.action.tool} has a result after all: {ended}"))
        yield case

    def _review(self, path: Path) -> Review:
        return Review(
            self._decisions,
            self._now(),
            self._review_days,
            self._inspections.of,
            self._library.namesakes(path),
            self._effects,
        )

    def _sessions(self, subject: Subject) -> list[Session]:
        """Return the sessions of the subject, newest first."""
        if isinstance(subject, Path):
            session = self._library.session(subject, self._now())
            return [session] if session else []
        sessions = self._library.sessions(self._now())
        return sorted(sessions, key=lambda session: -(session.updated_at or 0))

    def _candidates(self, subject: Subject) -> Iterator[Sourced | None]:
        ids = None
        if isinstance(subject, Path):
            files = map(self._library.file, self._library.parts(subject))
            ids = {well_formed(file.session) for file in files if file}
        for candidate in self._decisions.candidates():
            if ids is None or candidate.session_id in ids:
                yield sourced(self._library, candidate)


def _unless_alike(before: Case | None, now: Case) -> Case:
    """Return the earlier case if both differ only in the time of the inspection."""
    old = before.action.evidence if before else None
    if before is None or old is None or now.action.evidence is None:
        return now
    evidence = replace(now.action.evidence, checked_at=old.checked_at)
    return before if before == replace(now, action=replace(now.action, evidence=evidence)) else now


def _end_of(transcript: Transcript, case: Case) -> Literal["completed", "failed"] | None:
    """Return how the call of a case ended; None if it has no result or no longer exists."""
    index = transcript.positions.index_of(case.action.offset)
    if index is None:
        return None
    call = transcript.positions.call_of(index)
    event, other = transcript.with_other(index if call is None else call)
    state = state_of(event, other, alive=False, current=False)
    return state if state in ("completed", "failed") else None
