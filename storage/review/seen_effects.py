"""Unrecorded effects that only a search of the disk finds, counted in the session they belong to.

A search is too slow for every look at a session, so whoever can afford one passes on what it
found, and from then on the session list counts the same cases as the review.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..library.library import Library
from ..library.status import SeenEffect
from ..model.action import Action
from ..model.session import Session
from ..transcript.transcript import Transcript
from .effect_inspection import is_late
from .effects import Effects, effects_of


def see_effects(library: Library, sessions: Iterable[Session], now: int) -> None:
    """Search for the effects of sessions that lost a response, and count them there.

    A transcript that cannot be read is left as it is.
    """
    for session in sessions:
        transcript = library.transcript(session.path)
        with suppress(OSError):
            effects = effects_of(transcript, now)
            library.see_effects(transcript.path, seen_in(transcript, effects))


def seen_in(transcript: Transcript, effects: Effects) -> tuple[SeenEffect, ...]:
    """Return those of a transcript's effects that only a search of its directory finds."""
    found = (action for action in effects.actions if action.found == "directory")
    return tuple(_seen(transcript, action) for action in found)


def _seen(transcript: Transcript, action: Action) -> SeenEffect:
    late = is_late(transcript, _modified_at(Path(action.path or "")))
    return SeenEffect(action.action or "", action.offset, action.size, None if late else action.at)


def _modified_at(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns // 1_000_000
    except (OSError, ValueError):
        return None
