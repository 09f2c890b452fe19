"""The parents of MyCodeAgent's sub-agents, which their location on disk does not show. Pure.

A sub-agent is stored next to its parent. Evidence is used in order of reliability: a result that
names it, the parent's trace, its opening prompt, and finally the only session active when it
started. The opening prompt also links a call to its sub-agent before there is a result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...folds.delegations import fits, nearness
from ...folds.facts import Facts
from ...model.store import TranscriptFile
from .stores import CHILD

BETWEEN = 60_000
"""Milliseconds after its last record during which a session may still have started a sub-agent."""


class MyCodeAgentFamily:
    """Finds parents and resumed sessions among the transcripts of one project."""

    def parents(
        self,
        first: Sequence[TranscriptFile],
        files: Sequence[TranscriptFile],
        facts: Mapping[Path, Facts],
    ) -> dict[Path, Path]:
        """Return the parents of sub-agents; only `first` parts of sessions have one."""
        agents = {file.path: self.name_of(file.session) for file in first if file.is_agent}
        sessions = [file.path for file in files if not file.is_agent]
        return employers(sessions, agents, facts)

    def continued(
        self, files: Sequence[TranscriptFile], facts: Mapping[Path, Facts]
    ) -> Iterator[tuple[Path, Path]]:
        """Yield each session started after a resume, with the one that has the preceding run."""
        return _continued([file.path for file in files if not file.is_agent], facts)

    def name_of(self, session: str) -> str:
        """Return the name of a session in the results of its parent."""
        return session.removeprefix(CHILD)

    def may_be_fork(self, file: TranscriptFile) -> bool:
        """Return False: sessions are not copied."""
        return False

    def noted_source(self, file: TranscriptFile) -> str | None:
        """Return None: there are no notes next to transcripts."""
        return None


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
        (nearness(facts[agent], one), path)
        for path in sessions
        for one in facts[path].delegations
        if fits(facts[agent], one)
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


def _continued(sessions: list[Path], facts: Mapping[Path, Facts]) -> Iterator[tuple[Path, Path]]:
    """Yield each session started after a resume, with the session that has the preceding run."""
    ends: dict[int, list[tuple[int, Path]]] = defaultdict(list)
    for path in sessions:
        ends[facts[path].ancestry.runs].append((facts[path].updated_at or 0, path))
    for path in sessions:
        ancestry = facts[path].ancestry
        if ancestry.resumed > 1:
            latest = ancestry.resumed_at
            before = [
                end
                for end in ends.get(ancestry.resumed - 1, ())
                if end[1] != path and (latest is None or end[0] <= latest)
            ]
            if before:
                yield path, max(before)[1]
