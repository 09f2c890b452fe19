"""Sums of what was used while it is counted, and as they are told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..model.event import Usage
from ..model.usage import Share, Totals


@dataclass(slots=True)
class Sum:
    """Totals while they are counted."""

    tokens: Usage = field(default_factory=Usage)
    responses: int = 0
    calls: int = 0
    edits: int = 0
    sessions: set[Path] = field(default_factory=set)

    def include(self, other: Sum) -> None:
        """Add other sums."""
        self.tokens += other.tokens
        self.responses += other.responses
        self.calls += other.calls
        self.edits += other.edits
        self.sessions |= other.sessions

    def totals(self) -> Totals:
        """The sums as they are told."""
        return Totals(self.tokens, self.responses, self.calls, self.edits, frozenset(self.sessions))


def _named() -> defaultdict[str, Sum]:
    return defaultdict(Sum)


@dataclass(slots=True)
class Ring:
    """What was used in some time, in all and by name."""

    totals: Sum = field(default_factory=Sum)
    workspaces: defaultdict[str, Sum] = field(default_factory=_named)
    models: defaultdict[str, Sum] = field(default_factory=_named)
    tools: defaultdict[str, Sum] = field(default_factory=_named)

    def include(self, other: Ring) -> None:
        """Add what was used in another time."""
        self.totals.include(other.totals)
        for mine, its in (
            (self.workspaces, other.workspaces),
            (self.models, other.models),
            (self.tools, other.tools),
        ):
            for name, one in its.items():
                mine[name].include(one)


def shares(sums: Mapping[str, Sum]) -> tuple[Share, ...]:
    """The sums of each name."""
    return tuple(Share(name, sums[name].totals()) for name in sorted(sums))
