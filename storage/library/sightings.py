"""Looks for the processes of agents that register nowhere.

Determines the project of a transcript, the latest time at which its process must have started, and
whether the transcript was copied from elsewhere, where processes would have to be sought as well.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..agents import AGENTS
from ..files.kinds import is_directory
from ..files.machine import Machine
from ..files.machine import Sighting as Sighting
from ..files.working_directory import resolved
from ..transcript.overview import Overview


class Sightings:
    """Looks for the agents of transcripts; processes are only scanned on demand."""

    def __init__(self) -> None:
        self.machine = Machine(programs())
        self._named: dict[Path, tuple[int, str]] = {}
        """The size of a transcript, and the directory that its end named then."""

    def of(self, path: Path, overview: Overview, now: int) -> Sighting | None:
        """Return what the processes show about a transcript; None if its project is not known."""
        facts = overview.facts
        agent = overview.agent
        named = agent.directory(path) if agent.directory else facts.last_cwd
        project = Path(named) if named else None
        began = facts.started_at if agent.is_per_process else facts.newest_at
        if project is None or began is None or not is_directory(project):
            return None
        sighting = self.machine.sighting(path, project, began, now)
        if sighting.is_whole and self._is_copy(path, project, overview):
            return Sighting(sighting.worker, sighting.gone)
        return sighting

    def forget(self, path: Path) -> None:
        """Forget a transcript that no longer exists."""
        self.machine.forget(path)
        self._named.pop(path, None)

    def _is_copy(self, path: Path, project: Path, overview: Overview) -> bool:
        """Return whether the records name another project than the one a transcript lies in."""
        if (directory_in := overview.agent.directory_in) is None:
            return False
        size, named = self._named.get(path, (-1, ""))
        if size != overview.fingerprint.size:
            named = directory_in(path)
            self._named[path] = overview.fingerprint.size, named
        real = resolved(project)
        return bool(named) and named != real and not named.startswith(real + os.sep)


def programs() -> frozenset[str]:
    """Return the names of the commands of agents that register nowhere."""
    return frozenset(name for agent in AGENTS.values() for name in agent.programs)
