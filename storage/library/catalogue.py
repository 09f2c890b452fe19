"""The transcripts in the session directories, found by name; none is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..model.agent import Agent
from ..model.store import Root, TranscriptFile
from ..stores.discovery import discover
from ..stores.layouts import agent_of, home_of, session_at
from ..stores.walk import Unreadable


class Catalogue:
    """The transcripts of some roots as of the last scan."""

    def __init__(self, roots: Sequence[Root]) -> None:
        self.roots = tuple(roots)
        self.files: dict[Path, TranscriptFile] = {}
        self.homes: dict[Path, Path | None] = {}
        """By transcript, the agent's home that its root is in; None if there is none."""
        self.keepers: dict[Path, Agent] = {}
        """By home, the agent that it belongs to."""
        self.by_id: dict[str, list[Path]] = {}
        """Paths by session id; several if a session directory was copied."""
        self.unreadable: dict[Path, Unreadable] = {}
        """What cannot be read, found by the scan or later."""
        self._agents: Counter[tuple[Path, str | None]] = Counter()
        """Number of sub-agents by workspace and id of their parent."""

    def rescan(self) -> bool:
        """Scan again; return whether any transcript appeared, disappeared or changed."""
        before = {path: _marks(file) for path, file in self.files.items()}
        for table in (self.files, self.homes, self.keepers, self.by_id, self.unreadable):
            table.clear()
        for root in self.roots:
            found = discover(root)
            home = home_of(root)
            if home:
                self.keepers[home] = agent_of(root)
            for file in found.files:
                self.files.setdefault(file.path, file)
                self.homes.setdefault(file.path, home)
            self.unreadable.update((problem.path, problem) for problem in found.unreadable)
        for path, file in self.files.items():
            self.by_id.setdefault(file.session, []).append(path)
        owned = (file for file in self.files.values() if file.owner is not None)
        self._agents = Counter((file.workspace, file.owner) for file in owned)
        return before != {path: _marks(file) for path, file in self.files.items()}

    def newest_first(self) -> list[Path]:
        """Return the transcripts, most recently changed first."""
        return sorted(self.files, key=lambda path: -self.files[path].stat.st_mtime_ns)

    def session_id(self, path: Path) -> str:
        """Return the session id of a transcript, even of one that the scan did not find."""
        file = self.files.get(path)
        return file.session if file else session_at(path)

    def namesakes(self, path: Path) -> list[Path]:
        """Return other transcripts with the same session id, as in copied session directories."""
        return [other for other in self.by_id.get(self.session_id(path), ()) if other != path]

    def agents_of(self, file: TranscriptFile) -> int:
        """Return the number of sub-agents in the folder of a session."""
        if file.owner is not None or not self._agents:
            return 0
        return self._agents[file.workspace, file.session]


def _marks(file: TranscriptFile) -> tuple[int, ...]:
    """Return what changes when a file changes; not its access time, which reading changes."""
    stat = file.stat
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
