"""What a forked child must not share with its parent: it has locks of its own from the beginning.

A child that never records would otherwise hold its parent's lock for as long as it lives, and one
that does would wait for a thread that it does not have.
"""

from __future__ import annotations

import os
import threading
from typing import Protocol
from weakref import WeakSet


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
    """A lock between the threads of one process.

    `with mutex.lock` is a statement over an object of C: an interruption leaves it held nowhere.
    """

    lock: threading.RLock
    is_busy: bool
    """Whether its owner is at work, so that a signal handler in the same thread must not be."""

    def __init__(self) -> None:
        self.part()
        part_in_child(self)

    def part(self) -> None:
        """Be free, whoever held it."""
        self.lock, self.is_busy = threading.RLock(), False
