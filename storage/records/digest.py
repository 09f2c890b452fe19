"""The bytes of single records: what a decision is tied to, so that a changed record is noticed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..files.lines import opened, pread


def digest(path: Path, offset: int, size: int) -> str:
    """The sha256 of a record's bytes, its line end left out, as hexadecimal digits.

    Raises OSError where the file cannot be read.
    """
    told = hashlib.sha256()
    with opened(path) as fd:
        while size > 0 and (data := pread(fd, min(size, 1 << 20), offset)):
            told.update(data)
            offset, size = offset + len(data), size - len(data)
    return told.hexdigest()
