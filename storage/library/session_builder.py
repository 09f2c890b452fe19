"""Builds sessions from their parts, their surroundings and the user's decisions.

A session of several parts is represented by the newest, which grows and is resumed. The older ones
add their texts, usage, open calls and decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..family.kinship import Kinship
from ..family.roll_up import own_tokens
from ..folds.timestamps import AHEAD, corrected_facts
from ..folds.titles import choose, one_line
from ..model.decision import Personal
from ..model.event import Usage
from ..model.process import AppSession
from ..model.session import HiddenBy, Session
from ..model.store import TranscriptFile
from ..model.timeline import Verdict
from ..transcript.continuations import Joining, address
from ..transcript.overview import Overview
from .catalogue import Catalogue
from .decided import DecidedSessions
from .overviews import Overviews
from .status import SeenEffect, Signs, State, derive, may_be_at_work
from .surroundings import Surroundings


class SessionBuilder:
    """Builds the sessions of a catalogue's transcripts. Used by one thread."""

    def __init__(
        self,
        catalogue: Catalogue,
        overviews: Overviews,
        kin: Kinship,
        decided: DecidedSessions,
        review_days: int,
    ) -> None:
        self._catalogue, self._files = catalogue, catalogue.files
        self._overviews, self._grew_at = overviews.by_path, overviews.grew_at
        self._kin = kin
        self._decided = decided
        self._review_days = review_days
        self._surroundings = Surroundings()
        self._joining = Joining()
        self._seen: dict[Path, tuple[SeenEffect, ...]] = {}
        self._ended: dict[Path, tuple[tuple[Overview, ...], dict[int, bool]]] = {}
        """By parent, the overviews used and whether each of its delegating calls is over."""

    def refresh(self) -> bool:
        """Read new decisions and changes around the sessions; return whether there were any."""
        around = self._surroundings.refresh(self._catalogue.keepers)
        return self._decided.refresh() or around

    def tell_unreadable(self) -> None:
        """Update in the catalogue which data around the sessions cannot be read."""
        self._surroundings.tell_unreadable(self._catalogue.unreadable)

    def inherited_before(self, path: Path) -> int:
        """Return the offset before which a fork's calls belong to its source; 0 if none do.

        The source must exist: it lists those that are open.
        """
        overview, copied = self._overviews.get(path), self._kin.copied.get(path)
        if overview is None or copied is None or path not in self._kin.sources:
            return 0
        own_from = overview.facts.ancestry.own_from
        if own_from is None:
            return overview.fingerprint.offset if copied.is_sure else 0
        return own_from

    def see_effects(self, path: Path, seen: tuple[SeenEffect, ...]) -> bool:
        """Count what a search of the disk found for a session; return whether it is new."""
        before = self._seen.get(path, ())
        self._seen[path] = seen
        return seen != before

    def forget(self, path: Path) -> None:
        """Forget a transcript that no longer exists."""
        self._seen.pop(path, None)
        self._ended.pop(path, None)
        self._surroundings.forget(path)
        self._joining.forget(path)

    def session(self, path: Path, now: int) -> Session:
        """Return the session whose newest part is at a path."""
        *older, _ = parts = [
            part
            for part in self._kin.parts(path)
            if part in self._overviews and part in self._files
        ]
        overview = self._joining.joined(parts, self._overviews) if older else self._overviews[path]
        assert overview
        file, home = self._files[path], self._catalogue.homes.get(path)
        told = overview.facts
        facts = corrected_facts(told, now, file.stat.st_mtime_ns // 1_000_000)
        overview = overview if facts is told else replace(overview, facts=facts)
        verdicts = tuple(
            verdict
            for part in parts
            for verdict in self._decided.verdicts(
                self._files[part],
                self._overviews[part],
                self._catalogue.namesakes(part),
                self._seen.get(part, ()),
            )
        )
        evidence = replace(
            self._surroundings.evidence(home, file, overview, self._leader(path), now),
            grew_at=self._grew(path, overview, now),
            decided={event_id for event_id, _ in verdicts},
            review_days=self._review_days,
            is_over=self._is_over(path),
            inherited_before=self.inherited_before(path),
            seen=self._seen.get(path, ()),
        )
        if may_be_at_work(overview.facts, evidence):
            sighting = self._surroundings.sighting(path, self._overviews[path], evidence)
            evidence = replace(evidence, sighting=sighting)
        parent = self._kin.parents.get(path)
        session = _session_of(
            file,
            overview,
            evidence,
            self._files.get(parent) if parent else None,
            max(len(self._kin.children.get(path, ())), self._catalogue.agents_of(file)),
            own_tokens(overview.facts, self._catalogue.by_id if path in self._kin.copied else ()),
            self._personal(parts),
            verdicts,
            tuple(
                one for part in parts for one in self._decided.candidates(self._files[part].session)
            ),
        )
        if facts is not told:
            session = replace(session, why=f"{session.why.rstrip('.')}; {AHEAD}.")
        return self._with_parts(session, older) if older else session

    def _with_parts(self, session: Session, older: list[Path]) -> Session:
        files = [self._files[path] for path in older]
        return replace(
            session,
            bytes=session.bytes + sum(file.stat.st_size for file in files),
            parts=tuple(older),
            part_ids=tuple(file.session for file in files),
        )

    def _personal(self, parts: list[Path]) -> Personal:
        """Return the decisions on any part; the title is that of the newest part with one."""
        made = [
            self._decided.personal(self._files[path], self._catalogue.namesakes(path))
            for path in parts
        ]
        return Personal(
            next((one.title for one in reversed(made) if one.title), None),
            any(one.pinned for one in made),
            any(one.hidden for one in made),
        )

    def _grew(self, path: Path, overview: Overview, now: int) -> int | None:
        """Return when it last grew, or a sub-agent that it is waiting for did."""
        own = self._grew_at.get(path)
        if all(one.ended_at is not None for one in overview.facts.delegations):
            return own
        below = [
            self._overviews[one] for one in self._kin.descendants(path) if one in self._overviews
        ]
        signs = (one.facts.updated_at for one in below)
        return max((at for at in (own, *signs) if at is not None and at <= now), default=own)

    def _is_over(self, path: Path) -> bool:
        """Return whether the calls that a sub-agent works for have their results.

        If results may not name their sub-agents, whether all such calls of its parent have one.
        """
        parent = self._kin.parents.get(path)
        if parent is None or parent not in self._overviews:  # it may not have been read yet
            return False
        parts = [
            self._overviews[part] for part in self._kin.parts(parent) if part in self._overviews
        ]
        kept = self._ended.get(parent)
        if kept is None or not _are_same(kept[0], parts):
            calls = {
                address(number, one.offset): one.is_over
                for number, overview in enumerate(parts)
                for one in overview.facts.delegations
            }
            kept = self._ended[parent] = (tuple(parts), calls)
        own = [kept[1].get(call, False) for call in self._kin.calls.get(path, ())]
        if own or self._overviews[parent].agent.names_children:
            return bool(own) and all(own)
        return bool(kept[1]) and all(kept[1].values())

    def _leader(self, path: Path) -> str:
        while parent := self._kin.parents.get(path):
            path = parent
        return self._files[path].session


def _are_same(some: Sequence[Overview], others: Sequence[Overview]) -> bool:
    """Return whether these are the same objects, so that nothing must be compared."""
    return len(some) == len(others) and all(
        one is other for one, other in zip(some, others, strict=True)
    )


def _session_of(
    file: TranscriptFile,
    overview: Overview,
    evidence: Signs,
    parent: TranscriptFile | None,
    children: int,
    tokens: Usage | None,
    personal: Personal,
    verdicts: tuple[tuple[str, Verdict], ...],
    candidates: tuple[str, ...],
) -> Session:
    facts, app = overview.facts, evidence.app
    standing: State = derive(facts, evidence)
    title, source = agents_title, _ = choose(
        overview.agent.titles,
        facts.naming_titles,
        app.custom_title if app else None,
        app.title if app else None,
        facts.naming_prompt,
        file.session,
    )
    if personal.title:
        title, source = one_line(personal.title), "user"
    return Session(
        session=file.session,
        path=file.path,
        agent=overview.agent,
        workspace=facts.cwd or file.folder,
        title=title,
        title_from=source,
        status=standing.status,
        why=standing.why,
        needs_you=standing.needs_you,
        integrity=overview.integrity,
        events=overview.events,
        bytes=file.stat.st_size,
        started_at=facts.started_at,
        updated_at=facts.updated_at,
        model=facts.model or (app.model if app and app.model else None),
        tokens=tokens if overview.whole else None,
        uncertain=standing.uncertain,
        verdicts=verdicts,
        remembered=candidates,
        agents_title=agents_title,
        pinned=personal.pinned,
        parent=parent.session if parent else None,
        parent_path=parent.path if parent else None,
        children=children,
        hidden_by=_hidden_by(personal, app),
        asked=f"{facts.first_prompt} {facts.last_prompt}",
        tools=frozenset(facts.tools),
        doing=standing.doing,
        call_since=standing.call_since,
        alive=standing.alive,
        unknown=standing.unknown,
    )


def _hidden_by(personal: Personal, app: AppSession | None) -> HiddenBy | None:
    if personal.hidden:
        return "user"
    return "app" if app and (app.deleted or app.archived) else None
