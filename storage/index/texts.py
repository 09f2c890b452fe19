"""What was said in a transcript, packed into pieces that are searched as they lie.

A piece holds entries one after the other, each ended by a zero byte, with a table of where each
begins. Entries go to the last piece until it is full, so the same transcript always makes the same
pieces, however often its reading was interrupted.
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
    """Some entries; `heads` are (start in data, record's index, kind's code, time)."""

    number: int
    heads: list[tuple[int, int, int, int]] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)

    @property
    def newest(self) -> int:
        """The latest time of its entries."""
        return max((at for *_, at in self.heads), default=0)

    def row(self) -> tuple[int, int, bytes, bytes]:
        """The piece as it is stored: its number, its latest time, its heads, its entries."""
        table = b"".join(_HEAD.pack(*head) for head in self.heads)
        return self.number, self.newest, sealed(table), sealed(self.data)


def unpacked(number: int, table: bytes, data: bytes) -> Piece:
    """A piece out of the store; raises DamagedDatabase where it is not what was stored."""
    return Piece(number, list(_HEAD.iter_unpack(unsealed(table))), bytearray(unsealed(data)))


def packed(entries: Iterable[Entry], last: Piece | None) -> Iterator[Piece]:
    """The pieces that change when entries come behind the last piece."""
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
