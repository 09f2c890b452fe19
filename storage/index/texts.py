"""The texts of a transcript, packed into pieces that can be searched in place.

A piece contains consecutive entries, each followed by a zero byte, and a table of their positions.
Entries are added to the last piece until it is full, so that a transcript always results in the
same pieces, however often reading was interrupted.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..folds.tally import Entry
from ..private.seal import sealed, unsealed

PIECE = 64 * 1024
"""Bytes at which a piece is full: the last one is written again with each new entry."""

_HEAD = struct.Struct("<IIBq")
"""Where the entry begins, its record, its kind, its time."""


@dataclass(slots=True)
class Piece:
    """Consecutive entries; `heads` are (start in data, index of event, code of kind, time)."""

    number: int
    heads: list[tuple[int, int, int, int]] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)

    @property
    def newest(self) -> int:
        """Latest time of the entries."""
        return max((at for *_, at in self.heads), default=0)

    def row(self) -> tuple[int, int, bytes, bytes]:
        """Return the row to store: number, latest time, heads, entries."""
        table = b"".join(_HEAD.pack(*head) for head in self.heads)
        return self.number, self.newest, sealed(table), sealed(self.data)


def unpacked(number: int, table: bytes, data: bytes) -> Piece:
    """Return a stored piece; raises DamagedDatabase if it is damaged."""
    return Piece(number, list(_HEAD.iter_unpack(unsealed(table))), bytearray(unsealed(data)))


def packed(entries: Iterable[Entry], last: Piece | None) -> Iterator[Piece]:
    """Yield the pieces that change when entries are appended to the last one."""
    piece = last or Piece(0)
    changed = False
    for entry in entries:
        if len(piece.data) >= PIECE:
            if changed:
                yield piece
            piece = Piece(piece.number + 1)
        piece.heads.append((len(piece.data), entry.record, entry.code, entry.at))
        piece.data += entry.text
        piece.data += b"\0"
        changed = True
    if changed:
        yield piece
