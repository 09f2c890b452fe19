"""Sessions with the totals of their sub-agents, and with their origins."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from dataclasses import replace
from pathlib import Path

from ..folds.facts import Facts
from ..model.event import Usage
from ..model.family import Family, Origin
from ..model.session import Session
from .kinship import Kinship


class RollUp:
    """Adds to each session its family, the titles of its ancestors, and its origin."""

    def __init__(self) -> None:
        self._sessions: dict[Path, Session] = {}

    def renewed(
        self, sessions: Mapping[Path, Session], kin: Kinship, paths: Collection[Path]
    ) -> list[Session]:
        """Return all sessions; those at `paths` are new, changed, or have other relations."""
        for path in _concerned(kin, paths):
            if path in sessions:
                self._sessions[path] = among_kin(sessions[path], sessions, kin)
        if self._sessions.keys() != sessions.keys():
            for path in self._sessions.keys() - sessions.keys():
                del self._sessions[path]
        return list(self._sessions.values())


def _concerned(kin: Kinship, paths: Collection[Path]) -> set[Path]:
    """Return these sessions, and those whose data includes one of them."""
    found = {*paths}
    for path in paths:
        found.update(kin.ancestors(path))
        found.update(kin.descendants(path))
    for links in (kin.continued, kin.sources) if paths else ():
        found.update(path for path, origin in links.items() if origin in paths)
    return found


def among_kin(session: Session, sessions: Mapping[Path, Session], kin: Kinship) -> Session:
    """Return a session with its family, lineage and origin; unchanged if it has none."""
    path = session.path
    family = family_of(path, sessions, kin) if path in kin.children else None
    lineage = _lineage(path, sessions, kin) if session.parent_path else ()
    calls, origin = kin.calls.get(path, ()), _origin(path, sessions, kin)
    if not (family or lineage or origin):
        return session
    return replace(session, family=family, lineage=lineage, calls=calls, origin=origin)


def family_of(path: Path, sessions: Mapping[Path, Session], kin: Kinship) -> Family:
    """Return the totals of a session's sub-agents."""
    members = [sessions[child] for child in kin.descendants(path) if child in sessions]
    used = [member.tokens for member in members if member.tokens is not None]
    working = [member for member in members if member.status == "working"]
    needing = [member for member in members if member.needs_you]
    return Family(
        members=len(members),
        tokens=sum(used, Usage()) if used else None,
        uncertain=sum(member.uncertain for member in members),
        working=len(working),
        needing=len(needing),
        doing=working[0].doing if working else "",
        why=needing[0].why if needing else "",
        crashed=sum(member.status == "crashed" for member in members),
        updated_at=max((one.updated_at for one in members if one.updated_at), default=None),
    )


def own_tokens(facts: Facts, known: Container[str]) -> Usage | None:
    """Return the tokens, without those copied from a known session, where they are counted."""
    taken = [used for session, used in facts.ancestry.copied.items() if session in known]
    if facts.tokens is None or not taken:
        return facts.tokens
    copied = sum(taken, Usage())
    return facts.tokens + Usage(-copied.input, -copied.cached, -copied.output)


def _lineage(path: Path, sessions: Mapping[Path, Session], kin: Kinship) -> tuple[str, ...]:
    """Return the titles of the ancestors, topmost first."""
    titles = [sessions[above].title for above in kin.ancestors(path) if above in sessions]
    return tuple(reversed(titles))


def _origin(path: Path, sessions: Mapping[Path, Session], kin: Kinship) -> Origin | None:
    if (before := kin.continued.get(path)) is not None and before in sessions:
        session = sessions[before]
        return Origin("continuation", session.session, before, session.title)
    copied, source = kin.copied.get(path), kin.sources.get(path)
    if copied is None or (source is None and not copied.is_sure):
        return None
    title = sessions[source].title if source and source in sessions else ""
    return Origin("fork", copied.session, source, title)
