"""Export of approved candidates: which of them are still valid, and writing them to a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from ..library.library import Library
from ..model.candidate import Candidate, Source
from .proposals import sourced

Form = Literal["markdown", "jsonl"]

_WHY_NOT: dict[Source, str] = {
    "changed": "the record has changed since",
    "gone": "its transcript is gone or cannot be read, so that its record cannot be checked",
    "corrupt": "its transcript cannot be trusted any more",
}


def checked(library: Library, candidates: Iterable[Candidate]) -> tuple[list[Candidate], list[str]]:
    """Return the approved candidates whose records are unchanged, and why others are left out."""
    approved: list[Candidate] = []
    refusals: list[str] = []
    for candidate in candidates:
        if candidate.status != "approved":
            continue
        source = sourced(library, candidate).source
        if source == "there":
            approved.append(candidate)
        else:
            refusals.append(f"{candidate.source_id} is left out: {_WHY_NOT[source]}")
    return approved, refusals


def write(path: Path, text: str) -> None:
    """Write a file atomically. Raises OSError, with any existing file unchanged, if that fails."""
    fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
