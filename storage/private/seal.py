"""Bytes in the index that tell whether they are still what was stored: a disk may change one.

SQLite sees damage to its own structure, not to what is kept in it; and a wrong byte there would
be a word not found, or a position in the middle of a record.
"""

from __future__ import annotations

from zlib import crc32

from .database import DamagedDatabase

SEAL = 4
"""Bytes of the checksum at the end."""


def sealed(data: bytes | bytearray) -> bytes:
    """The bytes with their checksum behind them."""
    return b"".join((data, crc32(data).to_bytes(SEAL, "little")))


def unsealed(blob: bytes) -> memoryview:
    """The bytes that were sealed; raises DamagedDatabase where they are not as they were."""
    view = memoryview(blob)
    if crc32(view[:-SEAL]) != int.from_bytes(view[-SEAL:], "little"):
        raise DamagedDatabase("what is stored in it has changed")
    return view[:-SEAL]
