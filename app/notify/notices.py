"""What is worth a notification: a session needs the user, has finished or crashed.

Only changes that happen while the program runs are announced. What it finds when it starts, or
learns by reading further in an old file, is in the list, but not news.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...storage.model.family import Family
from ...storage.model.session import Session
from ...widgets.words.folders import folder_name

Kind = Literal["needs you", "finished", "died", "long call"]

LONG_CALL = 60_000
"""Milliseconds after which a running call is announced: it may be waiting for approval."""

REST = 3_000
"""Milliseconds before a turn counts as ended: often the next one begins at once."""

ALIVE = frozenset({"working", "waiting", "asking", "unknown"})


@dataclass(frozen=True, slots=True)
class Notice:
    """What happened to a session; title and reason are foreign text."""

    path: Path
    kind: Kind
    title: str
    why: str

    @property
    def is_serious(self) -> bool:
        """Whether the user has to act."""
        return self.kind != "finished"


class Lookout:
    """Compares the sessions with their previous state."""

    def __init__(self) -> None:
        self._before: dict[Path, Session] = {}
        self._long: dict[Path, int] = {}
        """Start times of the long calls already announced."""
        self._ended: dict[Path, int] = {}
        """End times of turns that were not announced yet."""

    @property
    def waits(self) -> bool:
        """Whether there is something to announce that a later look has to confirm."""
        return bool(self._ended)

    def look(self, sessions: Iterable[Session], now: int) -> list[Notice]:
        """Return what happened since the last look; `now` is in milliseconds."""
        after = {session.path: session for session in sessions}
        found = []
        for path, session in after.items():
            known = (self._before[one] for one in reversed(session.paths) if one in self._before)
            before = next(known, None)
            runs_long = self._runs_long(session, now)
            if before is None or before is session or not _is_watched(before, session):
                continue
            kind = _happened(before, session)
            if kind == "finished":
                self._ended[path] = now
            elif kind := kind or runs_long:
                found.append(_notice(kind, session))
        self._before = after
        return found + list(self._finished(now))

    def _finished(self, now: int) -> Iterator[Notice]:
        """Yield the sessions that have been idle long enough since their turn ended."""
        for path, since in list(self._ended.items()):
            session = self._before.get(path)
            rests = session is not None and not session.family_works
            if session is None or not rests or now - since >= REST:
                del self._ended[path]
            if session is not None and rests and now - since >= REST:
                yield _notice("finished", session)

    def _runs_long(self, session: Session, now: int) -> Kind | None:
        since = session.call_since
        if since is None or now - since < LONG_CALL:
            return None
        if since in (self._long.get(path) for path in session.paths):
            return None
        self._long[session.path] = since
        return "long call"


def _is_watched(before: Session, after: Session) -> bool:
    """Return whether the session was fully read before, and is listed on its own."""
    return before.events is not None and after.parent_path is None and after.hidden_by is None


def _happened(before: Session, after: Session) -> Kind | None:
    if _news(before) == _news(after):
        return None  # the user's own decisions are not news
    if after.status == "crashed" and before.status in ALIVE:
        return "died"
    if after.family_needs_you and not before.family_needs_you:
        return "needs you"
    if after.status in ("waiting", "done") and before.family_works and not after.family_works:
        return "finished"
    return None


def _news(session: Session) -> tuple[object, ...]:
    """Return what changes when the agent or its sub-agents do something."""
    family = session.family or Family()
    theirs = family.working, family.crashed, family.updated_at
    return session.status, session.updated_at, *theirs


def _notice(kind: Kind, session: Session) -> Notice:
    place = folder_name(session.workspace)
    title = f"{session.title} ({place})" if place else session.title
    return Notice(session.path, kind, title, _why(kind, session))


def _why(kind: Kind, session: Session) -> str:
    """Return the reason for a notice; if a sub-agent needs the user, that one's reason."""
    if kind == "finished":
        return ""
    if kind == "long call":
        return session.doing
    if kind == "needs you" and not session.needs_you and session.family:
        return session.family.why
    return session.why


def sentence(notices: list[Notice]) -> str:
    """Return one sentence for simultaneous notices; foreign text."""
    if len(notices) > 1:
        return ", ".join(_counted(kind, notices) for kind in _kinds(notices)) + "."
    one = notices[0]
    said = {
        "needs you": "needs you",
        "finished": "has finished",
        "died": "crashed",
        "long call": "has been running one tool call for a long time",
    }
    return f"{one.title} {said[one.kind]}. {one.why}".rstrip()


def _kinds(notices: list[Notice]) -> list[Kind]:
    return list(dict.fromkeys(notice.kind for notice in notices))


def _counted(kind: Kind, notices: list[Notice]) -> str:
    number = sum(notice.kind == kind for notice in notices)
    noun = "session" if number == 1 else "sessions"
    said = {
        "needs you": "needs you" if number == 1 else "need you",
        "finished": "finished",
        "died": "crashed",
        "long call": "running one tool call for a long time",
    }
    return f"{number} {noun} {said[kind]}"
