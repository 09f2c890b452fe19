"""The lists of a memory under construction: each keeps only its newest items."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from heapq import nlargest
from typing import Any

from ..model.event import Event
from ..model.memory import LISTS, ListName, MemoryItem, Source, item_of

KEPT = 50
"""Items kept per list: what a user reads and what fits into an agent's context."""


class Notes:
    """The items noted so far; at most `keep` per list, or all of them if None."""

    def __init__(self, keep: int | None = KEPT) -> None:
        self.keep = keep
        self.goal: MemoryItem | None = None
        self._lists = {name: deque[MemoryItem](maxlen=keep) for name in LISTS}
        self._counts = dict.fromkeys(LISTS, 0)

    def write(self, name: ListName, text: str, event: Event) -> None:
        """Note something stated by one event."""
        self.put(name, item_of(text, event))

    def put(self, name: ListName, item: MemoryItem) -> None:
        """Note an item."""
        self._lists[name].append(item)
        self._counts[name] += 1

    def kept(
        self, name: ListName, more: Sequence[MemoryItem]
    ) -> tuple[tuple[MemoryItem, ...], int]:
        """Return a list followed by the items `more`, and the number of items left out."""
        items = newest([*self._lists[name], *more], self.keep)
        return tuple(items), self._counts[name] + len(more) - len(items)

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `restore`."""
        return {
            "goal": packed(self.goal) if self.goal else None,
            "lists": {name: [packed(item) for item in self._lists[name]] for name in LISTS},
            "counts": dict(self._counts),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Continue from the result of `as_json`."""
        self.goal = unpacked(data["goal"]) if data["goal"] else None
        for name in LISTS:
            self._lists[name].extend(unpacked(item) for item in data["lists"][name])
            self._counts[name] = data["counts"][name]


def newest(items: list[MemoryItem], keep: int | None) -> list[MemoryItem]:
    """Return at most `keep` items in order, preferring uncertain ones, then the newest."""
    if keep is None or len(items) <= keep:
        return items
    places = nlargest(keep, range(len(items)), key=lambda at: _weight(items[at]))
    return [items[at] for at in sorted(places)]


def _weight(item: MemoryItem) -> tuple[bool, int]:
    return item.uncertain, item.offset


def packed(item: MemoryItem) -> list[Any]:
    """Return an item as plain data."""
    return list(astuple(item))


def unpacked(data: Iterable[Any]) -> MemoryItem:
    """Return the item from the result of `packed`, even after a round trip through JSON."""
    text, source, *rest = data
    return MemoryItem(text, Source(*source), *rest)
