"""Finds the transcripts that contain an event, by its id alone.

An id that contains session and number is looked up; an agent's own id is searched for in the bytes
of the transcripts of such agents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..files.holes import is_empty, next_data
from ..files.lines import opened, pread
from ..model.event import Event
from ..text.printed_name import is_printed
from ..transcript.transcript import Transcript
from .library import Library

BLOCK = 1 << 20

_UNPRINTED = re.escape("\ufffd".encode())

_NOT_PRINTED = rb"(?:\xef\xbf\xbd|(?:\\u[dD][89a-fA-F][0-9a-fA-F]{2})+)"
"""What U+FFFD in a printed id may stand for in a record: itself, or lone surrogates."""

_SLACK = 64
"""Number of bytes by which an id in a record may be longer than when printed."""

_POSITIONAL = re.compile(r"transcript:(.+):([1-9][0-9]{0,15})(?:#[0-9]{1,9})?", re.DOTALL)
_BLOCK = re.compile(r"#[0-9]{1,9}$")
"""What an agent's own id of a record is followed by, for an event after the first."""


class Located(NamedTuple):
    """An event and the transcript that contains it."""

    path: Path
    event: Event


def locate(library: Library, event_id: str, within: Path | None = None) -> list[Located]:
    """Return all events with an id in the library's transcripts, or in one of them.

    Unreadable transcripts are skipped; see `Library.unreadable`.
    """
    found: list[Located] = []
    for path in [within] if within else _likely(library, event_id):
        library.read(path)
        if path not in library.unreadable:
            transcript = library.transcript(path)
            found += (Located(path, event) for event in events_with(transcript, event_id))
    return [one for one in found if one.event.event_id == event_id] or found


def locate_number(library: Library, path: Path, number: int) -> list[Located]:
    """Return the event with a number in a transcript, if any; damaged lines do not count."""
    library.read(path)
    if path in library.unreadable:
        return []
    transcript = library.transcript(path)
    index = transcript.positions.index_of_number(number)
    indexes = [] if index is None else [index]
    events = [*map(transcript.event, indexes), *transcript.tail()]
    return [
        Located(path, event)
        for event in events
        if event.place.number == number and event.event_id is not None
    ]


def events_with(transcript: Transcript, event_id: str) -> Iterator[Event]:
    """Yield the events of a transcript with an id, or one printed that way, tail included."""
    for index in _indexes(transcript, event_id):
        event = transcript.event(index)
        if is_printed(event_id, event.event_id or ""):
            yield event
    for event in transcript.tail():
        if is_printed(event_id, event.event_id or ""):
            yield event


def _likely(library: Library, event_id: str) -> Iterable[Path]:
    """Return the transcripts that may contain an event: its session's, or all with own ids."""
    files = [*library.files()]
    if match := _POSITIONAL.fullmatch(event_id):
        named = [file.path for file in files if is_printed(match[1], file.session)]
        if named:
            return named
    known = ((file.path, library.overview(file.path)) for file in files)
    return [path for path, known in known if known is None or known.agent.reader.has_ids]


def _indexes(transcript: Transcript, event_id: str) -> Iterator[int]:
    """Yield the 0-based indexes of the events that may have an id."""
    match = _POSITIONAL.fullmatch(event_id)
    has_ids = transcript.agent.reader.has_ids
    if match and not has_ids:
        index = transcript.positions.index_of_number(int(match[2]))
        if index is not None:
            yield from range(index, transcript.positions.behind(index))
    elif has_ids:
        yield from _holding(transcript, event_id)
        if _BLOCK.search(event_id):
            yield from _holding(transcript, _BLOCK.sub("", event_id))


def _holding(transcript: Transcript, text: str) -> Iterator[int]:
    """Yield the events whose record contains a JSON string: plain, escaped or as printed."""
    forms = {
        json.dumps(text, ensure_ascii=ascii)[1:-1].encode("utf-8", "surrogatepass")
        for ascii in (True, False)
    }
    patterns = [re.escape(form).replace(_UNPRINTED, _NOT_PRINTED) for form in sorted(forms)]
    pattern = re.compile(b"|".join(patterns))
    overlap, at, last = max(map(len, forms)) + _SLACK, transcript.origin, -1
    with opened(transcript.path) as fd:
        while at < transcript.fingerprint.offset:
            block = pread(fd, BLOCK + overlap, at)
            for match in pattern.finditer(block):
                index = transcript.positions.index_at(at + match.start())
                if last < index < len(transcript.positions):
                    last = index
                    yield from range(transcript.positions.first_of(index), index + 1)
            at += BLOCK
            if is_empty(block):
                at = max(at, next_data(fd, at, transcript.fingerprint.offset) - overlap)
