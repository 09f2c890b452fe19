"""The lists of a memory while they are being written: each keeps its newest items only."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from heapq import nlargest
from typing import Any

from ..model.event import Event
from ..model.memory import LISTS, ListName, MemoryItem, Source, item_of

KEPT = 50
"""Items that each list keeps: what a person reads and an agent can be told."""


class Notes:
    """What was noted so far; `keep` items of each list, or all of them where it is None."""

    def __init__(self, keep: int | None = KEPT) -> None:
        self.keep = keep
        self.goal: MemoryItem | None = None
        self._lists = {name: deque[MemoryItem](maxlen=keep) for name in LISTS}
        self._counts = dict.fromkeys(LISTS, 0)

    def write(self, name: ListName, text: str, event: Event) -> None:
        """Note something that one event tells."""
        self.put(name, item_of(text, event))

    def put(self, name: ListName, item: MemoryItem) -> None:
        """Note an item."""
        self._lists[name].append(item)
        self._counts[name] += 1

    def kept(
        self, name: ListName, more: Sequence[MemoryItem]
    ) -> tuple[tuple[MemoryItem, ...], int]:
        """A list with `more` items at its end, and how many it leaves out."""
        items = newest([*self._lists[name], *more], self.keep)
        return tuple(items), self._counts[name] + len(more) - len(items)

    def as_json(self) -> dict[str, Any]:
        """Plain data from which `restore` goes on."""
        return {
            "goal": packed(self.goal) if self.goal else None,
            "lists": {name: [packed(item) for item in self._lists[name]] for name in LISTS},
            "counts": dict(self._counts),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Go on from what `as_json` gave."""
        self.goal = unpacked(data["goal"]) if data["goal"] else None
        for name in LISTS:
            self._lists[name].extend(unpacked(item) for item in data["lists"][name])
            self._counts[name] = data["counts"][name]


def newest(items: list[MemoryItem], keep: int | None) -> list[MemoryItem]:
    """At most `keep` items in their order: the uncertain ones before others, then the newest."""
    if keep is None or len(items) <= keep:
        return items
    places = nlargest(keep, range(len(items)), key=lambda at: _weight(items[at]))
    return [items[at] for at in sorted(places)]


def _weight(item: MemoryItem) -> tuple[bool, int]:
    return item.uncertain, item.offset


def packed(item: MemoryItem) -> list[Any]:
    """An item as plain data."""
    return list(astuple(item))


def unpacked(data: Iterable[Any]) -> MemoryItem:
    """What `packed` gave, even after it went through JSON."""
    text, source, *rest = data
    return MemoryItem(text, Source(*source), *rest)
