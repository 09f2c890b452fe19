"""What the feed gathers for the usage place: counts of the index, summed up by day and share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.message import Message

from ..storage.counting import Counting
from ..storage.library import Library
from ..storage.usage import Reports
from .gathering import Gathering
from .messages import Subject
from .usage_message import UsageTold


class Using:
    """Counts what was used while that is looked at; used by the feed's thread alone.

    `now` tells the milliseconds since 1970.
    """

    def __init__(
        self, library: Library, post: Callable[[Message], object], now: Callable[[], int]
    ) -> None:
        self._library = library
        self._now = now
        self.reports = Gathering(
            self._count, lambda subject, found, _: post(UsageTold(subject, *found[-1]))
        )

    def changed(self, at_once: bool = False) -> None:
        """Transcripts grew."""
        self.reports.changed(at_once)

    def slice(self) -> bool:
        """Count a little; whether there was anything to do."""
        return self.reports.slice()

    def _count(self, subject: Subject) -> Iterator[tuple[Reports, int] | None]:
        self._library.save()  # so that the index holds what was read up to now
        yield None
        now, index = self._now(), self._library.index
        counting = Counting(self._library.sessions(now), now)
        yield from counting.count(index.usage(), index.calls(), index.edits())
        if uncounted := self._library.uncounted():
            self.changed()  # to be counted as soon as the index has them
        yield counting.reports(), len(uncounted)
