"""The events of a transcript's file as recovery counts them: its unterminated last record too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ..model.event import Event
from ..transcript.transcript import Transcript
from .shards import session_of


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
