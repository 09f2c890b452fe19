"""Reading a transcript so that a kill costs little: what takes long is stored as it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..model.event import Event
from ..transcript.transcript import Transcript
from .index import Index

PARTIAL = 32 << 20
"""Bytes after which the reading of a long transcript is stored: a kill costs no more than that."""


def stored_as_read(transcript: Transcript, index: Callable[[], Index]) -> Iterator[list[Event]]:
    """As `Transcript.advance`; `index` is asked for only where there is something to store."""
    stored = transcript.bytes_read
    for events in transcript.advance():
        if transcript.bytes_read - stored >= PARTIAL:
            stored = transcript.bytes_read
            index().save([(transcript, None)])
        yield events
