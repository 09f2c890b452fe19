"""Reports the progress of a long command on standard error, from its first second on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from .streams import say

Item = TypeVar("Item")

FIRST = 1.0
"""Seconds before the first message; each later one follows after twice the elapsed time."""


class Reporter:
    """Reports progress at growing intervals, unless the output itself appears on a terminal."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._due = FIRST

    def report(self, sentence: Callable[[], str]) -> None:
        """Flush the output so far and print the sentence, if one is due."""
        passed = self._clock() - self._start
        if passed < self._due:
            return
        self._due = 2 * passed
        sys.stdout.flush()
        if not sys.stdout.isatty():
            say(sentence())

    def counted(self, items: Iterable[Item], sentence: Callable[[int], str]) -> Iterator[Item]:
        """Yield the items, reporting their number; the first one is flushed at once."""
        for count, item in enumerate(items):
            if count == 1:
                sys.stdout.flush()
            if count:
                self.report(lambda count=count: sentence(count))  # type: ignore[misc]
            yield item
