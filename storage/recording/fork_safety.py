"""Gives a forked child locks and files of its own, instead of its parent's.

A child that never records would otherwise hold its parent's lock for as long as it lives, and one
that does would wait for a thread that does not exist in it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple
from weakref import WeakSet

from .errors import NotKept

Done = TypeVar("Done")
Given = TypeVarTuple("Given")


class Parted(Protocol):
    """Something that a child must recreate."""

    def part(self) -> None:
        """Let go of what belongs to the parent."""
        ...


_PARTED: WeakSet[Parted] = WeakSet()  # hooks cannot be unregistered, so one serves all


def part_in_child(thing: Parted) -> None:
    """Call its `part` in every child that this process forks."""
    _PARTED.add(thing)


def _part() -> None:
    for thing in list(_PARTED):
        thing.part()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_part)


class Mutex:
    """A lock between threads that also excludes signal handlers of the same thread."""

    _lock: threading.RLock
    _is_busy: bool
    """Whether its owner is working, so that a signal handler in the same thread must not."""

    def __init__(self) -> None:
        self.part()
        part_in_child(self)

    def part(self) -> None:
        """Reset to unlocked, whoever held it."""
        self._lock, self._is_busy = threading.RLock(), False

    def in_turn(
        self, refusal: Callable[[], str], work: Callable[[*Given], Done], *given: *Given
    ) -> Done:
        """Call `work` while no other thread does, and never nested in the same thread.

        In a signal handler that interrupts `work`, raises NotKept with `refusal` as its message.
        Uses plain statements with a lock implemented in C: an interruption inside a Python context
        manager would leave it held.
        """
        with self._lock:
            if self._is_busy:
                raise NotKept(refusal())
            try:
                self._is_busy = True
                return work(*given)
            finally:
                self._is_busy = False
