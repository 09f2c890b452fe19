"""The other parts of a session whose transcript is given by its path."""

from __future__ import annotations

import os
from pathlib import Path

from ..files.lines import opened
from ..model.event import CONTINUES, Record
from ..model.store import SUFFIX
from ..stores.layouts import session_at
from .format import head_records


def parts_beside(path: Path) -> list[Path]:
    """Return the transcripts in its directory that continue it, or that it continues.

    Only first records are read. If two claim the same, `continuations` decides.
    """
    claims = {one: said for one in _transcripts(path.parent) if (said := continues_of(one))}
    by_name = {session_at(one): one for one in _transcripts(path.parent)}
    found = {path: None}
    at: Path | None = path
    while at is not None:
        at = by_name.get(claims.get(at, ""))
        at = None if at in found else at
        found.update({at: None} if at else {})
    grew = True
    while grew:
        wanted = set(map(session_at, found))
        more = [one for one, said in claims.items() if said in wanted and one not in found]
        found.update(dict.fromkeys(more))
        grew = bool(more)
    del found[path]
    return list(found)


def continues_of(path: Path) -> str | None:
    """Return the session that the first record of a transcript names as continued."""
    said = first_record(path).get(CONTINUES)
    return said if isinstance(said, str) and said else None


def first_record(path: Path) -> Record:
    """Return the first record of a transcript; an empty one if none is readable."""
    try:
        with opened(path) as fd:
            return next(head_records(fd, os.fstat(fd).st_size, 1), {})
    except OSError:
        return {}


def _transcripts(directory: Path) -> list[Path]:
    try:
        return sorted(path for path in directory.iterdir() if path.name.endswith(SUFFIX))
    except OSError:
        return []
