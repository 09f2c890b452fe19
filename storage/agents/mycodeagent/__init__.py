"""MyCodeAgent: its transcripts, what its loader rejects, its traces, memory and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...model.agent import Agent, DelegationRule, IntegrityRule, Ledger, Reader, RecoveryTerms
from ...model.tools import Tools

if TYPE_CHECKING:
    from ...files.disk import Look
    from ...memory.notes import Notes
    from ...memory.rules import Rules
    from ...model.evidence import Before
    from ...model.recovery import Fold
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
    stored = transcript.parts[-3:-1] == ("memory", "transcripts")
    return str(transcript.absolute().parents[2]) if stored else None


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


AGENT = Agent(
    name="mycodeagent",
    title="MyCodeAgent",
    load_reader=_reader,
    integrity=_integrity,
    directory=_directory,
    load_delegations=_delegations,
    rules=_rules,
    fold=_fold,
    ledger=_ledger,
    before=_before,
    tools=Tools(never_replayed=_NEVER_REPLAYED),
)
