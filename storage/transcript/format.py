"""Which agent wrote a file, determined from its first records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..agents import detect
from ..files.lines import LONGEST, line_end, pread, split
from ..model.agent import Agent
from ..model.event import Record
from ..records.parsing import Damage, Mended, is_blank, parse

HEAD = 64 * 1024
"""Bytes at the start of a file that are examined."""

TELLING = 30
"""Records after which an agent that none of them identified is final."""


@dataclass(frozen=True, slots=True)
class Format:
    """The agent that wrote a file, and the session id in its records."""

    agent: Agent
    inner: str | None = None
    settled: bool = False
    """Whether later records can no longer change it."""


def format_of(fd: int, size: int) -> Format:
    """Return the format of a file, reading as few of its first records as possible."""
    head = _head(fd, size)
    seen: list[Record] = []
    format = _told_by(seen)
    for record in _records(head, TELLING):
        seen.append(record)
        format = _told_by(seen)
        if format.settled:
            return format
    return replace(format, settled=len(seen) == TELLING or len(head) < size)


def _told_by(records: list[Record]) -> Format:
    agent = detect(records)
    inner = next((name for record in records if (name := agent.reader.session_in(record))), None)
    told = inner is not None and any(agent.reader.recognises(record) for record in records)
    return Format(agent, inner, told)


def head_records(fd: int, size: int, limit: int = TELLING) -> Iterator[Record]:
    """Return the first readable records of a file."""
    return _records(_head(fd, size), limit)


def _head(fd: int, size: int) -> bytes:
    """Return the first bytes of a file: more than `HEAD` only if the first line is longer."""
    data = pread(fd, min(HEAD, size), 0)
    if b"\n" in data or len(data) == size:
        return data
    end = line_end(fd, len(data), min(size, LONGEST))
    if pread(fd, 1, end - 1) == b"\n":
        end -= 1  # to take it off later would cost a copy
    return pread(fd, end, 0)


def _records(head: bytes, limit: int) -> Iterator[Record]:
    found = 0
    for line in split(head, 0, lone_cr=True):
        parsed = None if is_blank(line.data) else parse(line.data, strict=False)
        if parsed is not None and not isinstance(parsed, Damage):
            yield parsed.record if isinstance(parsed, Mended) else parsed
            found += 1
            if found == limit:
                return
