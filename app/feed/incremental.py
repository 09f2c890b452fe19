"""A list that is put together from many transcripts, a slice at a time, while it is looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from .requests import Subject

T = TypeVar("T")

TOLD_EVERY = 0.3
"""Seconds between two states of a list that is being put together for the first time."""

TOLD_AGAIN = 0.25
"""The least part of the time so far after which a state is told: each costs as much as it holds."""

REST = 20
"""How many times as long as the gathering took it rests before it begins anew."""


class IncrementalList(Generic[T]):
    """Gathers what `gather` yields of a subject and tells it; used by the feed's thread alone.

    It is told with whether that is all of it. `gather` may yield None between two transcripts to
    give way. What was changed meanwhile is gathered again; so is everything after `every` seconds,
    if those are given.
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
        """What is looked at."""
        return self._subject

    def look_at(self, subject: Subject | None) -> None:
        """Gather this from now on; None gathers nothing."""
        if subject != self._subject:
            self._subject, self._work, self._told = subject, None, None
            self._is_due, self._next_begin = subject is not None, 0.0
            self._next_tell = time.monotonic() + TOLD_EVERY

    def changed(self, at_once: bool = False) -> None:
        """Something that the list rests on has changed; `at_once`: the person did it."""
        self._is_due = self._subject is not None
        if at_once:
            self._work, self._next_begin = None, 0.0

    def slice(self) -> bool:
        """Gather a little; whether there was anything to do."""
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
        """Tell at once what a decision changes of the list as it was told."""
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
