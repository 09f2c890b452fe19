"""The parents of MyCodeAgent's sub-agents, which their location on disk does not show. Pure.

A sub-agent is stored next to its parent. Evidence is used in order of reliability: a result that
names it, the parent's trace, its opening prompt, and finally the only session active when it
started. The opening prompt also links a call to its sub-agent before there is a result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..folds.delegations import Delegation, begins_with
from ..folds.facts import Facts

CHILD = "subagent-"
"""Prefix of the session ids of MyCodeAgent's sub-agents."""

EARLY = 1_000
"""Milliseconds by which a sub-agent may seem to start before the call it works for."""

BETWEEN = 60_000
"""Milliseconds after its last record during which a session may still have started a sub-agent."""


def employers(
    sessions: Sequence[Path], agents: Mapping[Path, str], facts: Mapping[Path, Facts]
) -> dict[Path, Path]:
    """Return the parents found for the sub-agents of one project; `agents`: their names by path."""
    named: dict[str, Path] = {}
    for parent in [*sessions, *agents]:
        for one in facts[parent].delegations:
            if one.child:
                named.setdefault(one.child, parent)
    for parent in [*sessions, *agents]:
        for child in facts[parent].spawned:
            named.setdefault(child, parent)
    by_id = {name: path for path, name in agents.items()}
    found = {by_id[child]: parent for child, parent in named.items() if child in by_id}
    found = {agent: parent for agent, parent in found.items() if agent != parent}
    for agent in agents:
        if agent not in found:
            likely = _by_words(agent, sessions, facts) or _at_work(agent, sessions, facts)
            found |= {agent: likely} if likely else {}
    return found


def _by_words(agent: Path, sessions: Sequence[Path], facts: Mapping[Path, Facts]) -> Path | None:
    """Return the session whose latest fitting call gave an agent its opening prompt."""
    fitting = [
        (_nearness(facts[agent], one), path)
        for path in sessions
        for one in facts[path].delegations
        if _fits(facts[agent], one)
    ]
    return max(fitting)[1] if fitting else None


def _at_work(agent: Path, sessions: Sequence[Path], facts: Mapping[Path, Facts]) -> Path | None:
    """Return the only session active when an agent started; None if there are several."""
    begun = facts[agent].started_at
    if begun is None:
        return None
    spans = ((path, facts[path].started_at, facts[path].updated_at) for path in sessions)
    over = [
        (path, last)
        for path, first, last in spans
        if first is not None and last is not None and first <= begun <= last + BETWEEN
    ]
    inside = [path for path, last in over if begun <= last] or [path for path, _ in over]
    return inside[0] if len(inside) == 1 else None


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
            fitting = [one for one in unnamed if _fits(facts[path], one)]
            if fitting:
                _, latest = max((_nearness(facts[path], one), one) for one in fitting)
                unnamed.remove(latest)
                found[path].append(latest.offset)
    return {path: tuple(offsets) for path, offsets in found.items()}


def _begun(path: Path, facts: Mapping[Path, Facts]) -> int:
    return facts[path].started_at or 0 if path in facts else 0


def _fits(child: Facts, one: Delegation) -> bool:
    begun = child.started_at
    if begun is None or one.at is None or not one.at - EARLY <= begun:
        return False
    in_time = one.ended_at is None or not one.ends_in_time or begun <= one.ended_at
    return in_time and begins_with(child.first_prompt, one.opening)


def _nearness(child: Facts, one: Delegation) -> tuple[bool, int]:
    """Return a sort key, highest for the last call before the start, lower for any after it."""
    at, begun = one.at or 0, child.started_at or 0
    return at <= begun, at if at <= begun else -at
