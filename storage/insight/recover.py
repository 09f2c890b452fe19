"""Recover a transcript: check its integrity and, if it is trusted, fold its records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from ..model.action import Action
from ..model.event import Event
from ..model.integrity import Integrity
from ..model.recovery import MAX_ITEMS, Fold, Recovery
from ..model.rules import RecoveryTerms
from ..model.timeline import Alive, open_state
from ..recovery.conversation import Conversation
from ..review.actions import awaited_offsets
from ..timeline.annotated import left_records
from ..transcript.continuations import judged, place
from ..transcript.parts import Parts
from ..transcript.transcript import Transcript


def recover_of(
    transcript: Transcript, max_items: int = MAX_ITEMS, older: Sequence[Transcript] = ()
) -> Recovery:
    """Return what a restart would restore of a fully read transcript.

    `older` are the earlier parts of its session, oldest first, which are included. Every open call
    is uncertain here; `with_running` separates those that may still end. A complete but
    unterminated last record counts. Messages come from the last `max_items` events, at least 1;
    MyCodeAgent restores its whole history. Raises OSError if the file cannot be read.
    """
    ending = transcript.ending()
    fold = fold_for(transcript, max_items)
    integrity = whole_integrity(transcript, ending[0], older)
    earlier = 0
    if integrity.is_trusted:
        for event in chain(*map(_all_events, older)):
            fold.add(event)
            earlier += 1
        for event in chain(transcript.events(), ending[1]):
            fold.add(event)
    return concluded(transcript, (integrity, ending[1]), fold, earlier)


def with_running(recovery: Recovery, parts: Sequence[Transcript], alive: Alive) -> Recovery:
    """Return the recovery with calls that may still get their result listed as running.

    `alive`: whether the session's agent can still deliver it.
    """
    restored = recovery.restored
    if restored is None or not restored.uncertain:
        return recovery
    joined = Parts(parts)
    awaited = {
        (transcript.session, offset)
        for part, transcript in enumerate(parts)
        for offset in awaited_offsets(transcript, joined.ties(part))
    }

    def as_it_is(action: Action) -> Action:
        asks = action.tool in action.agent.tools.questions
        current = (action.session, place(action.offset)[1]) in awaited
        return replace(action, state=open_state("started", asks, current, alive))

    inherited = {one.session: one.inherited_before for one in parts}
    calls = [
        as_it_is(action)
        for action in restored.uncertain
        if place(action.offset)[1] >= inherited.get(action.session, 0)
    ]
    uncertain = tuple(one for one in calls if one.state == "uncertain")
    running = tuple(one for one in calls if one.state != "uncertain")
    return replace(recovery, restored=replace(restored, uncertain=uncertain, running=running))


def with_effects(recovery: Recovery, transcript: Transcript, actions: Sequence[Action]) -> Recovery:
    """Return the recovery of a crashed session with unrecorded effects; takes its newest part."""
    restored, cut = recovery.restored, transcript.facts.responses.cut
    if restored is None or cut is None:
        return recovery
    told = replace(restored, effects=tuple(actions), response_cut=True)
    return replace(recovery, restored=told)


def whole_integrity(
    transcript: Transcript, integrity: Integrity, older: Sequence[Transcript]
) -> Integrity:
    """Return the integrity of a session, given that of its newest part."""
    parts = [(one.path, one.integrity()) for one in older]
    return judged([*parts, (transcript.path, integrity)])


def _all_events(transcript: Transcript) -> Iterator[Event]:
    yield from transcript.events()
    yield from transcript.tail()


def concluded(
    transcript: Transcript, ending: tuple[Integrity, list[Event]], fold: Fold, earlier: int = 0
) -> Recovery:
    """Return the result of a fold, given how the transcript ends; nothing if it is corrupt.

    `earlier`: how many of the events are in other files, as each file numbers its own.
    """
    integrity, tail = ending
    session, dialect = transcript.session, transcript.agent.name
    if not integrity.is_trusted:
        return Recovery(session, dialect, integrity)
    torn = integrity.state == "partial-tail" or (not tail and transcript.is_torn())
    restored = fold.result()
    if earlier and restored.next_sequence is not None:
        restored = replace(restored, next_sequence=restored.next_sequence - earlier)
    return Recovery(session, dialect, integrity, torn, restored)


def fold_for(transcript: Transcript, max_items: int = MAX_ITEMS) -> Fold:
    """Return an empty fold for a transcript, valid until one of its branches is abandoned."""
    terms = RecoveryTerms(max_items, transcript.directory, lambda: left_records(transcript))
    fold = transcript.agent.fold
    return fold(terms) if fold else Conversation(terms)
