"""Records that a writer delivers again, as after a compaction or a resume of its session.

The product's own reader drops them. Told twice, a call would look like one without a result, and
tokens would count double. A block of any length may come again, so the digests of all records are
kept, 8 bytes each. A digest holds the record's time: one that is newer than all before it, as
nearly every record is, needs no search.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

from ..model.event import Event
from ..private.seal import sealed, unsealed

REPEAT = "repeated: the same record is in the file already"
"""`Event.problem` of a record that was there before."""

CHUNK = 1024
"""Digests in a stored piece."""

_FEW = 4096
"""Digests that are searched unsorted: a set of so many takes half a megabyte."""


class Repeats:
    """The records of a transcript, by what tells one from any other."""

    def __init__(self) -> None:
        self._keys: array[int] = array("Q")
        """The digests of all records that were not there before, in file order."""
        self._newest = 0
        """The latest time among them."""
        self._latest: set[int] = set()
        """Those of that time."""
        self._has_all_latest = True
        """Whether these are all of them: they are few, or nothing came since the store."""
        self._sorted: array[int] = array("Q")
        """The first of them, in order, as far as a search needed them."""
        self._unsorted: set[int] = set()
        """Those after, as far as a search needed them."""
        self._unsorted_count = 0
        self._stored = 0

    def is_one(self, event: Event) -> bool:
        """Whether an event was there before; it is remembered if not."""
        at, key = event.at, _key(event)
        if key is None or at is None:
            return False
        if at > self._newest:
            self._newest, self._has_all_latest = at, True
            self._latest.clear()
        elif key in self._latest or (
            (at < self._newest or not self._has_all_latest) and self._has(key)
        ):
            return True
        if at == self._newest:
            self._add_latest(key)
        self._keys.append(key)
        return False

    def as_json(self) -> dict[str, Any]:
        """Plain data for the index, digests apart."""
        return {"count": len(self._keys), "newest": self._newest}

    @classmethod
    def from_json(cls, data: dict[str, Any], chunks: Iterable[bytes]) -> Repeats:
        """What `as_json` gave, and `changed_chunks`. ValueError where digests are missing.

        Raises DamagedDatabase where they are not what was stored.
        """
        repeats = cls()
        for chunk in chunks:
            repeats._keys.frombytes(unsealed(chunk))
        if sys.byteorder == "big":
            repeats._keys.byteswap()
        if len(repeats._keys) < data["count"]:
            raise ValueError("digests of records are missing")
        del repeats._keys[data["count"] :]
        repeats._newest, repeats._has_all_latest = data["newest"], False
        repeats.stored()
        return repeats

    def changed_chunks(self) -> Iterator[tuple[int, bytes]]:
        """Chunks of digests that the store does not hold, packed: number and digests."""
        first = self._stored // CHUNK if self._stored < len(self._keys) else len(self._keys)
        for chunk in range(first, -(-len(self._keys) // CHUNK)):
            digests = self._keys[chunk * CHUNK : (chunk + 1) * CHUNK]
            if sys.byteorder == "big":
                digests.byteswap()
            yield chunk, sealed(digests.tobytes())

    def stored(self) -> None:
        """Take the changed chunks as held by the store: to be called once they are there."""
        self._stored = len(self._keys)

    def _has(self, key: int) -> bool:
        """Whether a digest is among all of them."""
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
        """Sort what came since: as records are nearly in order, few of those before move."""
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


def repeated(event: Event) -> Event:
    """The event of a record that was there before: it says nothing of its own."""
    return event._replace(
        kind="meta", tool=None, call_id=None, stage="", outcome="", problem=REPEAT
    )


def _key(event: Event) -> int | None:
    """Time, length and ids together; None where only its place tells a record from others.

    The other dialects number their records, and count what stands twice as two.
    """
    record, at = event.record, event.at
    name = record.get("id")
    if event.dialect.STRICT or at is None or type(name) is not str:
        return None
    said = f"{name}\0{record.get('type')}\0{event.call_id}\0{event.place.size}"
    return (at & 0xFFFFFFFF) << 32 | crc32(said.encode("utf-8", "surrogatepass"))
