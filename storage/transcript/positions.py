"""Where the events of a transcript are and what they are: packed, 13 bytes an event."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import compress

from ..model.event import CODE, KINDS, Event, Kind
from ..private.seal import sealed, unsealed

# Events that are shown in the row of another one.
MERGED_CALL = len(KINDS)
MERGED_RESULT = MERGED_CALL + 1
MERGED_META = MERGED_CALL + 2
SILENT_ANSWER = MERGED_CALL + 3
"""An answer without text: it only carries calls."""
REPEATED = MERGED_CALL + 4
"""A record that does not count: it was there before, or another says the same."""
MADE_UP = MERGED_CALL + 5
"""A result that the agent invented, which ends no call."""

_MERGED: dict[Kind, int] = {"call": MERGED_CALL, "result": MERGED_RESULT, "meta": MERGED_META}
_KIND_OF: tuple[Kind, ...] = (*KINDS, "call", "result", "meta", "answer", "meta", "result")

_FURTHER = 0x80
"""Bit in the stored kind of an event that shares the record of the event before it."""

_MARKED = frozenset(range(_FURTHER, 256))

START_WITHIN = 64
"""Records after a call's request among which its start is looked for."""

CHUNK = 1024
"""Records a stored piece holds."""


class Positions:
    """Addresses, kinds and links of events, in file order; indexes are 0-based.

    Most records are one event, whose address is the record's offset. The further events of a record
    have the next addresses, which lie within the record as well.

    A link is the 1-based index of the record's other half (call and result), 0 for none.
    """

    def __init__(self) -> None:
        self.offsets: array[int] = array("Q")
        self.kinds = bytearray()
        self.links: array[int] = array("I")
        self._further: array[int] = array("I")
        """Indexes of the events that share the record of the event before them."""
        self._stored = 0
        """Number of stored events; links may have changed since."""
        self._relinked: set[int] = set()
        """Chunks of stored records whose links changed."""

    def __len__(self) -> int:
        return len(self.offsets)

    def add(self, address: int, code: int, link: int, is_further: bool = False) -> None:
        """Append an event; `is_further`: it shares the record of the one before it."""
        if is_further:
            self._further.append(len(self.offsets))
        self.kinds.append(code)
        self.links.append(link)
        self.offsets.append(address)

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.offsets) - len(self._further)

    def first_of(self, index: int) -> int:
        """Return the index of the first event of the record that an event belongs to."""
        if not self._further:
            return index
        at = bisect_right(self._further, index) - 1
        while at >= 0 and self._further[at] == index:
            at, index = at - 1, index - 1
        return index

    def behind(self, index: int) -> int:
        """Return the index of the first event after the record that an event belongs to."""
        index += 1
        at = bisect_left(self._further, index)
        while at < len(self._further) and self._further[at] == index:
            at, index = at + 1, index + 1
        return index

    def number(self, index: int) -> int:
        """Return the number of an event's record, counting from 1."""
        return index + 1 - bisect_right(self._further, index)

    def index_of_number(self, number: int) -> int | None:
        """Return the index of the first event of the record with a number; None if none has it."""
        if not 0 < number <= self.records:
            return None
        low, high = number - 1, len(self.offsets) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.number(middle) < number else (low, middle)
        return low

    def link(self, index: int, other: int) -> None:
        """Link the event at `index` to the event with 1-based index `other`."""
        self.links[index] = other
        if index < self._stored:
            self._relinked.add(index // CHUNK)

    def kind(self, index: int) -> Kind:
        """Return the kind of an event."""
        return _KIND_OF[self.kinds[index]]

    def call_of(self, index: int) -> int | None:
        """Return the index of the call that an event belongs to; None for calls and others."""
        link = self.links[index]
        return link - 1 if link and link <= index else None

    def start_of(self, call: int) -> int:
        """Return the index of the event that started a call: its own, or one soon after."""
        for index in range(call + 1, min(call + START_WITHIN, len(self.offsets))):
            if self.kinds[index] == MERGED_CALL and self.links[index] == call + 1:
                return index
        return call

    def index_at(self, offset: int) -> int:
        """Return the index of the last event at or before an address; -1 if there is none."""
        low, high = 0, len(self.offsets)
        while low < high:
            middle = (low + high) // 2
            if self.offsets[middle] <= offset:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def index_of(self, offset: int) -> int | None:
        """Return the index of the event at an address; None if there is none."""
        index = self.index_at(offset)
        return index if index >= 0 and self.offsets[index] == offset else None

    def having(self, codes: frozenset[int], start: int, end: int) -> array[int]:
        """Return the indexes in `[start, end)` of the events whose code is in `codes`."""
        table = bytes(code in codes for code in range(256))
        wanted = bytes(self.kinds[start:end]).translate(table)
        return array("I", compress(range(start, start + len(wanted)), wanted))

    @property
    def stored_count(self) -> int:
        """Number of stored events."""
        return self._stored

    def changed_chunks(self) -> Iterator[tuple[int, bytes, bytes, bytes]]:
        """Yield the chunks not stored yet, packed: number, addresses, kinds, links."""
        new = range(self._stored // CHUNK, -(-len(self.offsets) // CHUNK))
        grown = new if len(self.offsets) > self._stored else ()
        for chunk in sorted(self._relinked.union(grown)):
            piece = slice(chunk * CHUNK, (chunk + 1) * CHUNK)
            yield (
                chunk,
                sealed(_packed(self.offsets[piece])),
                sealed(self._marked(piece)),
                sealed(_packed(self.links[piece])),
            )

    def _marked(self, piece: slice) -> bytes:
        """Return kinds as they are stored: those of further events of a record are marked."""
        kinds = self.kinds[piece]
        first, last = (bisect_left(self._further, at) for at in (piece.start, piece.stop))
        for index in self._further[first:last]:
            kinds[index - piece.start] |= _FURTHER
        return bytes(kinds)

    def stored(self) -> None:
        """Mark the changed chunks as stored; call this once they are."""
        self._stored = len(self.offsets)
        self._relinked.clear()

    def load(self, offsets: bytes, kinds: bytes, links: bytes) -> None:
        """Append a stored chunk; raises DamagedDatabase if it is damaged."""
        self.offsets.extend(_unpacked("Q", unsealed(offsets)))
        start = len(self.kinds)
        self.kinds.extend(unsealed(kinds))
        for index in self.having(_MARKED, start, len(self.kinds)):
            self._further.append(index)
            self.kinds[index] &= ~_FURTHER
        self.links.extend(_unpacked("I", unsealed(links)))

    def cut(self, length: int) -> None:
        """Remove everything from index `length` on, and links to it."""
        del self.offsets[length:], self.kinds[length:], self.links[length:]
        del self._further[bisect_left(self._further, length) :]
        if self.links and max(self.links) > length:
            self.links = array("I", [link if link <= length else 0 for link in self.links])
        self.stored()


def code_of(event: Event, merged: bool, text: str) -> int:
    """Return the code of an event; `merged`: it is shown in the row of its call.

    `text` is the text of an answer.
    """
    kind = event.kind
    if merged:
        return _MERGED[kind]
    if kind == "answer" and (not text or text.isspace()):
        return SILENT_ANSWER
    return CODE[kind]


def _packed(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _unpacked(code: str, data: memoryview) -> array[int]:
    values: array[int] = array(code)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
