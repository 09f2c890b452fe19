"""Finding bytes in a block as fast as may be: by a rare one of them, where there is one. Pure.

Looking for a single byte is ten times as fast as looking for several, as long as it is rare:
each that turns up costs as much as a hundred bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Seek = Callable[[int], int]
"""Tells the next place at or after an offset; -1 if there is none."""

COMMON = frozenset(b'etaoinsrhldcumfpgwybvk0123456789 "\\:,.')
"""Bytes that are never rare in records, case apart."""

SAMPLE = 2048
RARE = 8
"""Occurrences in a sample up to which a byte is rare."""


def seek_bytes(block: bytes, wanted: bytes) -> Seek:
    """Finds bytes."""
    at = _rare(block, wanted)
    if at is None:
        return lambda start: block.find(wanted, start)
    rare = wanted[at : at + 1]

    def seek(start: int) -> int:
        found = block.find(rare, start + at)
        while found >= 0 and not block.startswith(wanted, found - at):
            found = block.find(rare, found + 1)
        return found - at if found >= 0 else -1

    return seek


def seek_letters(block: bytes, wanted: bytes) -> Seek:
    """Finds bytes that are given in lower case, whichever case their letters are in."""
    at = _rare(block, wanted, RARE // 2)
    if at is None:
        lowered = block.lower()
        return lambda start: lowered.find(wanted, start)

    def seek(start: int) -> int:
        for place in _places(block, wanted[at : at + 1], start + at):
            if block[place - at : place - at + len(wanted)].lower() == wanted:
                return place - at
        return -1

    return seek


def _places(block: bytes, byte: bytes, start: int) -> Iterator[int]:
    """Where a letter stands in either case, in order."""
    lower = block.find(byte, start)
    upper = block.find(byte.upper(), start) if byte != byte.upper() else -1
    while lower >= 0 or upper >= 0:
        if upper < 0 or 0 <= lower < upper:
            yield lower
            lower = block.find(byte, lower + 1)
        else:
            yield upper
            upper = block.find(byte.upper(), upper + 1)


def seek_pattern(
    block: bytes, pattern: re.Pattern[bytes], row: re.Pattern[bytes] | None, reach: int
) -> Seek:
    """Finds a pattern; where a row is given, only with that within reach."""

    def seek(start: int) -> int:
        for match in pattern.finditer(block, start):
            at = match.start()
            if row is None or row.search(block, max(0, at - reach), at + reach):
                return at
        return -1

    return seek


def _rare(block: bytes, wanted: bytes, most: int = RARE) -> int | None:
    """Where in it the rarest of the bytes stands; None if all occur more often than `most`."""
    sample = block[:SAMPLE].lower()
    counts = {sample.count(byte): at for at, byte in enumerate(wanted) if byte not in COMMON}
    fewest = min(counts, default=most + 1)
    return counts[fewest] if fewest <= most else None
