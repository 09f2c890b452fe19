"""The current state of every session; rebuilt only if something it is made of changed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from ..decisions.decisions import Decisions
from ..family.kinship import kin_facts
from ..family.relations import Relations
from ..family.roll_up import among_kin
from ..model.session import Session
from .catalogue import Catalogue
from .decided import DecidedSessions
from .overviews import Overviews
from .session_builder import SessionBuilder
from .status import SeenEffect

SETTLED = frozenset({"done", "crashed", "empty", "corrupt", "interrupted"})
"""States that time alone does not change once a session is old."""

VOLATILE_MS, AGAIN_MS = 60 * 60 * 1000, 5_000
"""Milliseconds after its last record for which a settled session is looked at again, and between
two such looks: the reason that is given tells how long ago something was."""


class Sessions:
    """The sessions of a catalogue's transcripts, with their families."""

    def __init__(
        self,
        catalogue: Catalogue,
        overviews: Overviews,
        decisions: Decisions | None,
        review_days: int,
    ) -> None:
        self._catalogue = catalogue
        self._overviews = overviews
        self._relations = Relations()
        self._kin = self._relations.kin
        self._builder = SessionBuilder(
            catalogue, overviews, self._kin, DecidedSessions(decisions), review_days
        )
        self._sessions: dict[Path, Session] = {}
        self._looked_back = 0

    def forget(self, paths: Sequence[Path]) -> None:
        """Remove transcripts that no longer exist; call this before removing their overviews."""
        self._take_changes()
        for path in paths:
            self._relations.meet(path)
            self._renew(path, *self._catalogue.namesakes(path))
            self._builder.forget(path)
        self._relations.forget(paths)

    def parts(self, path: Path) -> list[Path]:
        """Return the transcripts of the session that one belongs to, oldest first, if known."""
        self._link()
        return self._kin.parts(path)

    def see_effects(self, path: Path, seen: tuple[SeenEffect, ...]) -> None:
        """As `Library.see_effects`."""
        if self._builder.see_effects(path, seen):
            self._renew(path)

    def inherited_before(self, path: Path) -> int:
        """As `SessionBuilder.inherited_before`."""
        return self._builder.inherited_before(path)

    def all(self, now: int | None = None) -> list[Session]:
        """Return all known sessions and sub-agents as of `now` (milliseconds since 1970)."""
        now = _now() if now is None else now
        if self._builder.refresh():
            self._sessions.clear()
        self._builder.tell_unreadable()
        self._link()
        looks_back = not 0 <= now - self._looked_back < AGAIN_MS
        self._looked_back = now if looks_back else self._looked_back
        for path in self._overviews.by_path:
            if not self._is_stale(path, now, looks_back):
                continue
            if (session := self._builder.session(path, now)) != self._sessions.get(path):
                self._sessions[path] = session
                self._relations.renew(path)
        return self._relations.gathered(self._sessions)

    def one(self, path: Path, now: int | None = None) -> Session | None:
        """Return the session that a transcript is or is a part of, as of now."""
        now = _now() if now is None else now
        self._link()
        path = self._kin.newest(path)
        if not self._sessions:
            self.all(now)  # nobody looked around yet
        if path not in self._overviews.by_path or path not in self._catalogue.files:
            return None
        return among_kin(self._builder.session(path, now), self._sessions, self._kin)

    def _is_stale(self, path: Path, now: int, looks_back: bool) -> bool:
        if path in self._kin.after or path not in self._catalogue.files:  # read after it was gone
            return False
        session = self._sessions.get(path)
        if session is None or session.status not in SETTLED:
            return True
        silence = now - (session.updated_at or 0)
        return silence < AGAIN_MS or (looks_back and silence < VOLATILE_MS)

    def _link(self) -> None:
        """Update the relations between sessions where they may have changed."""
        self._take_changes()
        files, by_id = self._catalogue.files, self._catalogue.by_id
        changed = self._relations.link(files, self._overviews.by_path, by_id)
        for path in [*changed, *self._kin.after] if changed else ():
            self._sessions.pop(path, None)

    def _take_changes(self) -> None:
        """Mark sessions for rebuilding if something they depend on was read."""
        known = self._overviews.by_path
        for path, before in self._overviews.take_changed().items():
            if before is None or kin_facts(before.facts) != kin_facts(known[path].facts):
                self._relations.meet(path)
            above = self._kin.ancestors(self._kin.newest(path))
            self._renew(path, *above, *self._catalogue.namesakes(path))

    def _renew(self, *paths: Path) -> None:
        for path in paths:
            self._sessions.pop(self._kin.newest(path), None)


def _now() -> int:
    return int(time.time() * 1000)
