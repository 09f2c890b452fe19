"""Which calls of a session its sub-agents work for. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..folds.delegations import Delegation, fits, nearness
from ..folds.facts import Facts


def calls_of(
    delegations: Iterable[Delegation], children: Mapping[str, Path], facts: Mapping[Path, Facts]
) -> dict[Path, tuple[int, ...]]:
    """Return the offsets of a parent's calls for each child; `children`: paths by name."""
    found: dict[Path, list[int]] = defaultdict(list)
    unnamed: list[Delegation] = []
    for one in delegations:
        if (path := children.get(one.child)) is not None:
            found[path].append(one.offset)
        elif one.opening:
            unnamed.append(one)
    for path in sorted(children.values(), key=lambda path: _begun(path, facts)):
        if path not in found and path in facts:
            fitting = [one for one in unnamed if fits(facts[path], one)]
            if fitting:
                _, latest = max((nearness(facts[path], one), one) for one in fitting)
                unnamed.remove(latest)
                found[path].append(latest.offset)
    return {path: tuple(offsets) for path, offsets in found.items()}


def _begun(path: Path, facts: Mapping[Path, Facts]) -> int:
    return facts[path].started_at or 0 if path in facts else 0
