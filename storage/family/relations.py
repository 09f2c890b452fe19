"""Keeps who belongs to whom up to date while transcripts come, go and grow."""

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
    """The kin of a library's transcripts; what changes of a workspace costs that workspace."""

    def __init__(self) -> None:
        self.kin = Kinship()
        self._fork_notes = ForkNotes()
        self._gathered = RollUp()
        self._unlinked: set[Path] = set()
        """Workspaces in which somebody may have other kin now."""
        self._renewed: set[Path] = set()
        """Sessions that changed since all were last told."""

    def meet(self, path: Path) -> None:
        """A transcript is new, tells other things of its kin, or is gone."""
        self._fork_notes.forget(path)
        self._unlinked.add(workspace_of(path))

    def forget(self, paths: Sequence[Path]) -> None:
        """Transcripts are gone."""
        self.kin.forget(paths)

    def renew(self, path: Path) -> None:
        """A session is another one than was last told."""
        self._renewed.add(path)

    def link(
        self,
        files: Mapping[Path, TranscriptFile],
        known: Mapping[Path, Overview],
        of_id: Mapping[str, list[Path]],
    ) -> set[Path]:
        """Find who belongs to whom where that may have changed; those of whom it has."""
        if not self._unlinked:
            return set()
        folders: dict[Path, list[TranscriptFile]] = {folder: [] for folder in self._unlinked}
        for path, file in files.items():
            # Of a sub-agent that was not looked at nothing is told yet.
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
        """All sessions as they stand among their kin."""
        renewed, self._renewed = self._renewed, set()
        return self._gathered.renewed(sessions, self.kin, renewed)
