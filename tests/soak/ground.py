"""Where a soak takes place: its store, and the program set upon it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.bench import program

from .parts import Part


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder for all of it, and who writes there."""

    folder: Path
    parts: Sequence[Part]

    @property
    def store(self) -> Path:
        """Below it lie the homes and projects."""
        return self.folder / "store"

    @property
    def followed(self) -> Path:
        """The transcript that the screen has open."""
        return self.parts[0].transcript(self.store, 1)

    def transcripts(self) -> list[Path]:
        """All that were written, sub-agents' too."""
        return sorted(self.store.rglob("*.jsonl"))

    def command(self, *words: str) -> list[str]:
        """`sessions` with some words, on this store."""
        homes = sorted({str(self.store / part.home) for part in self.parts})
        roots = [word for home in homes for word in ("--root", home)]
        kept = ("--cache-dir", str(self.folder / "cache"), "--data-dir", str(self.folder / "data"))
        return [program(), *roots, *kept, *words]

    def environ(self) -> dict[str, str]:
        """A person's terminal, but none of their settings and stores."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        told = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_CTYPE": "C.UTF-8"}
        return kept | told | {"HOME": str(self.folder)}
