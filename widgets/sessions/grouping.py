"""From sessions to the entries of the list: which are shown, in which group, in which order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ...storage.model.session import Session
from ..words.ages import day_name
from ..words.cases import MAYBE_CRASHED
from ..words.folders import folder_name
from ..words.session_filter import SessionFilter

GroupBy = Literal["day", "workspace"]


@dataclass(frozen=True, slots=True)
class Header:
    """The heading of a group."""

    title: str
    count: int
    """Sessions below it, sub-agents left out."""


@dataclass(frozen=True, slots=True)
class Item:
    """A session in the list."""

    session: Session
    depth: int = 0
    """1 and more for sub-agents below their parent."""
    children: int = 0
    """Sub-agents that can be unfolded."""
    unfolded: bool = False
    unread: bool = False
    pinned: bool = False


Entry = Header | Item


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the person wants the list; sessions are named by their path."""

    group_by: GroupBy = "day"
    filter: SessionFilter = field(default_factory=SessionFilter)
    unfolded: frozenset[Path] = frozenset()
    pinned: frozenset[Path] = frozenset()
    unread: frozenset[Path] = frozenset()


def entries(sessions: Sequence[Session], arrangement: Arrangement, now: int) -> list[Entry]:
    """The list from top to bottom: neediest first, then pinned, working, and newest first.

    Of the working ones the newest is the one begun last: who writes next does not move them.
    """
    family = _Family(sessions, arrangement)
    groups: dict[str, list[Session]] = {}
    for session in sorted(family.shown(), key=_order(arrangement)):
        groups.setdefault(_group(session, arrangement, now), []).append(session)
    result: list[Entry] = []
    for title, members in groups.items():
        result.append(Header(title, len(members)))
        for session in members:
            result.extend(family.items(session))
    return result


class _Family:
    """Sessions with their sub-agents below them."""

    def __init__(self, sessions: Sequence[Session], arrangement: Arrangement) -> None:
        self._arrangement = arrangement
        self._children: dict[Path, list[Session]] = defaultdict(list)
        self._tops: list[Session] = []
        known = {session.path: session for session in sessions}
        for session in sessions:
            parent = _parent(session, known)
            if parent is None:
                self._tops.append(session)
            else:
                self._children[parent.path].append(session)

    def shown(self) -> Iterable[Session]:
        """Sessions that meet the filter, or one of whose sub-agents does."""
        matches = self._arrangement.filter.matches
        for session in self._tops:
            if matches(session) or self._child_matches(session):
                yield session

    def items(self, session: Session, depth: int = 0) -> Iterable[Item]:
        """The session and, where it is unfolded, its sub-agents."""
        how = self._arrangement
        children = self._children.get(session.path, ())
        found_below = bool(how.filter) and not how.filter.matches(session)
        is_unfolded = not how.unfolded.isdisjoint(session.paths)
        unfolded = bool(children) and (found_below or is_unfolded)
        path = session.path
        yield Item(session, depth, len(children), unfolded, path in how.unread, path in how.pinned)
        if unfolded:
            for child in sorted(children, key=lambda child: child.started_at or 0):
                yield from self.items(child, depth + 1)

    def _child_matches(self, session: Session) -> bool:
        how = self._arrangement
        if not how.filter.conditions or (session.hidden_by and not how.filter.shows_hidden):
            return False
        children = self._children.get(session.path, ())
        return any(how.filter.matches(child) or self._child_matches(child) for child in children)


def _parent(session: Session, known: dict[Path, Session]) -> Session | None:
    """The session that a sub-agent belongs to; none where records name each other in a circle."""
    parent = known.get(session.parent_path) if session.parent_path else None
    above, seen = parent, {session.path}
    while above is not None:
        if above.path in seen:
            return None
        seen.add(above.path)
        above = known.get(above.parent_path) if above.parent_path else None
    return parent


def _order(arrangement: Arrangement) -> Callable[[Session], tuple[Any, ...]]:
    def order(session: Session) -> tuple[Any, ...]:
        working = session.family_works
        newest = -((session.started_at if working else session.updated_at) or 0)
        pinned = session.path in arrangement.pinned
        maybe = session.status != "unknown"
        rank = not session.family_needs_you, not pinned, not working, maybe, newest, session.path
        if arrangement.group_by == "workspace":
            return *_alphabetical(session.workspace), *rank
        return rank

    return order


def _alphabetical(workspace: str) -> tuple[str, str]:
    """By the folder's name, which its heading begins with."""
    return folder_name(workspace).casefold(), workspace


def _group(session: Session, arrangement: Arrangement, now: int) -> str:
    if arrangement.group_by == "workspace":
        return session.workspace
    if session.family_needs_you:
        return "NEEDS YOU"
    if session.path in arrangement.pinned:
        return "PINNED"
    if session.family_works:
        return "WORKING"
    if session.status == "unknown":
        return MAYBE_CRASHED
    return day_name(session.updated_at, now)


def top_level(sessions: Collection[Session]) -> int:
    """How many sessions there are, sub-agents not counted."""
    return sum(session.parent is None for session in sessions)
