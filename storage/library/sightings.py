"""Who may be at work on transcripts of agents that register nowhere: MyCodeAgent's, envelopes.

Where their project is, since when a process of theirs was there at the latest, and whether a
transcript was copied from another place, where processes would have to be looked for as well.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import orjson

from ..files.kinds import is_directory
from ..files.lines import opened, pread
from ..files.machine import Machine
from ..files.machine import Sighting as Sighting
from ..files.working_directory import resolved
from ..transcript.overview import Overview

TAIL = 64 * 1024
"""Bytes of a transcript's end in which its agent may name its directory."""

_CWD = re.compile(rb'"context": ?\{"cwd": ?("(?:[^"\\]|\\.)*")')


class Sightings:
    """Looks for the agents of transcripts; the machine is not looked at before somebody asks."""

    def __init__(self) -> None:
        self.machine = Machine()
        self._named: dict[Path, tuple[int, str]] = {}
        """The directory that the end of a transcript names, by its size then."""

    def of(self, path: Path, overview: Overview, now: int) -> Sighting | None:
        """What the processes tell of a transcript; None where it is not known where to look."""
        facts = overview.facts
        if overview.agent.name == "mycodeagent":
            named = overview.agent.directory(path) if overview.agent.directory else None
            project = Path(named) if named else None
            began = facts.started_at  # each process writes a transcript of its own
        else:
            project = Path(facts.last_cwd) if facts.last_cwd else None
            began = facts.newest_at
        if project is None or began is None or not is_directory(project):
            return None
        sighting = self.machine.sighting(path, project, began, now)
        if sighting.is_whole and self._is_copy(path, project, overview):
            return Sighting(sighting.worker, sighting.gone)
        return sighting

    def forget(self, path: Path) -> None:
        """A transcript is gone."""
        self.machine.forget(path)
        self._named.pop(path, None)

    def _is_copy(self, path: Path, project: Path, overview: Overview) -> bool:
        """Whether MyCodeAgent's results name another project than the one it lies in."""
        if overview.agent.name != "mycodeagent":
            return False
        size, named = self._named.get(path, (-1, ""))
        if size != overview.fingerprint.size:
            named = _named_in(path)
            self._named[path] = overview.fingerprint.size, named
        real = resolved(project)
        return bool(named) and named != real and not named.startswith(real + os.sep)


def _named_in(path: Path) -> str:
    """The real path of the last directory that a transcript's results tell; "" for none."""
    try:
        with opened(path) as fd:
            size = os.fstat(fd).st_size
            found = _CWD.findall(pread(fd, min(size, TAIL), max(0, size - TAIL)))
        named = orjson.loads(found[-1]) if found else ""
    except (OSError, orjson.JSONDecodeError):
        return ""
    return resolved(named) if Path(named).is_absolute() else ""
