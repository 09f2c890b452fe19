"""Who belongs to whom among transcripts: parents with the calls they gave work by, and origins.

All but the sources of forks lies within one workspace, so a change costs what its workspace
holds. The links are the same whatever the order in which transcripts were read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from .discovery import TranscriptFile, families
from .employing import CHILD, calls_of, employers
from .facts import Facts
from .known import Known


class Copied(NamedTuple):
    """What a transcript's records or its meta file tell of another session it was copied from."""

    session: str
    is_sure: bool
    """False where every record is another session's: it may only have been given another name."""


@dataclass(slots=True)
class Kinship:
    """The links between transcripts, by path."""

    parents: dict[Path, Path] = field(default_factory=dict)
    children: dict[Path, list[Path]] = field(default_factory=dict)
    calls: dict[Path, tuple[int, ...]] = field(default_factory=dict)
    """Of a sub-agent, where in its parent the calls stand that it works for."""
    continued: dict[Path, Path] = field(default_factory=dict)
    """Of a transcript written after a resume, the one that was resumed."""
    copied: dict[Path, Copied] = field(default_factory=dict)
    """Of a fork, what it was copied from."""
    sources: dict[Path, Path] = field(default_factory=dict)
    """Of a fork, where that session lies if it is there."""

    def relink(
        self,
        files: Sequence[TranscriptFile],
        known: Mapping[Path, Known],
        metas: Mapping[Path, str],
    ) -> set[Path]:
        """Link the files of one workspace anew; those that stand otherwise among others now.

        `metas` are the ids that forks' meta files name.
        """
        of = {file.path: file for file in files}
        facts = {path: one.facts for path in of if (one := known.get(path))}
        before = {path: self._place(path) for path in of}
        self.forget(of)
        ones = [file for path, file in of.items() if _is_mycodeagent(known.get(path))]
        self._link_parents(of, facts, _employed(ones, facts))
        self.continued.update(
            _continued([file.path for file in ones if not _is_agent(file)], facts)
        )
        self.copied.update(_copied(of, known, metas))
        changed = {path for path, place in before.items() if self._place(path) != place}
        return changed.union(*(self.descendants(path) for path in changed))

    def forget(self, paths: Iterable[Path]) -> None:
        """These have no kin, or are gone."""
        for path in paths:
            for links in (self.parents, self.calls, self.continued, self.copied, self.sources):
                links.pop(path, None)
            self.children.pop(path, None)

    def find_sources(
        self, files: Mapping[Path, TranscriptFile], of_id: Mapping[str, list[Path]]
    ) -> set[Path]:
        """Look for what forks were copied from, wherever it is; the forks of which that changed."""
        changed = set()
        for fork, (session, _) in self.copied.items():
            others = [path for path in of_id.get(session, ()) if path != fork]
            source = _nearest(files[fork], [files[path] for path in others])
            if source != self.sources.get(fork):
                changed.add(fork)
                self.sources.pop(fork, None)
                self.sources.update({fork: source} if source else {})
        return changed

    def descendants(self, path: Path) -> Iterator[Path]:
        """The sub-agents of a session, with theirs."""
        for child in self.children.get(path, ()):
            yield child
            yield from self.descendants(child)

    def ancestors(self, path: Path) -> Iterator[Path]:
        """The session that a sub-agent works for, and those above that, the nearest first."""
        while (above := self.parents.get(path)) is not None:
            yield above
            path = above

    def _place(self, path: Path) -> tuple[object, ...]:
        links = (self.parents, self.calls, self.continued, self.copied)
        return *(one.get(path) for one in links), self.children.get(path)

    def _link_parents(
        self,
        of: Mapping[Path, TranscriptFile],
        facts: Mapping[Path, Facts],
        employed: Mapping[Path, Iterable[str]],
    ) -> None:
        inner = {path: one.inner_session for path, one in facts.items() if one.inner_session}
        children: dict[Path, list[Path]] = defaultdict(list)
        for path, parent in families(of.values(), inner, employed).items():
            if parent is not None:
                self.parents[path] = parent
                children[parent].append(path)
        for parent, below in children.items():
            self.children[parent] = sorted(below)
            if parent in facts:
                names = {of[path].session.removeprefix(CHILD): path for path in below}
                self.calls.update(calls_of(facts[parent].delegations, names, facts))


def kin_facts(facts: Facts) -> tuple[object, ...]:
    """All of a transcript's facts that its links depend on: while they stay, the links do."""
    descent = facts.descent
    return (
        facts.inner_session,
        facts.delegations,
        facts.spawned,
        descent.runs,
        descent.resumed,
        [*descent.copied],
        descent.is_own,
    )


def _is_mycodeagent(known: Known | None) -> bool:
    return known is not None and known.dialect == "mycodeagent"


def _is_agent(file: TranscriptFile) -> bool:
    return file.session.startswith(CHILD)


def _employed(
    files: Iterable[TranscriptFile], facts: Mapping[Path, Facts]
) -> dict[Path, list[str]]:
    """Of MyCodeAgent's sessions the ids of the sub-agents that work for them."""
    agents = {file.path: file.session.removeprefix(CHILD) for file in files if _is_agent(file)}
    sessions = [file.path for file in files if not _is_agent(file)]
    found: dict[Path, list[str]] = defaultdict(list)
    for agent, parent in employers(sessions, agents, facts).items():
        found[parent].append(agents[agent])
    return found


def _continued(sessions: list[Path], facts: Mapping[Path, Facts]) -> Iterator[tuple[Path, Path]]:
    """Each session written after a resume, with the one that was: its last run comes before."""
    ends: dict[int, list[tuple[int, Path]]] = defaultdict(list)
    for path in sessions:
        ends[facts[path].descent.runs].append((facts[path].updated_at or 0, path))
    for path in sessions:
        descent = facts[path].descent
        if descent.resumed > 1:
            latest = descent.resumed_at
            before = [
                end
                for end in ends.get(descent.resumed - 1, ())
                if end[1] != path and (latest is None or end[0] <= latest)
            ]
            if before:
                yield path, max(before)[1]


def _copied(
    files: Iterable[Path], known: Mapping[Path, Known], metas: Mapping[Path, str]
) -> Iterator[tuple[Path, Copied]]:
    """Each fork with the session that its meta file, or its records, tell that it comes from."""
    for path in files:
        one = known.get(path)
        if path in metas:
            yield path, Copied(metas[path], is_sure=True)
        elif one and one.facts.descent.copied and _may_be_fork(path, one):
            descent = one.facts.descent
            yield path, Copied(next(reversed(descent.copied)), descent.is_own)


def _may_be_fork(path: Path, known: Known) -> bool:
    """What a sub-agent calls its session is not its own id; other agents do not fork."""
    return known.dialect == "product" and path.parent.name != "subagents"


def _nearest(fork: TranscriptFile, sources: Sequence[TranscriptFile]) -> Path | None:
    """The source in the same folder, or else in the same store."""
    beside = [source for source in sources if source.directory == fork.directory]
    store = fork.directory.parent
    near = beside or [source for source in sources if source.directory.parent == store]
    return near[0].path if near else None
