"""What a forked child must not share with its parent: it has locks of its own from the beginning.

A child that never records would otherwise hold its parent's lock for as long as it lives, and one
that does would wait for a thread that it does not have.
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
    """Something that a child has anew."""

    def part(self) -> None:
        """Let go of what is the parent's."""
        ...


_PARTED: WeakSet[Parted] = WeakSet()  # a hook cannot be taken back: one is there for all


def part_in_child(thing: Parted) -> None:
    """Call its `part` in every child that this process forks."""
    _PARTED.add(thing)


def _part() -> None:
    for thing in list(_PARTED):
        thing.part()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_part)


class Mutex:
    """A lock between the threads of one process, which keeps signal handlers out, too."""

    _lock: threading.RLock
    _is_busy: bool
    """Whether its owner is at work, so that a signal handler in the same thread must not be."""

    def __init__(self) -> None:
        self.part()
        part_in_child(self)

    def part(self) -> None:
        """Be free, whoever held it."""
        self._lock, self._is_busy = threading.RLock(), False

    def in_turn(
        self, refusal: Callable[[], str], work: Callable[[*Given], Done], *given: *Given
    ) -> Done:
        """Do something while no other thread does, and nothing of the same thread in its midst.

        A signal handler runs in the midst of what its thread does: NotKept with `refusal` is raised
        there. Plain statements over a lock of C: an interruption inside a context manager of Python
        would leave it held.
        """
        with self._lock:
            if self._is_busy:
                raise NotKept(refusal())
            try:
                self._is_busy = True
                return work(*given)
            finally:
                self._is_busy = False
