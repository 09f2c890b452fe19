"""The rows of the timeline before a session is open."""

from __future__ import annotations

from ...storage.model.timeline import Row
from ...widgets.timeline.timeline import Jump, Step, TimelineSource


class NoRows:
    """Nothing to show."""

    complete = True

    def __len__(self) -> int:
        return 0

    def __getitem__(self, index: int, /) -> Row:
        raise IndexError(index)

    def place_of(self, offset: int) -> int | None:
        """Nowhere."""
        return None

    def next_of(self, jump: Jump, start: int, step: Step) -> int | None:
        """Nowhere."""
        return None


NO_ROWS: TimelineSource = NoRows()
