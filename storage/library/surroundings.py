"""What is around a session besides its records: processes, and the desktop app's database."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..agents.codebuddy.claims import Claim, claim_of
from ..agents.codebuddy.desktop import Desktop, DesktopSession
from ..agents.codebuddy.registry import Registry
from ..agents.codebuddy.run_logs import Run, RunLogs
from ..files.kinds import is_directory
from ..model.session import Session
from ..model.store import TranscriptFile
from ..stores.walk import Unreadable
from ..transcript.overview import Overview
from .sightings import Sighting, Sightings
from .status import Signs, has_long_call


class Surroundings:
    """The process registries and desktop databases of the homes that sessions lie in."""

    def __init__(self) -> None:
        self._registries: dict[Path, Registry] = {}
        self._desktops: dict[Path, Desktop] = {}
        self._sightings = Sightings()
        self._logs: dict[Path, RunLogs] = {}

    def refresh(self, homes: Iterable[Path]) -> bool:
        """Look at what changed; whether anything did."""
        changed = False
        for home in homes:
            registry = self._registries.setdefault(home, Registry(home))
            desktop = self._desktops.setdefault(home, Desktop(home))
            changed |= registry.refresh()
            changed |= desktop.refresh()
        return changed

    def tell_unreadable(self, unreadable: dict[Path, Unreadable]) -> None:
        """Bring the desktop databases that cannot be read up to date among these."""
        for path, problem in ((one.path, one.problem) for one in self._desktops.values()):
            unreadable.pop(path, None)
            if problem:
                unreadable[path] = Unreadable(path, problem)

    def desktop(self, home: Path | None, session: str) -> DesktopSession | None:
        """What the desktop app knows of a session."""
        return self._desktops[home].sessions.get(session) if home in self._desktops else None

    def sighting(self, path: Path, own: Overview, evidence: Signs) -> Sighting | None:
        """What this machine's processes tell of a session in whose home nobody registers.

        `own` is what is known of its newest transcript. Costs a look at all processes.
        """
        if own.agent.name == "product" or evidence.process or evidence.has_registry:
            return None
        return self._sightings.of(path, own, evidence.now)

    def forget(self, path: Path) -> None:
        """A transcript is gone."""
        self._sightings.forget(path)

    def evidence(
        self, home: Path | None, file: TranscriptFile, overview: Overview, leader: str, now: int
    ) -> Signs:
        """All from outside its records that tells of a session's agent.

        `leader` is the session whose process it is: the topmost parent of a sub-agent.
        """
        registry = self._registries.get(home) if home else None
        claim = claim_of(registry, leader, overview.facts, now) if registry else Claim()
        return Signs(
            now,
            overview.integrity,
            file.stat.st_mtime_ns // 1_000_000,
            process=claim.owner,
            rival=claim.rival,
            registers=self._registers(home, overview, now),
            run=self._run(home, file, overview, claim, now),
            has_registry=registry.tells_all(now) if registry else False,
            had_process=registry.has_left(leader) if registry else False,
            desktop=self.desktop(home, file.session),
            session=file.session,
            tools=overview.agent.tools,
            answers_end=overview.agent.name != "mycodeagent",
        )

    def _run(
        self, home: Path | None, file: TranscriptFile, overview: Overview, claim: Claim, now: int
    ) -> Run | None:
        """What the log of a living process says of a session with a long call."""
        facts, owner = overview.facts, claim.owner
        directory = facts.last_cwd or facts.cwd
        if home is None or not (owner and owner.is_attached and directory):
            return None
        if overview.agent.name != "product" or not has_long_call(facts, now):
            return None
        logs = self._logs.setdefault(home, RunLogs(home))
        return logs.run(file.session, directory, facts.updated_at or 0)

    def _registers(self, home: Path | None, overview: Overview, now: int) -> bool:
        """Whether an agent that has the session would be in the registry of its home.

        The desktop app's are not, nor those of a directory that is not on this machine.
        """
        if home not in self._registries or overview.agent.name != "product":
            return False
        if self._desktops[home].is_there or not self._registries[home].tells_all(now):
            return False
        directory = overview.facts.last_cwd or overview.facts.cwd
        return directory is not None and is_directory(Path(directory))


def order(session: Session) -> tuple[bool, bool, bool, bool, int]:
    """Sorts as the list: neediest first, then pinned, working, maybe crashed, then newest."""
    newest = -(session.updated_at or 0)
    maybe = session.status == "unknown"
    needs, works = session.family_needs_you, session.family_works
    return not needs, not session.pinned, not works, not maybe, newest
