"""The envelope format: numbered records with a schema version, and their recovery.

Read-only knowledge of this format alone. Independent of other agents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.agent import Agent
from ...model.reader import Reader
from ...model.rules import IntegrityRule, RecoveryTerms

if TYPE_CHECKING:
    from ...files.disk import Look
    from ...model.evidence import Before
    from ...model.recovery import Fold
    from ...model.resume import Resume
    from ...review.trail import Trail


def _reader() -> Reader:
    from . import reader

    return reader


def _integrity() -> IntegrityRule:
    from .integrity import Numbered

    return Numbered()


def _fold(terms: RecoveryTerms) -> Fold:
    from .recovery import EnvelopeFold

    return EnvelopeFold(terms.max_items, terms.directory)


def _before(trail: Trail, look: Look) -> Before:
    from .evidence import before

    return before(trail, look)


def _resume() -> Resume:
    from . import resume

    return resume


AGENT = Agent(
    name="envelope",
    title="the envelope format",
    load_reader=_reader,
    integrity=_integrity,
    fold=_fold,
    has_parts=True,
    before=_before,
    commands_for=("envelope",),
    load_resume=_resume,
)
