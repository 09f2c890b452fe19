"""What an envelope transcript says about a file before a call.

A snapshot with a content hash proves that the file existed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.evidence import Before
from ...records.fields import string

if TYPE_CHECKING:
    from ...files.disk import Look
    from ...review.trail import Trail


def before(trail: Trail, look: Look) -> Before:
    """Return what is known about a call's file: whether it existed, if it is gone."""
    existed = trail.existed_if_gone(look)
    if existed is None and not look.exists and _has_snapshot(trail):
        existed = True
    return Before(trail.action.at, look.modified_at, existed)


def _has_snapshot(trail: Trail) -> bool:
    """Return whether a snapshot with a content hash names the file."""
    return any(string(event.record.get("hash")) for event in trail.snapshots_naming())
