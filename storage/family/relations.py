"""Keeps relations between sessions up to date as transcripts appear, disappear and grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..model.session import Session
from ..model.store import TranscriptFile
from ..transcript.overview import Overview
from .kinship import Kinship
from .roll_up import RollUp


class Relations:
    """The relations of a library's transcripts; a change costs only its own workspace."""

    def __init__(self) -> None:
        self.kin = Kinship()
        self._fork_notes: dict[Path, str | None] = {}
        """What the notes next to transcripts name as source, as far as they were read."""
        self._gathered = RollUp()
        self._unlinked: set[Path] = set()
        """Transcripts whose relations may have changed."""
        self._workspaces: dict[Path, Path] = {}
        """By transcript, the workspace that it was last linked in."""
        self._renewed: set[Path] = set()
        """Sessions that changed since the last call of `gathered`."""

    def meet(self, path: Path) -> None:
        """Note that a transcript is new or gone, or that facts about its relations changed."""
        self._fork_notes.pop(path, None)
        self._unlinked.add(path)

    def forget(self, paths: Sequence[Path]) -> None:
        """Forget transcripts that no longer exist."""
        self.kin.forget(paths)

    def renew(self, path: Path) -> None:
        """Note that a session changed since the last call of `gathered`."""
        self._renewed.add(path)

    def link(
        self,
        files: Mapping[Path, TranscriptFile],
        known: Mapping[Path, Overview],
        of_id: Mapping[str, list[Path]],
    ) -> set[Path]:
        """Update relations wherever they may have changed; return the sessions affected."""
        if not self._unlinked:
            return set()
        changed: set[Path] = set()
        for ones in self._changed_workspaces(files, known):
            changed |= self.kin.relink(ones, known, self._forked_from(ones, known))
        changed |= self.kin.find_sources(files, of_id)
        self._unlinked.clear()
        self._renewed |= changed
        return changed

    def _changed_workspaces(
        self, files: Mapping[Path, TranscriptFile], known: Mapping[Path, Overview]
    ) -> Iterable[list[TranscriptFile]]:
        """Return the files of each workspace with a transcript whose relations may have changed."""
        places = {self._workspaces.pop(path, None) for path in self._unlinked}
        places |= {files[path].workspace for path in self._unlinked if path in files}
        found: dict[Path, list[TranscriptFile]] = {place: [] for place in places if place}
        for path, file in files.items():
            if file.workspace in found:
                self._workspaces[path] = file.workspace
                # Sub-agents that were not read yet have no facts.
                if file.owner is None or path in known:
                    found[file.workspace].append(file)
        return found.values()

    def _forked_from(
        self, files: Sequence[TranscriptFile], known: Mapping[Path, Overview]
    ) -> dict[Path, str]:
        """Return the sources that the notes next to transcripts name, by path of the fork."""
        found: dict[Path, str] = {}
        for file in files:
            path = file.path
            if not file.has_notes or path not in known:
                continue
            if path not in self._fork_notes:
                rule = known[path].agent.family
                self._fork_notes[path] = rule.noted_source(file) if rule else None
            if session := self._fork_notes[path]:
                found[path] = session
        return found

    def gathered(self, sessions: Mapping[Path, Session]) -> list[Session]:
        """Return all sessions with their families and origins."""
        renewed, self._renewed = self._renewed, set()
        return self._gathered.renewed(sessions, self.kin, renewed)
