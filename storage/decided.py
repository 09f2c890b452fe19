"""What stands decided now: the sum of all decisions, in the order in which they were made.

Pure: the same decisions make the same present, taken in at once or one after another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args

from .candidate import Candidate
from .decision import Decision, DecisionKind, Judgement, RecordKey
from .evidence import Evidence
from .timeline import Verdict

T = TypeVar("T")

_NOTHING: dict[Any, Any] = {}

_VALUES: dict[DecisionKind, tuple[type, ...]] = {
    "title": (str, type(None)),
    "pin": (bool,),
    "hide": (bool,),
}
"""What may be decided on a session as such."""


class Standing(Generic[T]):
    """The decisions on one thing that were not taken back; the latest counts."""

    def __init__(self) -> None:
        self._made: list[tuple[int, T]] = []

    def __len__(self) -> int:
        return len(self._made)

    @property
    def now(self) -> T | None:
        """What is decided; None where everything was taken back."""
        return self._made[-1][1] if self._made else None

    @property
    def last(self) -> int:
        """The id of the decision that counts; 0 where there is none."""
        return self._made[-1][0] if self._made else 0

    def decide(self, id: int, what: T) -> None:
        """Add a decision."""
        self._made.append((id, what))

    def take_back(self, id: int) -> None:
        """Leave a decision out from now on."""
        self._made = [made for made in self._made if made[0] != id]


class Decided:
    """What is decided after all decisions taken in so far."""

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, str], dict[str, Standing[Judgement]]] = {}
        self._candidates: dict[str, Standing[Candidate]] = {}
        self._sessions: dict[tuple[DecisionKind, str], dict[Path, Standing[Any]]] = {}
        self._judged: dict[str, dict[str, frozenset[str]]] = {}

    def take(self, decision: Decision) -> None:
        """Take in the next decision.

        Raises KeyError, TypeError or ValueError, and changes nothing, where it makes no sense.
        """
        if decision.kind == "verdict":
            self._judge(decision)
        elif decision.kind == "candidate":
            self._choose(decision)
        else:
            self._keep(decision)

    def verdict(self, key: RecordKey) -> Standing[Judgement]:
        """The verdicts on a record."""
        made = self._verdicts.get((key.session, key.event_id), _NOTHING)
        return made.get(key.sha256) or Standing()

    def outdated(self, key: RecordKey) -> Judgement | None:
        """The latest verdict on other bytes of the same event, if there is none on these."""
        made = self._verdicts.get((key.session, key.event_id), _NOTHING)
        if key.sha256 in made and made[key.sha256].now:
            return None
        return _latest(made.values())

    def judged(self, session: str) -> Mapping[str, frozenset[str]]:
        """By event id the hashes of the records that have a verdict."""
        return dict(self._judged.get(session, _NOTHING))

    def candidate(self, id: str) -> Standing[Candidate]:
        """What was decided on a candidate."""
        return self._candidates.get(id) or Standing()

    def candidates(self) -> list[Candidate]:
        """All candidates, oldest first."""
        found = [made.now for made in self._candidates.values() if made.now]
        return sorted(found, key=lambda candidate: (candidate.created_at, candidate.candidate))

    def personal(
        self, kind: DecisionKind, session: str, path: Path, others: Collection[Path]
    ) -> Any:
        """What was decided on a session at this path, else at one that is not among `others`."""
        made = self._sessions.get((kind, session), _NOTHING)
        if path in made:
            return made[path].now
        return _latest([made[place] for place in made if place not in others])

    def stands(self, kind: DecisionKind, session: str, path: Path, value: Any) -> bool:
        """Whether a session has this value at this very path, or nowhere any other than none."""
        made = self._sessions.get((kind, session), _NOTHING)
        if path in made:
            return bool(made[path].now == value)
        return not value and not any(standing.now for standing in made.values())

    def _judge(self, decision: Decision) -> None:
        judgement = None if decision.undoes else _judgement(decision)
        made = self._verdicts.setdefault((decision.session, decision.subject), {})
        _add(made.setdefault(decision.sha256, Standing()), decision, judgement)
        events = self._judged.setdefault(decision.session, {})
        events.pop(decision.subject, None)
        if hashes := frozenset(sha256 for sha256, standing in made.items() if standing.now):
            events[decision.subject] = hashes

    def _choose(self, decision: Decision) -> None:
        before = self.candidate(decision.subject).now
        candidate = None if decision.undoes else _candidate(decision, before)
        _add(self._candidates.setdefault(decision.subject, Standing()), decision, candidate)

    def _keep(self, decision: Decision) -> None:
        if not decision.undoes and not isinstance(decision.value, _VALUES[decision.kind]):
            raise ValueError(f"no {decision.kind}: {decision.value!r}")
        made = self._sessions.setdefault((decision.kind, decision.session), {})
        _add(made.setdefault(decision.path, Standing()), decision, decision.value)


def _add(standing: Standing[Any], decision: Decision, what: Any) -> None:
    if decision.undoes:
        standing.take_back(decision.undoes)
    else:
        standing.decide(decision.id, what)


def _latest(standings: Collection[Standing[T]]) -> T | None:
    return max(standings, key=lambda standing: standing.last).now if standings else None


def _judgement(decision: Decision) -> Judgement:
    verdict, evidence = decision.value["verdict"], decision.value["evidence"]
    if verdict not in get_args(Verdict):
        raise ValueError(f"unknown verdict {verdict!r}")
    return Judgement(
        verdict, decision.value["note"], decision.at, Evidence(**evidence) if evidence else None
    )


def _candidate(decision: Decision, before: Candidate | None) -> Candidate:
    """The candidate after a decision whose value holds the fields that it changed."""
    decided_at = {"approved": decision.at, "rejected": decision.at, "proposed": None}
    changed = dict(decision.value)
    if "status" in changed:
        changed["decided_at"] = decided_at[changed["status"]]
    if before:
        return replace(before, **changed, path=decision.path)
    return Candidate(
        candidate=decision.subject,
        session_id=decision.session,
        source_sha256=decision.sha256,
        path=decision.path,
        **changed,
    )
