"""Holes in sparse files: ranges that take no space on disk and read as zero bytes.

A file with a few records may have an apparent size of 64 GB. Holes are skipped without reading if
the system can locate them; otherwise they are read like everything else.
"""

from __future__ import annotations

import errno
import os

JUMPS = 64
"""Maximum number of holes skipped backwards per search, as each lookup scans from the file start.
"""

_EXTENTS = 10_000
"""Maximum number of data extents scanned for the last one."""

_CRC_POLYNOMIAL = 0xEDB88320


def is_empty(data: bytes) -> bool:
    """Return whether a block consists of zero bytes, so that it may belong to a hole."""
    return not data.strip(b"\0")


def next_data(fd: int, at: int, end: int) -> int:
    """Return where the first data at or after `at` begins, at most `end`; `at` if unknown."""
    if not hasattr(os, "SEEK_DATA"):
        return at
    try:
        return min(max(at, os.lseek(fd, at, os.SEEK_DATA)), end)
    except OSError as error:
        return end if error.errno == errno.ENXIO else at


def last_data(fd: int, end: int) -> int:
    """Return where the last data before `end` ends; `end` if unknown."""
    if not hasattr(os, "SEEK_DATA"):
        return end
    at = last = 0
    for _ in range(_EXTENTS):
        begin = next_data(fd, at, end)
        if begin >= end:
            return last
        try:
            last = at = min(os.lseek(fd, begin, os.SEEK_HOLE), end)
        except OSError:
            return end
        if at <= begin:
            return end
    return end


def crc_of_zeros(value: int, count: int) -> int:
    """Return the CRC-32 `value` extended by `count` zero bytes, in time logarithmic in `count`."""
    state = value ^ 0xFFFFFFFF
    step = [_CRC_POLYNOMIAL, *(1 << bit for bit in range(31))]
    for _ in range(3):  # one bit, squared three times, is one byte
        step = _squared(step)
    while count:
        if count & 1:
            state = _times(step, state)
        step, count = _squared(step), count >> 1
    return state ^ 0xFFFFFFFF


def _times(matrix: list[int], vector: int) -> int:
    result = 0
    for row in matrix:
        if vector & 1:
            result ^= row
        vector >>= 1
    return result


def _squared(matrix: list[int]) -> list[int]:
    return [_times(matrix, row) for row in matrix]
