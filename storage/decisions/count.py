"""How many decisions were made, in a small file beside their database.

A database that is cut off, or that loses the end of its log, looks like one in which less was
decided. The count, written after each decision, says otherwise. Without it nothing is claimed.
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
    """Where the count of a database is kept."""
    return path.with_suffix(".count")


def read_count(path: Path) -> int:
    """How many decisions were made in a database; 0 where that is not known."""
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
    """Remember how many decisions were made. Where that cannot be kept, nothing is lost yet."""
    digits, target = b"%d" % count, count_path(path)
    with suppress(OSError), written_beside(target, b"%b %08x\n" % (digits, crc32(digits))) as new:
        new.replace(target)
