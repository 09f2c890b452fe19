"""How far a long command is, on standard error from its first second on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from .streams import say

Item = TypeVar("Item")

FIRST = 1.0
"""Seconds before anything is said; then it is said after twice the time, and so on."""


class Reporter:
    """Says now and then how far a command is; a terminal that shows its output is told nothing."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._due = FIRST

    def report(self, sentence: Callable[[], str]) -> None:
        """Flush the output so far and say the sentence, if it is time to."""
        passed = self._clock() - self._start
        if passed < self._due:
            return
        self._due = 2 * passed
        sys.stdout.flush()
        if not sys.stdout.isatty():
            say(sentence())

    def counted(self, items: Iterable[Item], sentence: Callable[[int], str]) -> Iterator[Item]:
        """The items, reported by how many there were; the first one is shown at once."""
        for count, item in enumerate(items):
            if count == 1:
                sys.stdout.flush()
            if count:
                self.report(lambda count=count: sentence(count))  # type: ignore[misc]
            yield item
