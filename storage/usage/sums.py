"""Usage totals: mutable while they are added up, frozen in reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..model.event import Usage
from ..model.usage import Share, Totals


@dataclass(slots=True)
class Sum:
    """Totals while they are added up."""

    tokens: Usage = field(default_factory=Usage)
    responses: int = 0
    calls: int = 0
    edits: int = 0
    sessions: set[Path] = field(default_factory=set)

    def include(self, other: Sum) -> None:
        """Add other totals."""
        self.tokens += other.tokens
        self.responses += other.responses
        self.calls += other.calls
        self.edits += other.edits
        self.sessions |= other.sessions

    def totals(self) -> Totals:
        """Return the frozen totals."""
        return Totals(self.tokens, self.responses, self.calls, self.edits, frozenset(self.sessions))


def _named() -> defaultdict[str, Sum]:
    return defaultdict(Sum)


@dataclass(slots=True)
class Ring:
    """The usage of a period, in total and by name."""

    totals: Sum = field(default_factory=Sum)
    workspaces: defaultdict[str, Sum] = field(default_factory=_named)
    models: defaultdict[str, Sum] = field(default_factory=_named)
    tools: defaultdict[str, Sum] = field(default_factory=_named)

    def include(self, other: Ring) -> None:
        """Add the usage of another period."""
        self.totals.include(other.totals)
        for mine, its in (
            (self.workspaces, other.workspaces),
            (self.models, other.models),
            (self.tools, other.tools),
        ):
            for name, one in its.items():
                mine[name].include(one)


def shares(sums: Mapping[str, Sum]) -> tuple[Share, ...]:
    """Return the totals of each name."""
    return tuple(Share(name, sums[name].totals()) for name in sorted(sums))
