"""Gathers a list from many transcripts, a slice at a time, while the screen shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from .requests import Subject

T = TypeVar("T")

TOLD_EVERY = 0.3
"""Minimum seconds between two intermediate states of a list that is gathered for the first time."""

TOLD_AGAIN = 0.25
"""Minimum pause between two states, as a fraction of the time so far; posting costs as much as the
list is long.
"""

REST = 20
"""Minimum pause before gathering again, as a multiple of its last duration."""


class IncrementalList(Generic[T]):
    """Gather what `gather` yields for a subject and post it; used by the feed's thread only.

    `tell` gets the subject, the items and whether they are complete. `gather` may yield None
    between two transcripts to end a slice. The list is gathered again after a change, and every
    `every` seconds if that is given.
    """

    def __init__(
        self,
        gather: Callable[[Subject], Iterator[T | None]],
        tell: Callable[[Subject, list[T], bool], object],
        every: float | None = None,
    ) -> None:
        self._gather = gather
        self._tell = tell
        self._every = every
        self._subject: Subject | None = None
        self._work: Iterator[T | None] | None = None
        self._found: list[T] = []
        self._told: list[T] | None = None
        self._is_due = False
        self._began = self._next_begin = self._next_tell = 0.0

    @property
    def subject(self) -> Subject | None:
        """The subject that is being gathered."""
        return self._subject

    def look_at(self, subject: Subject | None) -> None:
        """Gather this subject from now on; None stops gathering."""
        if subject != self._subject:
            self._subject, self._work, self._told = subject, None, None
            self._is_due, self._next_begin = subject is not None, 0.0
            self._next_tell = time.monotonic() + TOLD_EVERY

    def changed(self, at_once: bool = False) -> None:
        """Gather again, because the underlying data changed; `at_once` restarts without a pause."""
        self._is_due = self._subject is not None
        if at_once:
            self._work, self._next_begin = None, 0.0

    def slice(self) -> bool:
        """Gather for one slice; return whether there was anything to do."""
        now = time.monotonic()
        if self._work is None and not self._begins(now):
            return False
        assert self._work is not None
        assert self._subject is not None
        one = next(self._work, self)
        if one is self:
            self._end(self._subject)
        elif one is not None:
            self._found.append(one)  # type: ignore[arg-type]
            if self._told is None and now >= self._next_tell:
                self._next_tell = now + max(TOLD_EVERY, TOLD_AGAIN * (now - self._began))
                self._tell(self._subject, list(self._found), False)
        return True

    def amend(self, change: Callable[[T], T]) -> None:
        """Apply a change to every item and post the list at once if it differs."""
        if self._subject is None:
            return
        self._found = [change(one) for one in self._found]
        is_whole = self._told is not None
        now = [change(one) for one in self._told or ()] if is_whole else self._found
        if now != self._told:
            self._told = now if is_whole else None
            self._tell(self._subject, list(now), is_whole)

    def _begins(self, now: float) -> bool:
        if self._subject is None or now < self._next_begin:
            return False
        if not self._is_due and (self._every is None or now < self._began + self._every):
            return False
        self._is_due, self._began, self._found = False, now, []
        self._work = self._gather(self._subject)
        return True

    def _end(self, subject: Subject) -> None:
        self._work = None
        now = time.monotonic()
        self._next_begin = now + REST * (now - self._began)
        if self._found != self._told:
            self._told = self._found
            self._tell(subject, list(self._found), True)
