"""The transcript that a session id, a part of one, or a path names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..files.working_directory import working_directory
from ..model.store import SUFFIX
from ..text.printed_name import begins, is_printed, unquoted


@dataclass(frozen=True, slots=True)
class Unknown:
    """No session matches the query."""

    query: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several sessions match the query."""

    query: str
    paths: tuple[Path, ...]


def resolve(query: str, known: Iterable[tuple[str, Path]]) -> Path | Unknown | Ambiguous:
    """Return the transcript for an id, a unique prefix of one, or a path, even if not in `known`.

    An exact id takes precedence over longer ones with that prefix, and an exact name over others
    that are printed the same way.
    """
    known, query = list(known), unquoted(query)
    if path := _resolve_path(query, known):
        return path
    if not query:
        return Unknown(query)
    matches: list[Path] = []
    for means in (str.__eq__, str.startswith, _is_printed, _begins):
        matches = matches or [path for session, path in known if means(session, query)]
    if len(matches) == 1:
        return matches[0]
    return Ambiguous(query, tuple(sorted(matches))) if matches else Unknown(query)


def _resolve_path(query: str, known: Iterable[tuple[str, Path]]) -> Path | None:
    if not query.endswith(SUFFIX) or "\0" in query:
        return None
    named, real = working_directory() / query, _real(query)
    for _, path in known:
        if path == named or (path.name == real.name and _real(path) == real):
            return path
    if os.path.lexists(named):
        return named
    printed = [path for _, path in known if is_printed(str(named), str(path))]
    return printed[0] if len(printed) == 1 else None


def _is_printed(name: str, text: str) -> bool:
    return is_printed(text, name)


def _begins(name: str, text: str) -> bool:
    return begins(text, name)


def _real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))
