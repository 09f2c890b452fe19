"""Which records count: some writers write records again, after a compaction or a resume.

Their own readers drop them. If processed twice, a call would seem to have no result, and
tokens would count double. Blocks of any length may be repeated, so the digests of all records are
kept, 8 bytes each. A digest contains the time of its record: one newer than all before it, as
nearly every record is, needs no lookup.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..model.event import Event
from ..model.rules import Account
from ..private.seal import sealed, unsealed

REPEAT = "repeated: the same record is in the file already"
"""`Event.problem` of a repeated record."""

MADE_UP = "made up: the agent wrote this result itself; what the call did is not known"
"""`Event.problem` of a result that ends no call."""

CHUNK = 1024
"""Digests per stored chunk."""

_FEW = 4096
"""Number of digests that are searched unsorted: a set of this size takes 0.5 MB."""


class Repeats:
    """The records of a transcript, identified by digests.

    `key` returns a record's time, in the upper half, with a checksum of what identifies it; None if
    only its position identifies it.
    """

    def __init__(self, key: Callable[[Event], int | None]) -> None:
        self._key = key
        self._keys: array[int] = array("Q")
        """Digests of all records without repeats, in file order."""
        self._newest = 0
        """The latest time among them."""
        self._latest: set[int] = set()
        """Digests of records with that time."""
        self._has_all_latest = True
        """False if `_latest` is incomplete: its limit was reached, or the state was restored."""
        self._sorted: array[int] = array("Q")
        """The first of `_keys`, sorted, as far as a lookup needed them."""
        self._unsorted: set[int] = set()
        """Those after `_sorted`, as far as a lookup needed them."""
        self._unsorted_count = 0
        self._stored = 0

    def take(self, event: Event) -> Account:
        """Return `repeated` if the record was there before; if it was not, remember it."""
        at, key = event.at, self._key(event)
        if key is None or at is None:
            return "counts"
        if at > self._newest:
            self._newest, self._has_all_latest = at, True
            self._latest.clear()
        elif key in self._latest or (
            (at < self._newest or not self._has_all_latest) and self._has(key)
        ):
            return "repeated"
        if at == self._newest:
            self._add_latest(key)
        self._keys.append(key)
        return "counts"

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index, without the digests."""
        return {"count": len(self._keys), "newest": self._newest}

    def restore(self, data: dict[str, Any], chunks: Iterable[bytes]) -> None:
        """Continue from the results of `as_json` and `changed_chunks`.

        Raises ValueError if digests are missing, DamagedDatabase if they are not what was stored.
        """
        for chunk in chunks:
            self._keys.frombytes(unsealed(chunk))
        if sys.byteorder == "big":
            self._keys.byteswap()
        if len(self._keys) < data["count"]:
            raise ValueError("digests of records are missing")
        del self._keys[data["count"] :]
        self._newest, self._has_all_latest = data["newest"], False
        self.stored()

    def changed_chunks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the packed chunks of digests not stored yet: number and digests."""
        first = self._stored // CHUNK if self._stored < len(self._keys) else len(self._keys)
        for chunk in range(first, -(-len(self._keys) // CHUNK)):
            digests = self._keys[chunk * CHUNK : (chunk + 1) * CHUNK]
            if sys.byteorder == "big":
                digests.byteswap()
            yield chunk, sealed(digests.tobytes())

    def stored(self) -> None:
        """Mark the changed chunks as stored; call this once they are."""
        self._stored = len(self._keys)

    def _has(self, key: int) -> bool:
        """Return whether a digest is among all of them."""
        if len(self._keys) - len(self._sorted) > max(_FEW, len(self._sorted) // 16):
            self._sort()
        searched = len(self._sorted) + self._unsorted_count
        if searched < len(self._keys):
            self._unsorted.update(self._keys[searched:])
            self._unsorted_count += len(self._keys) - searched
        if key in self._unsorted:
            return True
        place = bisect_left(self._sorted, key)
        return place < len(self._sorted) and self._sorted[place] == key

    def _sort(self) -> None:
        """Sort the digests added since; as records are nearly in order, few existing ones move."""
        new = sorted(self._keys[len(self._sorted) :])
        place = bisect_left(self._sorted, new[0])
        tail = self._sorted[place:]
        del self._sorted[place:]
        self._sorted.extend(sorted([*tail, *new]) if tail else new)
        self._unsorted.clear()
        self._unsorted_count = 0

    def _add_latest(self, key: int) -> None:
        if len(self._latest) < _FEW:
            self._latest.add(key)
        else:
            self._has_all_latest = False


class EverythingCounts:
    """The sieve of an agent that writes every record once."""

    def take(self, event: Event) -> Account:
        """Return `counts`."""
        return "counts"

    def as_json(self) -> dict[str, Any]:
        """Return plain data for the index."""
        return {"count": 0, "newest": 0}

    def restore(self, data: dict[str, Any], chunks: Iterable[bytes]) -> None:
        """Continue from the result of `as_json`."""

    def changed_chunks(self) -> Iterator[tuple[int, bytes]]:
        """Yield nothing."""
        return iter(())

    def stored(self) -> None:
        """Do nothing: there is no state."""


def repeated(event: Event) -> Event:
    """Return the event of a repeated record, stripped of its meaning."""
    return event._replace(
        kind="meta", tool=None, call_id=None, stage="", outcome="", problem=REPEAT
    )


def made_up(event: Event) -> Event:
    """Return the event of a result that the agent invented: it belongs to no call."""
    return event._replace(stage="", problem=MADE_UP)
