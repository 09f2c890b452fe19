"""CodeBuddy and WorkBuddy: their records, registry, backups, logs, forks and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...model.agent import Agent
from ...model.process import Around
from ...model.reader import Reader
from ...model.rules import BranchRule, DelegationRule, FamilyRule, RecoveryTerms, Sieve
from ...model.tools import Call, Tools
from . import stores

if TYPE_CHECKING:
    from ...files.disk import Look
    from ...folds.responses import LostFile
    from ...memory.notes import Notes
    from ...memory.rules import Rules
    from ...model.evidence import Before
    from ...model.recovery import Fold
    from ...model.resume import Resume
    from ...review.trail import Trail
    from ...transcript.transcript import Transcript

_DEFERRED = "DeferExecuteTool"
"""The tool that calls one that was not offered to the model from the start."""


def _reader() -> Reader:
    from . import reader

    return reader


def _inner(tool: str | None, args: Any) -> Call:
    if tool != _DEFERRED or not isinstance(args, dict):
        return tool, args
    name = args.get("toolName")
    return (name, args.get("params")) if isinstance(name, str) and name else (tool, args)


def _branches() -> BranchRule:
    from . import branches

    return branches


def _sieve() -> Sieve:
    from ...folds.repeats import Repeats
    from .sieve import key

    return Repeats(key)


def _family() -> FamilyRule:
    from .family import CodeBuddyFamily

    return CodeBuddyFamily()


def _delegations() -> DelegationRule:
    from .delegations import CodeBuddyDelegations

    return CodeBuddyDelegations()


def _rules(notes: Notes) -> Rules:
    from ...memory.rules import ActionRules
    from .reader import compaction

    return ActionRules(notes, AGENT.tools, compaction)


def _fold(terms: RecoveryTerms) -> Fold:
    from .recovery import ProductFold

    return ProductFold(terms.max_items, terms.directory, terms.left())


def _around(home: Path) -> Around:
    from .around import CodeBuddyHome

    return CodeBuddyHome(home)


def _before(trail: Trail, look: Look) -> Before:
    from .evidence import before

    return before(trail, look)


def _backup(transcript: Transcript, lost: LostFile) -> bytes | None:
    from .evidence import backup

    return backup(transcript, lost)


def _resume() -> Resume:
    from . import resume

    return resume


AGENT = Agent(
    name="product",
    title="CodeBuddy",
    load_reader=_reader,
    stores=stores,
    tools=Tools(inner=_inner),
    load_branches=_branches,
    sieve=_sieve,
    load_family=_family,
    load_delegations=_delegations,
    rules=_rules,
    fold=_fold,
    around=_around,
    names_children=False,
    before=_before,
    commands_for=("codebuddy", "workbuddy"),
    load_resume=_resume,
    backup=_backup,
)
