"""Which directory the end of a MyCodeAgent transcript names, to recognise copies."""

from __future__ import annotations

import os
import re
from pathlib import Path

import orjson

from ...files.lines import opened, pread
from ...files.working_directory import resolved

TAIL = 64 * 1024
"""Bytes of a transcript's end in which results may name the directory."""

_CWD = re.compile(rb'"context": ?\{"cwd": ?("(?:[^"\\]|\\.)*")')


def directory_in(transcript: Path) -> str:
    """Return the real path of the last directory that results name; "" for none."""
    try:
        with opened(transcript) as fd:
            size = os.fstat(fd).st_size
            found = _CWD.findall(pread(fd, min(size, TAIL), max(0, size - TAIL)))
        named = orjson.loads(found[-1]) if found else ""
    except (OSError, orjson.JSONDecodeError):
        return ""
    return resolved(named) if Path(named).is_absolute() else ""
