"""The session memory kept up to date record by record, equal to one that is built anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ..files.lines import LONGEST, opened, pread, tail_start
from ..memory.fold import MemoryFold
from ..memory.render import BUDGET, render
from ..model.event import Event, Place
from ..model.memory import SessionMemory
from ..transcript.format import head_records
from .directories import is_there
from .errors import TornTail, readable
from .form import Form


class Opening(NamedTuple):
    """How far a recording went when it was opened: what was open then is nobody's work now."""

    session: str
    """Of its last file then, there or not yet."""
    end: int
    """Bytes of that file which stay."""


class RunningMemory:
    """Give `add` to a store's `follow`: each event costs the same, however many came before.

    With an `opening`, calls that were open then are uncertain. Read it while nobody adds.
    """

    def __init__(self, session: str, dialect: str, opening: Opening | None = None) -> None:
        self._fold = MemoryFold(session, dialect)
        self._opening = opening
        """None once all that stood there was added."""
        self._is_reached = False

    def add(self, event: Event) -> None:
        """Take in the next event."""
        if self._opening is not None and self._is_since(self._opening, event.place):
            self._fold.interrupt()
            self._opening = None
        self._fold.add(event)

    def memory(self, alive: bool = True) -> SessionMemory:
        """The memory now. `alive`: open calls are at work; without, they are uncertain."""
        if self._opening is not None:
            self._fold.interrupt()
        return self._fold.memory(alive)

    def text(self, budget: int = BUDGET) -> str:
        """The block that a model is given, of at most `budget` characters."""
        return render(self.memory(), budget)

    def _is_since(self, opening: Opening, place: Place) -> bool:
        """Whether a record came since; the files come in their order."""
        if place.session != opening.session:
            return self._is_reached
        self._is_reached = True
        return place.offset >= opening.end


def opening_of(path: Path, session: str, form: Form) -> Opening | None:
    """The opening of a recording at its last file; None where no record is or leads up to it.

    Raises NotKept where the file cannot be read.
    """
    with readable(path):
        if not is_there(path) or not path.is_file():
            return Opening(session, 0)
        with opened(path) as fd:
            size = os.fstat(fd).st_size
            if size and next(head_records(fd, size, 1), None) is None:
                return None  # a torn line alone, after which there is another file
            return Opening(session, _end(fd, size, form))


def _end(fd: int, size: int, form: Form) -> int:
    """Where the next record will stand: a last line that was cut may be cut off."""
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
