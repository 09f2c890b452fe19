"""Lines of a growing file, as bytes: forward in whole lines, and back from the end.

Nothing here decodes or parses. A line ends at LF; a CR before it is dropped. In the strict
dialects a lone CR ends a line too: raw CR cannot occur inside valid JSON.
"""

from __future__ import annotations

import os
import stat as stats
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

BLOCK = 128 * 1024
"""Bytes read at a time: large enough for the disk, small enough to give way between blocks."""

LONGEST = 128 * 1024 * 1024
"""A line beyond this is not held in memory; it is passed on without its bytes."""


if hasattr(os, "pread"):
    pread = os.pread
else:  # Windows: a descriptor is used by one thread at a time

    def pread(fd: int, length: int, offset: int, /) -> bytes:
        """Read at an offset."""
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, length)


class Span(NamedTuple):
    """Whole lines of a file: `data` ends with a line end, or is None for one line too long."""

    offset: int
    size: int
    data: bytes | None


class Line(NamedTuple):
    """One line without its line end; `offset` is where it begins in the file."""

    offset: int
    data: bytes


def whole_lines(fd: int, start: int, end: int, block: int = BLOCK) -> Iterator[Span]:
    """Spans from `start` up to the last LF before `end`, each about `block` bytes or one line."""
    held: list[bytes] = []
    begin = at = start
    while at < end:
        data = pread(fd, min(block, end - at), at)
        if not data:
            return
        at += len(data)
        cut = data.rfind(b"\n") + 1
        if not cut:
            if at - begin <= LONGEST:
                held.append(data)
            else:
                held.clear()
            continue
        size = at - len(data) + cut - begin
        whole = b"".join([*held, data[:cut]])
        if len(whole) == size:
            yield Span(begin, size, whole)
        else:
            first = data.find(b"\n") + 1
            yield Span(begin, size - cut + first, None)
            if cut > first:
                yield Span(begin + size - cut + first, cut - first, data[first:cut])
        begin += size
        held = [data[cut:]] if cut < len(data) else []


def split(data: bytes, offset: int, lone_cr: bool) -> Iterator[Line]:
    """The lines of whole lines, or of a tail without line end."""
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
    """Where the last `lines` lines before `end` begin; fewer when they exceed `limit` bytes.

    Reads backwards, so the cost does not depend on the size of the file. Returns 0 when all of
    the file lies within.
    """
    at, found = end, 0
    start = end
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
    return 0 if at == 0 else start


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """A descriptor for reading an ordinary file; never waits for a pipe's other end."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    fd = os.open(path, flags)
    try:
        if not stats.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(f"{path} is not a file")
        yield fd
    finally:
        os.close(fd)
