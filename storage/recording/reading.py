"""The events of a transcript's file as recovery counts them: its unterminated last record too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from ..event import Event
from ..transcript import Transcript
from .errors import NotKept
from .shards import session_of


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Tell what the system has against reading a file, as NotKept."""
    try:
        yield
    except OSError as error:
        raise NotKept(f"{path} cannot be read: {error.strerror or error}.") from error


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
