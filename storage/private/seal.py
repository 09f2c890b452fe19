"""Bytes in the index with a checksum, because disks may corrupt data.

SQLite detects damage to its own structures, but not to the content. A wrong byte could make a word
unfindable, or an offset point into the middle of a record.
"""

from __future__ import annotations

from zlib import crc32

from .database import DamagedDatabase

SEAL = 4
"""Length of the checksum at the end, in bytes."""


def sealed(data: bytes | bytearray) -> bytes:
    """Return the bytes followed by their checksum."""
    return b"".join((data, crc32(data).to_bytes(SEAL, "little")))


def unsealed(blob: bytes) -> memoryview:
    """Return the bytes without checksum; raises DamagedDatabase if it does not match."""
    view = memoryview(blob)
    if crc32(view[:-SEAL]) != int.from_bytes(view[-SEAL:], "little"):
        raise DamagedDatabase("what is stored in it has changed")
    return view[:-SEAL]
