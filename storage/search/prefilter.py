"""Which records of a transcript may contain a text, by scanning its bytes; needs no index.

Never misses a record. The records found are then read as events, so that an escape never hides a
word, and none is found in a key or an id.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from ..files.lines import opened, pread
from ..model.event import CODE
from ..transcript.transcript import Transcript
from .spelling import ESCAPED, Spelling, spelling_of

BLOCK = 1 << 20
"""Bytes per step."""

READ = 128 * 1024
"""Bytes read at a time: scanned several times, so they must fit in the CPU cache."""

DAMAGED = frozenset({CODE["damaged"]})
"""Records whose text is not in the file: it describes what is wrong with them."""


def sift(transcript: Transcript, text: str) -> Iterator[list[int]]:
    """Yield the indexes of the records that may contain a text in folded case, block by block.

    In file order, each once. Raises OSError if the file cannot be read.
    """
    spelling = spelling_of(text)
    positions, last = transcript.positions, -1
    damaged = positions.having(DAMAGED, 0, len(positions))
    with opened(transcript.path) as fd:
        at = transcript.origin
        while at < (end := transcript.fingerprint.offset):  # no records are known beyond it
            first = positions.first_of(max(0, bisect_right(positions.offsets, at) - 1))
            behind = bisect_left(positions.offsets, at + BLOCK)
            found = set(_between(damaged, first, behind))
            if spelling.stretch:
                for start in range(at, min(at + BLOCK, end), READ):
                    block = pread(fd, min(READ + spelling.reach, end - start), start)
                    found.update(_holding(transcript, spelling, block, start))
            else:
                found.update(range(first, behind))
            indexes = sorted(index for index in found if last < index < len(positions))
            last = indexes[-1] if indexes else last
            yield indexes
            at += BLOCK


def _between(indexes: array[int], first: int, behind: int) -> array[int]:
    return indexes[bisect_left(indexes, first) : bisect_left(indexes, behind)]


def _holding(transcript: Transcript, spelling: Spelling, block: bytes, start: int) -> Iterator[int]:
    """Yield the records of a block that contain one of the spellings."""
    offsets = transcript.positions.offsets
    escapes = not spelling.is_ascii or _escapes(transcript, block, start)
    for seek in spelling.seeks(block, escapes):
        at = seek(0)
        while at >= 0:
            index = bisect_right(offsets, start + at) - 1
            if index >= 0:
                yield from range(transcript.positions.first_of(index), index + 1)
            at = seek(transcript.bounds(index)[1] - start) if index >= 0 else -1


def _escapes(transcript: Transcript, block: bytes, start: int) -> bool:
    """Return whether a block may escape ASCII letters; caches the blocks that do not."""
    if start in transcript.caches.unescaped:
        return False
    if len(block) < READ or ESCAPED.search(block):
        return True
    transcript.caches.unescaped.add(start)
    return False
