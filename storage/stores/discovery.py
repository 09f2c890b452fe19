"""Which transcripts a session directory contains, found by name: no transcript is opened."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.store import Root, TranscriptFile
from .layouts import layout_of
from .walk import Unreadable, Walk


@dataclass(frozen=True, slots=True)
class FoundTranscripts:
    """The transcripts of a root, and what could not be read."""

    files: tuple[TranscriptFile, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


def discover(root: Root) -> FoundTranscripts:
    """Return all transcripts of a root in no particular order, each once despite links."""
    walk = Walk()
    layout_of(root).find(root, walk)
    walk.follow_links()
    return FoundTranscripts(tuple(walk.files), tuple(walk.unreadable))
