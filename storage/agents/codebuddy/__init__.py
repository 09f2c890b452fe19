"""CodeBuddy and WorkBuddy: their records, registry, backups, logs, forks and recovery.

Read-only knowledge of this agent alone. Independent of other agents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.agent import Agent, BranchRule, Reader, RecoveryTerms
from ...model.tools import Call, Tools

if TYPE_CHECKING:
    from ...memory.notes import Notes
    from ...memory.rules import Rules
    from ...model.recovery import Fold

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


def _rules(notes: Notes) -> Rules:
    from ...memory.rules import ActionRules
    from .reader import compaction

    return ActionRules(notes, AGENT.tools, compaction)


def _fold(terms: RecoveryTerms) -> Fold:
    from .recovery import ProductFold

    return ProductFold(terms.max_items, terms.directory, terms.left())


AGENT = Agent(
    name="product",
    title="CodeBuddy",
    load_reader=_reader,
    tools=Tools(inner=_inner),
    load_branches=_branches,
    rules=_rules,
    fold=_fold,
)
