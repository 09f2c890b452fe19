"""What is around a session besides its records: processes, and what the agents' apps know."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..model.agent import Agent
from ..model.process import Around, HomeSigns, Work
from ..model.session import Session
from ..model.store import TranscriptFile
from ..stores.walk import Unreadable
from ..transcript.overview import Overview
from .sightings import Sighting, Sightings
from .status import Signs, has_long_call


class Surroundings:
    """What is around the sessions of all homes, and the processes of this machine."""

    def __init__(self) -> None:
        self._arounds: dict[Path, Around] = {}
        self._keepers: dict[Path, Agent] = {}
        """The agents that homes belong to."""
        self._sightings = Sightings()

    def refresh(self, keepers: Mapping[Path, Agent]) -> bool:
        """Look at what changed in these homes of agents; return whether anything did."""
        changed = False
        for home, agent in keepers.items():
            if home not in self._arounds and agent.around:
                self._arounds[home], self._keepers[home] = agent.around(home), agent
            if home in self._arounds:
                changed |= self._arounds[home].refresh()
        return changed

    def tell_unreadable(self, unreadable: dict[Path, Unreadable]) -> None:
        """Update which data around sessions cannot be read."""
        for around in self._arounds.values():
            for name, problem in around.problems().items():
                unreadable.pop(path := Path(name), None)
                if problem:
                    unreadable[path] = Unreadable(path, problem)

    def sighting(self, path: Path, own: Overview, evidence: Signs) -> Sighting | None:
        """Return what this machine's processes show of a session whose agent registers nowhere.

        `own` is what is known of its newest transcript. Costs a scan of all processes.
        """
        if own.agent.around or evidence.process or evidence.has_registry:
            return None
        return self._sightings.of(path, own, evidence.now)

    def forget(self, path: Path) -> None:
        """Forget a transcript that no longer exists."""
        self._sightings.forget(path)

    def evidence(
        self, home: Path | None, file: TranscriptFile, overview: Overview, leader: str, now: int
    ) -> Signs:
        """Return what is known of a session from outside its records.

        `leader` is the session whose process it is: the topmost parent of a sub-agent.
        """
        found = self._signs(home, file, overview, leader, now)
        return Signs(
            now,
            overview.integrity,
            file.stat.st_mtime_ns // 1_000_000,
            process=found.owner,
            rival=found.rival,
            registers=found.registers,
            run=found.run,
            has_registry=found.tells_all,
            had_process=found.has_left,
            app=found.app,
            session=file.session,
            tools=overview.agent.tools,
            answers_end=overview.agent.answers_end,
        )

    def _signs(
        self, home: Path | None, file: TranscriptFile, overview: Overview, leader: str, now: int
    ) -> HomeSigns:
        around = self._arounds.get(home) if home else None
        if around is None or home is None:
            return HomeSigns()
        facts = overview.facts
        work = Work(
            file.session,
            leader,
            tuple(dict.fromkeys(one for one in (facts.last_cwd, facts.cwd) if one)),
            facts.prompted_at,
            facts.newest_at or facts.updated_at,
            facts.updated_at,
            overview.agent is self._keepers[home],
            has_long_call(facts, now),
        )
        return around.signs(work, now)


def order(session: Session) -> tuple[bool, bool, bool, bool, int]:
    """Sorts as the list: neediest first, then pinned, working, maybe crashed, then newest."""
    newest = -(session.updated_at or 0)
    maybe = session.status == "unknown"
    needs, works = session.family_needs_you, session.family_works
    return not needs, not session.pinned, not works, not maybe, newest
