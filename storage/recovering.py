"""Recovers a transcript: judges its evidence and, where that stands, folds its records."""

from __future__ import annotations

from itertools import chain

from .event import Event
from .integrity import Integrity
from .recoveries.envelope import EnvelopeFold
from .recoveries.mycodeagent import MyCodeAgentFold
from .recoveries.product import ProductFold
from .recovery import MAX_ITEMS, Fold, Recovery
from .telling import left_records
from .transcript import Transcript


def recover_of(transcript: Transcript, max_items: int = MAX_ITEMS) -> Recovery:
    """What a restart would restore of a transcript that was read to its end.

    An unterminated last record that is whole counts. Messages come from the last `max_items`
    events, at least 1; MyCodeAgent restores its whole history. Raises OSError where the file
    cannot be read.
    """
    ending = transcript.ending()
    fold = fold_for(transcript, max_items)
    if ending[0].is_trusted:
        for event in chain(transcript.events(), ending[1]):
            fold.add(event)
    return concluded(transcript, ending, fold)


def concluded(
    transcript: Transcript, ending: tuple[Integrity, list[Event]], fold: Fold
) -> Recovery:
    """What a fold comes to, given how the transcript ends; nothing on broken evidence."""
    integrity, tail = ending
    session, dialect = transcript.session, transcript.dialect.NAME
    if not integrity.is_trusted:
        return Recovery(session, dialect, integrity)
    torn = integrity.state == "partial-tail" or (not tail and transcript.is_torn())
    return Recovery(session, dialect, integrity, torn, fold.result())


def fold_for(transcript: Transcript, max_items: int = MAX_ITEMS) -> Fold:
    """An empty fold for the records of a transcript, for as long as no branch of it is left."""
    directory = transcript.directory
    if transcript.dialect.NAME == "mycodeagent":
        return MyCodeAgentFold(directory)
    if transcript.dialect.NAME == "product":
        return ProductFold(max_items, directory, left_records(transcript))
    return EnvelopeFold(max_items, directory)
