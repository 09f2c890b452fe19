"""Gathers usage from the index, summed up by day and by share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...storage.model.usage import Reports, SessionUse
from ...storage.usage.report import UsageReports
from ...storage.usage.session import SessionUsage
from ..selection.visible import in_sight
from .context import Context
from .incremental import IncrementalList
from .messages import SessionUseChanged, UsageChanged
from .requests import Subject


class UsageWorker:
    """Count usage while the screen shows it; used by the feed's thread only."""

    def __init__(self, context: Context) -> None:
        self._library = context.library
        self._now = context.now
        self._session: SessionUsage | None = None
        self._reports = IncrementalList(
            self._count, lambda subject, found, _: context.post(UsageChanged(subject, *found[-1]))
        )
        self._use = IncrementalList(
            self._count_session,
            lambda subject, found, _: context.post(SessionUseChanged(subject, found[-1])),
        )

    def look_at(self, subject: Subject | None) -> None:
        """Count all sessions or the one at a path from now on; None counts nothing."""
        is_one = isinstance(subject, Path)
        self._reports.look_at(None if is_one else subject)
        self._use.look_at(subject if is_one else None)

    def changed(self) -> None:
        """Count again, because transcripts have grown."""
        self._reports.changed()
        self._use.changed()

    def slice(self) -> bool:
        """Count for one slice; return whether there was anything to do."""
        return self._reports.slice() or self._use.slice()

    def _count_session(self, subject: Subject) -> Iterator[SessionUse | None]:
        assert isinstance(subject, Path)
        self._library.save()
        yield None
        if self._session is None or self._session.path != subject:
            self._session = SessionUsage(self._library, subject)
        yield from self._session.count(self._now())

    def _count(self, subject: Subject) -> Iterator[tuple[Reports, int] | None]:
        self._library.save()  # the index must hold all that was read
        yield None
        now, index = self._now(), self._library.index
        counting = UsageReports(in_sight(self._library.sessions(now)), now)
        yield from counting.count(index.usage(), index.calls(), index.edits())
        if uncounted := self._library.overviews.uncounted():
            self.changed()  # count them once the index has them
        yield counting.reports(), len(uncounted)
