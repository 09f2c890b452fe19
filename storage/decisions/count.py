"""The number of decisions, in a small file next to their database.

A database that was truncated, or that lost the end of its write-ahead log, looks like one with
fewer decisions. The count, written after each decision, exposes that. Without it nothing is
claimed.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from ..private.own_file import written_beside

_CONTENT = re.compile(rb"([0-9]{1,12}) ([0-9a-f]{8})\n")


def count_path(path: Path) -> Path:
    """Return the path of a database's count file."""
    return path.with_suffix(".count")


def read_count(path: Path) -> int:
    """Return the number of decisions made in a database; 0 if it is not known."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    with suppress(OSError):
        fd = os.open(count_path(path), flags)
        try:
            is_file = stat.S_ISREG(os.fstat(fd).st_mode)
            match = _CONTENT.fullmatch(os.read(fd, 64)) if is_file else None
        finally:
            os.close(fd)
        if match and int(match[2], 16) == crc32(match[1]):
            return int(match[1])
    return 0


def write_count(path: Path, count: int) -> None:
    """Store the number of decisions. Failing to do so is ignored: no decision is lost by it."""
    digits, target = b"%d" % count, count_path(path)
    with suppress(OSError), written_beside(target, b"%b %08x\n" % (digits, crc32(digits))) as new:
        new.replace(target)
