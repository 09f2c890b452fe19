"""The session memory, updated record by record; equal to one that is built from scratch."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ..files.lines import LONGEST, opened, pread, tail_start
from ..memory.fold import MemoryFold
from ..memory.render import BUDGET, render
from ..model.agent import Agent
from ..model.event import Event, Place
from ..model.memory import SessionMemory
from ..transcript.format import head_records
from .directories import is_there
from .errors import TornTail, readable
from .form import Form


class Opening(NamedTuple):
    """How far a recording went when it was opened: nobody works on calls open by then."""

    session: str
    """Id of its last file at that time, existing or not."""
    end: int
    """Offset up to which that file's contents remain."""


class RunningMemory:
    """A session memory, kept current by passing `add` to `Store.follow`; constant cost per event.

    With an `opening`, calls that were open then are uncertain. Read it only while nothing is added.
    """

    def __init__(self, session: str, agent: Agent, opening: Opening | None = None) -> None:
        self._fold = MemoryFold(session, agent)
        self._opening = opening
        """None once all earlier records were added."""
        self._is_reached = False

    def add(self, event: Event) -> None:
        """Take in the next event."""
        if self._opening is not None and self._is_since(self._opening, event.place):
            self._fold.interrupt()
            self._opening = None
        self._fold.add(event)

    def memory(self, alive: bool = True) -> SessionMemory:
        """Return the current memory; open calls are running if `alive`, otherwise uncertain."""
        if self._opening is not None:
            self._fold.interrupt()
        return self._fold.memory(alive)

    def text(self, budget: int = BUDGET) -> str:
        """Return a block of text for the model, at most `budget` characters."""
        return render(self.memory(), budget)

    def _is_since(self, opening: Opening, place: Place) -> bool:
        """Return whether a record came after the opening; files come in order."""
        if place.session != opening.session:
            return self._is_reached
        self._is_reached = True
        return place.offset >= opening.end


def opening_of(path: Path, session: str, form: Form) -> Opening | None:
    """Return the opening of a recording at its last file; None if that is only a torn line.

    Raises NotKept if the file cannot be read.
    """
    with readable(path):
        if not is_there(path) or not path.is_file():
            return Opening(session, 0)
        with opened(path) as fd:
            size = os.fstat(fd).st_size
            if size and next(head_records(fd, size, 1), None) is None:
                return None  # only a torn line, so the recording goes on in another file
            return Opening(session, _end(fd, size, form))


def _end(fd: int, size: int, form: Form) -> int:
    """Return the offset of the next record: an incomplete last line may be removed."""
    if not size or pread(fd, 1, size - 1) == b"\n":
        return size
    start = tail_start(fd, size, 1, size)
    try:
        if size - start > LONGEST:
            return size
        is_cut = form.mend(pread(fd, size - start, start)) == "cut"
    except TornTail:
        return size
    return start if is_cut else size
