"""MyCodeAgent: its transcripts, what its loader rejects, its traces, memory and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...model.agent import Agent
from ...model.reader import Reader
from ...model.rules import DelegationRule, FamilyRule, IntegrityRule, Ledger, RecoveryTerms
from ...model.tools import Tools
from . import stores

if TYPE_CHECKING:
    from ...files.disk import Look
    from ...memory.notes import Notes
    from ...memory.rules import Rules
    from ...model.evidence import Before
    from ...model.recovery import Fold
    from ...model.resume import Resume
    from ...review.trail import Trail

_NEVER_REPLAYED = frozenset({"Edit", "Bash", "Task"})
"""The only tools that MyCodeAgent itself does not repeat."""


def _reader() -> Reader:
    from . import reader

    return reader


def _integrity() -> IntegrityRule:
    from .integrity import Loadable

    return Loadable()


def _directory(transcript: Path) -> str | None:
    """Return the project that a transcript is stored in."""
    project = stores.project_of(transcript)
    return str(project) if project else None


def _family() -> FamilyRule:
    from .family import MyCodeAgentFamily

    return MyCodeAgentFamily()


def _directory_in(transcript: Path) -> str:
    from .around import directory_in

    return directory_in(transcript)


def _delegations() -> DelegationRule:
    from .delegations import MyCodeAgentDelegations

    return MyCodeAgentDelegations()


def _rules(notes: Notes) -> Rules:
    from .memory import MyCodeAgentRules

    return MyCodeAgentRules(notes)


def _fold(terms: RecoveryTerms) -> Fold:
    from .recovery import MyCodeAgentFold

    return MyCodeAgentFold(terms.directory)


def _ledger(transcript: Path) -> Ledger | None:
    from .trace import Trace

    return Trace.beside(transcript)


def _before(trail: Trail, look: Look) -> Before:
    from .evidence import before

    return before(trail, look)


def _resume() -> Resume:
    from . import resume

    return resume


AGENT = Agent(
    name="mycodeagent",
    title="MyCodeAgent",
    load_reader=_reader,
    stores=stores,
    integrity=_integrity,
    directory=_directory,
    load_family=_family,
    load_delegations=_delegations,
    rules=_rules,
    fold=_fold,
    has_parts=True,
    own_folders=(("memory", "transcripts"), ("memory", "traces")),
    programs=("mycodeagent",),
    is_per_process=True,
    directory_in=_directory_in,
    answers_end=False,
    ledger=_ledger,
    before=_before,
    commands_for=("mycodeagent",),
    load_resume=_resume,
    tools=Tools(never_replayed=_NEVER_REPLAYED),
)
