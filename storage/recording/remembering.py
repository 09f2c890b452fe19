"""The session memory kept up to date record by record, equal to one that is built anew."""

from __future__ import annotations

from ..event import Event
from ..memory import SessionMemory
from ..memory_fold import MemoryFold
from ..memory_render import BUDGET, render


class RunningMemory:
    """Give `add` to a store's `follow`: each event costs the same, however many came before."""

    def __init__(self, session: str, dialect: str) -> None:
        self._fold = MemoryFold(session, dialect)

    def add(self, event: Event) -> None:
        """Take in the next event."""
        self._fold.add(event)

    def memory(self, alive: bool = True) -> SessionMemory:
        """The memory now. `alive`: open calls are at work; without, they are uncertain."""
        return self._fold.memory(alive)

    def text(self, budget: int = BUDGET) -> str:
        """The block that a model is given, of at most `budget` characters."""
        return render(self.memory(), budget)
