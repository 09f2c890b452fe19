"""The events of a transcript's file as recovery counts them: its unterminated last record too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ..event import Event
from ..transcript import Transcript, open_at_end
from .shards import session_of

_BLOCK = 64 * 1024
"""Bytes at the end of a file in which its last event is looked for."""


def read_whole(path: Path) -> Transcript:
    """A transcript that was read to its end; raises OSError."""
    transcript = Transcript(path, session_of(path))
    transcript.trace = None  # tells tokens, which nobody asks for here
    transcript.read()
    return transcript


def events_of(path: Path) -> Iterator[Event]:
    """All events of a file; raises OSError."""
    transcript = read_whole(path)
    return chain(transcript.events(), transcript.tail())


def last_event(path: Path) -> Event | None:
    """The last event of a file, read from its end; None where it has none. Raises OSError."""
    transcript = open_at_end(path, session_of(path), 1, _BLOCK)
    transcript.trace = None
    transcript.read()
    return next(reversed([*transcript.events(), *transcript.tail()]), None)
