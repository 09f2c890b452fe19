"""The cases of a transcript: its uncertain actions with evidence and verdicts.

Each case costs reading its own records and the file it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from ..decisions.decisions import Decisions, RecordKey
from ..folds.timestamps import is_ahead
from ..library.status import is_pressing
from ..model.action import Action
from ..model.case import Case
from ..model.evidence import Inspection
from ..model.session import Session
from ..model.timeline import Alive
from ..records.digest import digest
from ..text.folding import well_formed
from ..transcript.parts import Ties
from ..transcript.transcript import Transcript
from .actions import actions_of
from .effect_inspection import is_late_effect
from .effects import NONE, Effects, effects_of
from .inspection import inspect

Search = Callable[[Transcript, int], Effects]
Look = Callable[[Transcript, Action, int], Inspection | None]


@dataclass(frozen=True, slots=True)
class Review:
    """What judging a case needs besides its transcript. `now` is in milliseconds since 1970."""

    decisions: Decisions
    now: int
    review_days: int
    look: Look = inspect
    """Inspects the disk."""
    others: Collection[Path] = ()
    """Other existing transcripts with the same session id; their verdicts do not apply here."""
    search: Search = effects_of
    """Finds unrecorded effects at a given time."""


def effects_in(transcript: Transcript, session: Session, now: int, search: Search) -> Effects:
    """Return a session's unrecorded effects; none unless it crashed, and in its newest part."""
    if session.status != "crashed" or transcript.path != session.path:
        return NONE
    return search(transcript, now)


def cases_of(
    transcript: Transcript, session: Session, review: Review, ties: Ties | None = None
) -> Iterator[Case]:
    """Yield the uncertain and unknown actions of a session as cases, newest first.

    For a session of several parts, only those of this part. Raises OSError if the transcript cannot
    be read.
    """
    effects = effects_in(transcript, session, review.now, review.search)
    yield from (case_of(transcript, effect, session, review) for effect in effects.actions)
    for action in actions_of(transcript, session.alive, ties=ties):
        if action.state in ("uncertain", "unknown"):
            yield case_of(transcript, action, session, review)


def judged_actions(
    transcript: Transcript,
    alive: Alive,
    all: bool,
    decisions: Decisions,
    now: int,
    *,
    others: Collection[Path] = (),
    ties: Ties | None = None,
    effects: Effects = NONE,
) -> Iterator[Action]:
    """Yield `actions_of` the transcript with verdicts, and with evidence on uncertain ones.

    The unrecorded `effects` come first. Actions in state `unknown` are included only with `all`.
    """
    for action in chain(effects.actions, actions_of(transcript, alive, all, ties)):
        if action.state != "unknown" or all:
            yield judged_action(transcript, action, decisions, now, others=others)


def judged_action(
    transcript: Transcript,
    action: Action,
    decisions: Decisions,
    now: int,
    *,
    others: Collection[Path] = (),
) -> Action:
    """Return an action with its verdict, and with evidence if it is uncertain."""
    if well_formed(action.action or "") in decisions.judged(well_formed(transcript.session)):
        key = key_of(transcript, action)
        action = judged(action, key, decisions, path=transcript.path, others=others)
    if action.state == "uncertain" and (inspection := inspect(transcript, action, now)):
        action = replace(action, evidence=inspection.evidence)
    return action


def case_of(transcript: Transcript, action: Action, session: Session, review: Review) -> Case:
    """Return an action as a case."""
    inspection = review.look(transcript, action, review.now)
    key = key_of(transcript, action)
    path, others = transcript.path, review.others
    outdated = review.decisions.outdated(key, path=path, others=others) if key else None
    action = judged(action, key, review.decisions, path=path, others=others)
    at = session.updated_at if is_ahead(action.at, review.now) else action.at
    age = review.now - (at or session.updated_at or 0)
    evidence = inspection.evidence if inspection else None
    return Case(
        action=replace(action, evidence=evidence),
        path=path,
        title=session.title,
        workspace=session.workspace,
        sha256=key.sha256 if key else "",
        edit=inspection.edit if inspection and action.found else action.edit,
        excerpts=inspection.excerpts if inspection else (),
        directory=transcript.directory,
        is_older=not is_pressing(action.agent.tools, action.tool, age, review.review_days)
        or is_late_effect(transcript, action, evidence),
        outdated=outdated.verdict if outdated else None,
    )


def judged(
    action: Action,
    key: RecordKey | None,
    decisions: Decisions,
    *,
    path: Path | None = None,
    others: Collection[Path] = (),
) -> Action:
    """Return the action with the user's verdict on it, in the transcript at `path`."""
    judgement = decisions.judgement(key, path=path, others=others) if key else None
    if judgement is None:
        return action
    return replace(
        action,
        verdict=judgement.verdict,
        note=judgement.note,
        decided_at=judgement.decided_at,
    )


def key_of(transcript: Transcript, action: Action) -> RecordKey | None:
    """Return the key of a verdict on the action; None if its record has no id.

    Raises OSError if the transcript cannot be read.
    """
    if action.action is None:
        return None
    sha256 = digest(transcript.path, action.offset, action.size)
    return RecordKey(well_formed(action.session), well_formed(action.action), sha256)


def key_of_case(case: Case) -> RecordKey | None:
    """Return the key of a verdict on a case: the record as it was shown. None if it has no id."""
    action = case.action
    if action.action is None:
        return None
    return RecordKey(well_formed(action.session), well_formed(action.action), case.sha256)
