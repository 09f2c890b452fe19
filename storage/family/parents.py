"""The parent of each transcript, by the folders they are in and by the ids in their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..model.store import TranscriptFile


def families(
    files: Iterable[TranscriptFile],
    inner_ids: Mapping[Path, str],
    delegated: Mapping[Path, Path] | None = None,
) -> dict[Path, Path | None]:
    """Return the parent of each transcript; None if it has none, or the parent is missing.

    `inner_ids`: session ids inside sub-agents' records, as a nested sub-agent is in a folder named
    after its parent's. `delegated`: parents that are known otherwise.
    """
    files = list(files)
    mains = {(file.workspace, file.session): file.path for file in files if file.owner is None}
    agents: dict[tuple[Path, str], Path] = {}
    for file in files:
        if file.owner is not None and (inner := inner_ids.get(file.path)) is not None:
            agents.setdefault((file.workspace, inner), file.path)
    parents: dict[Path, Path | None] = {}
    for file in files:
        key = (file.workspace, file.owner or "")
        parents[file.path] = mains.get(key) or agents.get(key) if file.owner is not None else None
    parents.update(delegated or {})
    return without_circles(parents)


def without_circles(parents: dict[Path, Path | None]) -> dict[Path, Path | None]:
    """Remove links that make a transcript its own ancestor; modifies and returns `parents`."""
    for path in parents:
        seen = {path}
        at, above = path, parents[path]
        while above is not None and above not in seen:
            seen.add(above)
            at, above = above, parents.get(above)
        if above is not None:
            parents[at] = None
    return parents
