"""The decisions currently in effect, computed from all decisions in order.

Pure: the same decisions give the same result, whether taken in at once or one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args

from ..model.candidate import Candidate
from ..model.decision import Decision, DecisionKind, Judgement, RecordKey
from ..model.evidence import Evidence
from ..model.timeline import Verdict

T = TypeVar("T")

_NOTHING: dict[Any, Any] = {}

_VALUES: dict[DecisionKind, tuple[type, ...]] = {
    "title": (str, type(None)),
    "pin": (bool,),
    "hide": (bool,),
}
"""The decisions about a session as a whole, and the types of their values."""


class Standing(Generic[T]):
    """The decisions about one subject that were not undone; the latest counts."""

    def __init__(self) -> None:
        self._made: list[tuple[int, T]] = []

    def __len__(self) -> int:
        return len(self._made)

    @property
    def now(self) -> T | None:
        """The decision in effect; None if every one was undone."""
        return self._made[-1][1] if self._made else None

    @property
    def last(self) -> int:
        """The id of the decision in effect; 0 if there is none."""
        return self._made[-1][0] if self._made else 0

    def decide(self, id: int, what: T) -> None:
        """Add a decision."""
        self._made.append((id, what))

    def take_back(self, id: int) -> None:
        """Drop a decision."""
        self._made = [made for made in self._made if made[0] != id]


class Decided:
    """What all decisions taken in so far amount to."""

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, str], dict[tuple[str, Path], Standing[Judgement]]] = {}
        """By session and event id, then by the record's hash and the transcript's path."""
        self._candidates: dict[str, Standing[Candidate]] = {}
        self._sessions: dict[tuple[DecisionKind, str], dict[Path, Standing[Any]]] = {}
        self._judged: dict[str, dict[str, frozenset[str]]] = {}

    def take(self, decision: Decision) -> None:
        """Take in the next decision.

        Raises KeyError, TypeError or ValueError, leaving everything unchanged, if it is invalid.
        """
        if decision.kind == "verdict":
            self._judge(decision)
        elif decision.kind == "candidate":
            self._choose(decision)
        else:
            self._keep(decision)

    def verdict(
        self, key: RecordKey, path: Path | None = None, others: Collection[Path] = ()
    ) -> Standing[Judgement]:
        """Return the verdicts on a record of the transcript at this path; see `_standing`."""
        made = self._verdicts.get((key.session, key.event_id), _NOTHING)
        these = (
            (place, verdicts) for (sha256, place), verdicts in made.items() if sha256 == key.sha256
        )
        return _standing(these, path, others)

    def outdated(
        self, key: RecordKey, path: Path | None = None, others: Collection[Path] = ()
    ) -> Judgement | None:
        """Return the latest verdict on other contents of the same event, if these have none."""
        if self.verdict(key, path, others):
            return None
        made = self._verdicts.get((key.session, key.event_id), _NOTHING)
        return _standing(
            ((place, verdicts) for (_, place), verdicts in made.items()), path, others
        ).now

    def is_judged(self, key: RecordKey, path: Path, verdict: Verdict, note: str | None) -> bool:
        """Return whether exactly this verdict and note are in effect on a record at this path."""
        made = self._verdicts.get((key.session, key.event_id), _NOTHING)
        now = made[key.sha256, path].now if (key.sha256, path) in made else None
        return now is not None and (now.verdict, now.note) == (verdict, note)

    def judged(self, session: str) -> Mapping[str, frozenset[str]]:
        """Map event ids to the hashes of the records that have a verdict."""
        return dict(self._judged.get(session, _NOTHING))

    def candidate(self, id: str) -> Standing[Candidate]:
        """Return the decisions about a candidate."""
        return self._candidates.get(id) or Standing()

    def candidates(self) -> list[Candidate]:
        """Return all candidates, oldest first."""
        found = [made.now for made in self._candidates.values() if made.now]
        return sorted(found, key=lambda candidate: (candidate.created_at, candidate.candidate))

    def personal(
        self, kind: DecisionKind, session: str, path: Path, others: Collection[Path]
    ) -> Any:
        """Return the decision about a session at this path, or else at one not in `others`."""
        return _standing(self._sessions.get((kind, session), _NOTHING).items(), path, others).now

    def stands(self, kind: DecisionKind, session: str, path: Path, value: Any) -> bool:
        """Return whether this value is in effect at this path; an empty one also if set nowhere."""
        made = self._sessions.get((kind, session), _NOTHING)
        if path in made:
            return bool(made[path].now == value)
        return not value and not any(standing.now for standing in made.values())

    def _judge(self, decision: Decision) -> None:
        made = self._verdicts.setdefault((decision.session, decision.subject), {})
        if decision.undoes:  # which may have been made at the transcript's previous path
            for verdicts in made.values():
                verdicts.take_back(decision.undoes)
        else:
            judgement = _judgement(decision)
            place = decision.sha256, decision.path
            made.setdefault(place, Standing()).decide(decision.id, judgement)
        events = self._judged.setdefault(decision.session, {})
        events.pop(decision.subject, None)
        if hashes := frozenset(sha256 for (sha256, _), verdicts in made.items() if verdicts):
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


def _standing(
    made: Iterable[tuple[Path, Standing[T]]], path: Path | None, others: Collection[Path]
) -> Standing[T]:
    """Return what was decided at this path, or else the latest at one not in `others`."""
    standing = [(place, decided) for place, decided in made if decided]
    here = [decided for place, decided in standing if place == path]
    found = here or [decided for place, decided in standing if place not in others]
    return max(found, key=lambda decided: decided.last, default=Standing())


def _judgement(decision: Decision) -> Judgement:
    verdict, evidence = decision.value["verdict"], decision.value["evidence"]
    if verdict not in get_args(Verdict):
        raise ValueError(f"unknown verdict {verdict!r}")
    return Judgement(
        verdict, decision.value["note"], decision.at, Evidence(**evidence) if evidence else None
    )


def _candidate(decision: Decision, before: Candidate | None) -> Candidate:
    """Return the candidate after a decision, whose value holds the changed fields."""
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
