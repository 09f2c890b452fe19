"""Brings all transcripts of a library up to date, on two cores if that is worth it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..index.worker_process import WORTH, WorkerProcess

if TYPE_CHECKING:
    from .library import Library

SAVED_EVERY = 64
"""Transcripts read between two savings."""

AT_ONCE = 1000
"""Sub-agents that the first list has: each of tens of thousands would cost it a millisecond."""


@dataclass(frozen=True, slots=True)
class UpdateProgress:
    """Progress of an update; bytes as of its start."""

    files: int
    files_left: int
    bytes: int
    bytes_read: int


Tell = Callable[[UpdateProgress], object]


def first_and_rest(library: Library) -> tuple[list[Path], list[Path]]:
    """Return the transcripts needed for a first list, sessions first, and those that can wait.

    Each newest first. The older ones of very many sub-agents can wait.
    """
    sessions: list[Path] = []
    agents: list[Path] = []
    for path in library.newest_first():
        file = library.file(path)
        (agents if file and file.is_agent else sessions).append(path)
    return sessions + agents[:AT_ONCE], agents[AT_ONCE:]


def bring_up_to_date(library: Library, tell: Tell, only: Sequence[Path] = ()) -> None:
    """Read what changed, newest first, or the transcripts of `only` in their order.

    A second process starts at the other end.
    """
    behind = deque(library.pending(only))
    files, size = len(behind), _size(library, behind)
    overviews = library.overviews
    before = overviews.bytes_read
    helper = _helper(library, behind) if size >= WORTH and files > 1 else None
    try:
        for number in range(files):
            done = overviews.bytes_read - before + (helper.bytes_read if helper else 0)
            tell(UpdateProgress(files, len(behind), size, done))
            path = _taken(behind)
            if path is None:
                break
            library.read(path)
            if number % SAVED_EVERY == SAVED_EVERY - 1:
                library.save()
    finally:
        behind.clear()
        if helper:
            helper.finish()
    if helper:
        _take_over(library, helper)
    library.save()
    for path in library.lost():  # the index failed meanwhile
        library.read(path)
    library.save()


def _helper(library: Library, behind: deque[Path]) -> WorkerProcess | None:
    cache = library.transcripts.cache
    if cache is None or (os.cpu_count() or 1) < 2 or not library.index.lasts:
        return None

    def oldest() -> tuple[Path, str] | None:
        try:
            path = behind.pop()
        except IndexError:
            return None
        return path, library.catalogue.session_id(path)

    helper = WorkerProcess(cache, oldest)
    helper.start()
    return helper


def _taken(behind: deque[Path]) -> Path | None:
    """Return the newest transcript that the other process has not taken."""
    try:
        return behind.popleft()
    except IndexError:
        return None


def _take_over(library: Library, helper: WorkerProcess) -> None:
    """Load what the other process has read; read here what it could not."""
    library.overviews.bytes_read += helper.bytes_read
    library.overviews.parsed |= helper.parsed
    for path in helper.done:
        if not library.overviews.learn_of(path):
            library.read(path)
    for path in helper.left:
        library.read(path)


def _size(library: Library, paths: deque[Path]) -> int:
    files = map(library.file, paths)
    return sum(file.stat.st_size for file in files if file)
