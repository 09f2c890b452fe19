"""Keeps relations between sessions up to date as transcripts appear, disappear and grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..agents.codebuddy.forks import ForkNotes
from ..model.session import Session
from ..stores.discovery import TranscriptFile, workspace_of
from ..transcript.overview import Overview
from .kinship import Kinship
from .roll_up import RollUp


class Relations:
    """The relations of a library's transcripts; a change costs only its own workspace."""

    def __init__(self) -> None:
        self.kin = Kinship()
        self._fork_notes = ForkNotes()
        self._gathered = RollUp()
        self._unlinked: set[Path] = set()
        """Workspaces in which relations may have changed."""
        self._renewed: set[Path] = set()
        """Sessions that changed since the last call of `gathered`."""

    def meet(self, path: Path) -> None:
        """Note that a transcript is new or gone, or that facts about its relations changed."""
        self._fork_notes.forget(path)
        self._unlinked.add(workspace_of(path))

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
        folders: dict[Path, list[TranscriptFile]] = {folder: [] for folder in self._unlinked}
        for path, file in files.items():
            # Sub-agents that were not read yet have no facts.
            is_told = file.owner is None or path in known
            if is_told and (folder := workspace_of(path)) in folders:
                folders[folder].append(file)
        changed: set[Path] = set()
        for ones in folders.values():
            changed |= self.kin.relink(ones, known, self._fork_notes.forked_from(ones))
        changed |= self.kin.find_sources(files, of_id)
        self._unlinked.clear()
        self._renewed |= changed
        return changed

    def gathered(self, sessions: Mapping[Path, Session]) -> list[Session]:
        """Return all sessions with their families and origins."""
        renewed, self._renewed = self._renewed, set()
        return self._gathered.renewed(sessions, self.kin, renewed)
