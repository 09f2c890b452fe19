"""How a file is written, told from the records at its head."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .dialects import detect
from .event import Dialect, Record
from .framing import LONGEST, pread, split
from .parsing import Damage, Mended, is_blank, parse

HEAD = 64 * 1024
"""Bytes at the start of a file that tell its dialect."""

TELLING = 30
"""Records after which a dialect that nothing told is taken as settled."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a file is written: its dialect, and the session id inside its records."""

    dialect: Dialect
    inner: str | None = None
    settled: bool = False
    """Whether later records can no longer change it."""


def manner_of(fd: int, size: int) -> Manner:
    """How a file is written, from the records at its head."""
    records = list(head_records(fd, size))
    dialect = detect(records)
    told = any(dialect.recognises(record) for record in records)
    inner = next((name for record in records if (name := dialect.inner_session(record))), None)
    return Manner(dialect, inner, settled=told or len(records) >= TELLING)


def head_records(fd: int, size: int, limit: int = TELLING) -> Iterator[Record]:
    """The first records of a file that can be read."""
    length = HEAD
    data = pread(fd, min(length, size), 0)
    while b"\n" not in data and len(data) < size and length < LONGEST:
        length *= 8
        data = pread(fd, min(length, size), 0)
    found = 0
    for line in split(data, 0, lone_cr=True):
        parsed = None if is_blank(line.data) else parse(line.data, strict=False)
        if parsed is not None and not isinstance(parsed, Damage):
            yield parsed.record if isinstance(parsed, Mended) else parsed
            found += 1
            if found == limit:
                return
