"""Lines of a growing file as bytes: forwards in whole lines, and backwards from the end.

Nothing is decoded or parsed here. A line ends at LF; a CR before it is dropped. In the strict
formats a lone CR ends a line too: a raw CR cannot occur inside valid JSON.
"""

from __future__ import annotations

import os
import stat as stats
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .holes import JUMPS, is_empty, last_data, next_data

BLOCK = 128 * 1024
"""Bytes read at a time: large enough for the disk, small enough to yield between blocks."""

LONGEST = 128 * 1024 * 1024
"""Longer lines are not held in memory; they are passed on without their bytes."""

LONG, HELD = 1024 * 1024, 32 * 1024 * 1024
"""From `LONG` bytes on a line comes without its LF, because removing it would copy the line. At
most `HELD` bytes are buffered while looking for a line end; longer lines are read a second time
instead of being joined."""


if hasattr(os, "pread"):
    pread = os.pread
else:  # Windows: each descriptor is used by one thread at a time

    def pread(fd: int, length: int, offset: int, /) -> bytes:
        """Read `length` bytes at an offset."""
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, length)


class Span(NamedTuple):
    """Whole lines of a file, or a single long line.

    `data` ends with an LF, or is a single long line without it, or None for a line that is too
    long.
    """

    offset: int
    size: int
    data: bytes | None


class Line(NamedTuple):
    """One line without its line end; `offset` is where it begins in the file."""

    offset: int
    data: bytes


def whole_lines(fd: int, start: int, end: int, block: int = BLOCK) -> Iterator[Span]:
    """Yield spans from `start` up to the last LF before `end`.

    Each is about `block` bytes, or one line. A line longer than `LONG` comes alone and without its
    LF.
    """
    held: list[bytes] = []
    begin = at = start
    most = min(HELD, LONGEST)
    while at < end:
        data = pread(fd, min(block, end - at), at)
        if not data:
            return
        is_held = at - begin <= most
        at += len(data)
        cut = data.rfind(b"\n") + 1
        if not cut:
            found = next_data(fd, at, end) if is_empty(data) else at
            if found - begin <= most:
                held.append(data)
            else:
                held, at = [], found
            continue
        size = at - len(data) + cut - begin
        if is_held:
            is_long = size > LONG + block and data.find(b"\n") == cut - 1
            whole = b"".join([*held, data[: cut - is_long]])
            held = [data[cut:]] if cut < len(data) else []
            yield Span(begin, size, whole)
        else:
            first = size - cut + data.find(b"\n") + 1
            rest = data[first - size + cut : cut]
            held, data = [data[cut:]] if cut < len(data) else [], b""
            yield Span(begin, first, pread(fd, first - 1, begin) if first <= LONGEST else None)
            if rest:
                yield Span(begin + first, len(rest), rest)
        begin += size


def line_end(fd: int, at: int, end: int) -> int:
    """Return the offset after the LF of the line that contains `at`; at most `end`."""
    while at < end:
        data = pread(fd, min(BLOCK, end - at), at)
        if not data:
            return at
        if (cut := data.find(b"\n") + 1) > 0:
            return at + cut
        at += len(data)
        if is_empty(data):
            at = next_data(fd, at, end)
    return end


def split(data: bytes, offset: int, lone_cr: bool) -> Iterator[Line]:
    """Yield the lines of a span of whole lines, or of a tail without a line end."""
    if data.endswith(b"\n"):
        data = data[:-1]
    with_cr = b"\r" in data
    for line in data.split(b"\n"):
        if not with_cr or b"\r" not in line:
            yield Line(offset, line)
        elif lone_cr:
            yield from _split_at_cr(line, offset)
        else:
            yield Line(offset, line.removesuffix(b"\r"))
        offset += len(line) + 1


def _split_at_cr(line: bytes, offset: int) -> Iterator[Line]:
    for part in line.removesuffix(b"\r").split(b"\r"):
        yield Line(offset, part)
        offset += len(part) + 1


def tail_start(fd: int, end: int, lines: int, limit: int) -> int:
    """Return where the last `lines` lines before `end` begin; fewer if they exceed `limit` bytes.

    Reads backwards, so the cost does not depend on the size of the file. Returns 0 if the whole
    file is within the limits.
    """
    at, found = end, 0
    start, jumps = end, JUMPS
    while at > 0 and (end - at < limit or start == end):
        size = min(64 * 1024, at)
        data = pread(fd, size, at - size)
        at -= size
        cut = len(data)
        while (cut := data.rfind(b"\n", 0, cut)) >= 0:
            if at + cut + 1 == end:
                continue
            found, start = found + 1, at + cut + 1
            if found == lines:
                return start
        if jumps and len(data) == size and is_empty(data):
            at, jumps = last_data(fd, at), jumps - 1
    return 0 if at == 0 else start


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Open an ordinary file for reading and yield its descriptor; never blocks on a pipe.

    Raises OSError if the file cannot be opened, or is not an ordinary one.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    fd = os.open(path, flags)
    try:
        if not stats.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(f"{path} is not a file")
        yield fd
    finally:
        os.close(fd)
