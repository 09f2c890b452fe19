"""Relations between transcripts: parents, with the calls that delegated work, and origins.

Everything but the sources of forks is within one workspace, so a change costs time proportional to
its workspace. The result does not depend on the order in which transcripts are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..folds.delegations import Delegation
from ..folds.facts import Facts
from ..model.rules import FamilyRule
from ..model.store import TranscriptFile
from ..transcript.continuations import address, links_of
from ..transcript.overview import Overview
from .calls import calls_of
from .parents import families, without_circles


class Copied(NamedTuple):
    """The session that a transcript was copied from, according to its records or notes."""

    session: str
    is_sure: bool
    """False if all records belong to the other session: the file may merely have been renamed."""


@dataclass(slots=True)
class Kinship:
    """The links between transcripts, by path; those of a session are held by its newest part."""

    before: dict[Path, Path] = field(default_factory=dict)
    """The previous part, for a further part of a session."""
    after: dict[Path, Path] = field(default_factory=dict)
    """The next part, for a part that was continued."""
    parents: dict[Path, Path] = field(default_factory=dict)
    children: dict[Path, list[Path]] = field(default_factory=dict)
    calls: dict[Path, tuple[int, ...]] = field(default_factory=dict)
    """For a sub-agent, the addresses in its parent of the calls it works for."""
    continued: dict[Path, Path] = field(default_factory=dict)
    """For a session started after a resume, the one that was resumed."""
    copied: dict[Path, Copied] = field(default_factory=dict)
    """For a fork, what it was copied from."""
    sources: dict[Path, Path] = field(default_factory=dict)
    """For a fork, the path of that session, if it exists."""

    def relink(
        self,
        files: Sequence[TranscriptFile],
        known: Mapping[Path, Overview],
        fork_notes: Mapping[Path, str],
    ) -> set[Path]:
        """Rebuild the links of one workspace's files; return those whose relations changed.

        `fork_notes`: source session ids named in the notes of forks, by path.
        """
        of = {file.path: file for file in files}
        facts = {path: one.facts for path in of if (one := known.get(path))}
        before = {path: self._place(path) for path in of}
        self.forget(of)
        claims = self._link_parts(of, known)
        rules = _rules(of.values(), known)
        above: dict[Path, Path] = {}
        continued = [*claims.items()]
        for rule, ones in rules.items():
            first = [file for file in ones if file.path not in self.before]
            above |= rule.parents(first, ones, facts)
            continued = [*rule.continued(ones, facts), *continued]
        names = {file.path: rule.name_of(file.session) for rule in rules for file in rules[rule]}
        self._link_parents(of, facts, above, names)
        self._link_origins(continued)
        self.copied.update(_copied(of, known, fork_notes))
        changed = {path for path, place in before.items() if self._place(path) != place}
        changed.update([self.newest(path) for path in changed])
        return changed.union(*(self.descendants(path) for path in changed))

    def forget(self, paths: Iterable[Path]) -> None:
        """Remove all links of these transcripts."""
        for path in paths:
            for links in (self.before, self.after, self.parents, self.continued, self.sources):
                links.pop(path, None)
            for others in (self.children, self.calls, self.copied):
                others.pop(path, None)

    def find_sources(
        self, files: Mapping[Path, TranscriptFile], of_id: Mapping[str, list[Path]]
    ) -> set[Path]:
        """Find the sources of forks in all directories; return the forks whose source changed."""
        changed = set()
        for fork, (session, _) in self.copied.items():
            others = [path for path in of_id.get(session, ()) if path != fork]
            source = _nearest(files[fork], [files[path] for path in others])
            if source != self.sources.get(fork):
                changed.add(fork)
                self.sources.pop(fork, None)
                self.sources.update({fork: source} if source else {})
        return changed

    def newest(self, path: Path) -> Path:
        """Return the newest part of a transcript's session, which represents all of them."""
        while (after := self.after.get(path)) is not None:
            path = after
        return path

    def parts(self, path: Path) -> list[Path]:
        """Return all parts of a transcript's session, oldest first."""
        path = self.newest(path)
        found = [path]
        while (path := self.before.get(path, path)) != found[-1]:
            found.append(path)
        return found[::-1]

    def descendants(self, path: Path) -> Iterator[Path]:
        """Yield all sub-agents of a session, nested ones included."""
        for child in self.children.get(path, ()):
            yield child
            yield from self.descendants(child)

    def ancestors(self, path: Path) -> Iterator[Path]:
        """Yield the session that a sub-agent works for and its ancestors, nearest first."""
        while (above := self.parents.get(path)) is not None:
            yield above
            path = above

    def _place(self, path: Path) -> tuple[object, ...]:
        links = (self.before, self.after, self.parents, self.calls, self.continued, self.copied)
        return *(one.get(path) for one in links), self.children.get(path)

    def _link_parents(
        self,
        of: Mapping[Path, TranscriptFile],
        facts: Mapping[Path, Facts],
        above_by_rule: Mapping[Path, Path],
        names: Mapping[Path, str],
    ) -> None:
        inner = {path: one.inner_session for path, one in facts.items() if one.inner_session}
        above: dict[Path, Path | None] = {}
        for path, parent in families(of.values(), inner, above_by_rule).items():
            child = self.newest(path)
            if parent is not None and (child not in above or path not in self.before):
                above[child] = self.newest(parent)
        children: dict[Path, list[Path]] = defaultdict(list)
        for child, parent in without_circles(above).items():
            if parent is not None:
                self.parents[child] = parent
                children[parent].append(child)
        for parent, below in children.items():
            self.children[parent] = sorted(below)
            first = [self.parts(path)[0] for path in below]
            by_name = {names.get(path, of[path].session): path for path in first}
            calls = calls_of(self._delegations(parent, facts), by_name, facts)
            self.calls.update((self.newest(path), offsets) for path, offsets in calls.items())

    def _delegations(self, path: Path, facts: Mapping[Path, Facts]) -> list[Delegation]:
        """Return the delegations of all parts of a session."""
        return [
            one._replace(offset=address(part, one.offset))
            for part, of_part in enumerate(self.parts(path))
            if of_part in facts
            for one in facts[of_part].delegations
        ]

    def _link_parts(
        self, of: Mapping[Path, TranscriptFile], known: Mapping[Path, Overview]
    ) -> dict[Path, Path]:
        """Link the parts of sessions; return sessions whose predecessor continues elsewhere."""
        links = links_of(of, known)
        self.before.update(links.before)
        self.after.update((before, path) for path, before in links.before.items())
        return links.claims

    def _link_origins(self, continued: Iterable[tuple[Path, Path]]) -> None:
        """Link sessions to those they continue without being a part of them."""
        for path, before in continued:
            one, other = self.newest(path), self.newest(before)
            if path not in self.before and one != other:
                self.continued[one] = other


def kin_facts(facts: Facts) -> tuple[object, ...]:
    """Return all facts of a transcript that its links depend on."""
    ancestry = facts.ancestry
    return (
        facts.inner_session,
        facts.delegations,
        facts.spawned,
        ancestry.runs,
        ancestry.resumed,
        ancestry.continues,
        [*ancestry.copied],
        ancestry.is_own,
    )


def _rules(
    files: Iterable[TranscriptFile], known: Mapping[Path, Overview]
) -> dict[FamilyRule, list[TranscriptFile]]:
    """Return the files of the agents that have a rule for families."""
    found: dict[FamilyRule, list[TranscriptFile]] = defaultdict(list)
    for file in files:
        overview = known.get(file.path)
        if overview and (rule := overview.agent.family):
            found[rule].append(file)
    return found


def _copied(
    files: Mapping[Path, TranscriptFile],
    known: Mapping[Path, Overview],
    fork_notes: Mapping[Path, str],
) -> Iterator[tuple[Path, Copied]]:
    """Yield each fork with the session it comes from, according to its notes or records."""
    for path, file in files.items():
        one = known.get(path)
        if path in fork_notes:
            yield path, Copied(fork_notes[path], is_sure=True)
        elif one and one.facts.ancestry.copied and _may_be_fork(file, one):
            ancestry = one.facts.ancestry
            yield path, Copied(next(reversed(ancestry.copied)), ancestry.is_own)


def _may_be_fork(file: TranscriptFile, known: Overview) -> bool:
    """Return whether its records may have been copied from another session."""
    rule = known.agent.family
    return rule is not None and rule.may_be_fork(file)


def _nearest(fork: TranscriptFile, sources: Sequence[TranscriptFile]) -> Path | None:
    """Return the source in the same folder, else one in the same session directory."""
    beside = [source for source in sources if source.directory == fork.directory]
    store = fork.directory.parent
    near = beside or [source for source in sources if source.directory.parent == store]
    return near[0].path if near else None
