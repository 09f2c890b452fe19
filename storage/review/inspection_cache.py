"""A cache of inspections, valid while neither transcript nor file has changed."""

from __future__ import annotations

import os
from pathlib import Path

from ..model.action import Action
from ..model.evidence import Inspection
from ..transcript.transcript import Transcript
from .inspection import inspect


class Inspections:
    """Inspects each action once, and again when its file or its transcript has changed."""

    def __init__(self) -> None:
        self._kept: dict[
            tuple[Path, tuple[int, str]], tuple[tuple[object, ...], Inspection | None]
        ] = {}

    def of(self, transcript: Transcript, action: Action, now: int) -> Inspection | None:
        """Return `inspect` of the action, from the cache if possible."""
        place = (transcript.path, action.place)
        fingerprint = transcript.fingerprint
        basis = (fingerprint.inode, fingerprint.offset, fingerprint.checksum, _look_of(action.path))
        kept = self._kept.get(place)
        if kept is None or kept[0] != basis:
            kept = self._kept[place] = (basis, inspect(transcript, action, now))
        return kept[1]


def _look_of(path: str | None) -> tuple[int, ...]:
    """Return what identifies the state of a file; empty if there is none."""
    try:
        stat = os.stat(path) if path else None  # noqa: PTH116 (foreign: may be no path at all)
    except (OSError, ValueError):
        return ()
    return (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns) if stat else ()
