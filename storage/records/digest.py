"""Hashes of single records: a decision is tied to one, so that a changed record is noticed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..files.lines import opened, pread


def digest(path: Path, offset: int, size: int) -> str:
    """Return the SHA-256 of a record's bytes, without line end, as hexadecimal digits.

    Raises OSError if the file cannot be read.
    """
    told = hashlib.sha256()
    with opened(path) as fd:
        while size > 0 and (data := pread(fd, min(size, 1 << 20), offset)):
            told.update(data)
            offset, size = offset + len(data), size - len(data)
    return told.hexdigest()
