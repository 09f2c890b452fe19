"""What a product notes beside a transcript of where that comes from (`<id>.meta.json`)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import orjson

from ...files.lines import opened, pread
from ...records.fields import mapping, string
from ...stores.discovery import META, TranscriptFile

LARGEST = 64 * 1024
"""Bytes of such a file that are read: real ones have two hundred."""


class ForkNotes:
    """The sessions that transcripts were forked from, each asked for once."""

    def __init__(self) -> None:
        self._told: dict[Path, str | None] = {}

    def forked_from(self, files: Iterable[TranscriptFile]) -> dict[Path, str]:
        """By path of the fork, of those whose meta file names one."""
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
        """Ask anew when it is next asked for."""
        self._told.pop(path, None)


def _told(path: Path) -> str | None:
    with suppress(OSError, orjson.JSONDecodeError), opened(path) as fd:
        return string(mapping(orjson.loads(pread(fd, LARGEST, 0))).get("forkedFrom"))
    return None
