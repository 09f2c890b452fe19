"""What MyCodeAgent leaves behind about a file before a call: what it read, and temporary files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...files.disk import leftover_beside
from ...model.event import Event
from ...model.evidence import TOLERANCE, Before
from ...records.fields import mapping
from .reader import payload_of

if TYPE_CHECKING:
    from ...files.disk import Look
    from ...review.trail import Trail

DRY_RUN = "The call was a dry run, which writes nothing."

LEFTOVER = re.compile(r"\.mycodeagent-[^/\\]{1,64}\.tmp")
"""Names of the temporary files that replace a file when they are complete."""


def before(trail: Trail, look: Look) -> Before:
    """Return what is known about a call's file besides its contents."""
    action = trail.action
    if action.args.get("dry_run") is True:
        return Before(inert=DRY_RUN)
    since = None if action.at is None else action.at - TOLERANCE
    next_at = trail.next_at()
    until = None if next_at is None else next_at + TOLERANCE
    leftover = leftover_beside(action.path, LEFTOVER, since, until) if action.path else ""
    return Before(
        action.at,
        look.modified_at,
        trail.existed_if_gone(look),
        unwritten=look.exists and _last_read(trail) == (look.modified_at, look.size),
        leftover=leftover,
    )


def _last_read(trail: Trail) -> tuple[int, int] | None:
    """Return the modification time (ms since 1970) and size of the file when it was last read."""
    return next((noted for ended in trail.reads() if (noted := _noted(ended))), None)


def _noted(ended: Event) -> tuple[int, int] | None:
    stats = mapping(mapping(payload_of(ended.record).get("result")).get("stats"))
    modified, size = stats.get("file_mtime_ms"), stats.get("file_size_bytes")
    if not isinstance(modified, int | float) or not isinstance(size, int):
        return None
    return (int(modified), size) if 0 < modified < 1e15 else None
