"""Notes next to a CodeBuddy transcript on what it was forked from (`<id>.meta.json`)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import orjson

from ...files.lines import opened, pread
from ...records.fields import mapping, string
from ...stores.discovery import META, TranscriptFile

LARGEST = 64 * 1024
"""Maximum bytes read of such a file; real ones have about two hundred."""


class ForkNotes:
    """The sessions that transcripts were forked from; each file is read once."""

    def __init__(self) -> None:
        self._told: dict[Path, str | None] = {}

    def forked_from(self, files: Iterable[TranscriptFile]) -> dict[Path, str]:
        """Return the source sessions by path of the fork, for files whose notes name one."""
        found: dict[Path, str] = {}
        for file in files:
            if file.has_meta:
                path = file.path
                if path not in self._told:
                    self._told[path] = _told(path.with_name(file.session + META))
                if session := self._told[path]:
                    found[path] = session
        return found

    def forget(self, path: Path) -> None:
        """Read the notes of a transcript again next time."""
        self._told.pop(path, None)


def _told(path: Path) -> str | None:
    with suppress(OSError, orjson.JSONDecodeError), opened(path) as fd:
        return string(mapping(orjson.loads(pread(fd, LARGEST, 0))).get("forkedFrom"))
    return None
