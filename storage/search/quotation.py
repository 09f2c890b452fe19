"""What was found, as the transcript has it: the event, and a line of context around the match."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..library.library import Library
from ..model.event import Event, Kind
from ..text.folding import unfolded
from ..transcript.outputs import with_output
from ..transcript.transcript import Transcript
from .query import Query, folded

WIDTH = 160
"""Approximate number of characters in a snippet."""

LEAD = 48
"""Characters of it before the match."""

KEPT = 16
"""Number of transcripts cached for later quotations."""

_SPACE = re.compile(r"\s+")


class Hit(NamedTuple):
    """A record whose text contains all the words; `record` is its 0-based index."""

    path: Path
    record: int
    at: int | None
    """Milliseconds since 1970."""
    kind: Kind


class Snippet(NamedTuple):
    """A line of foreign text, and the range of the first match in it."""

    text: str
    start: int
    end: int


class Quotation(NamedTuple):
    """A found event, read from its transcript."""

    event: Event
    snippet: Snippet


class Quotations:
    """Reads hits from the transcripts, using the positions that a library has of them."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: OrderedDict[Path, Transcript | None] = OrderedDict()

    def quote(self, query: Query, hit: Hit) -> Quotation | None:
        """Return the event of a hit; None if the transcript no longer contains it."""
        event = self.event(hit)
        if event is None or event.kind != hit.kind:
            return None
        text = searched_text(event)
        if not query.matches(folded(text)):
            return None
        return Quotation(event, snippet_of(text, query))

    def event(self, hit: Hit) -> Event | None:
        """Return the event at a hit's position; None if it cannot be read."""
        transcript = self.transcript(hit.path)
        if transcript is None:
            return None
        try:
            behind = hit.record - len(transcript.positions)
            event = transcript.event(hit.record) if behind < 0 else transcript.tail()[behind]
            return with_output(hit.path, event)
        except (OSError, IndexError):
            return None

    def transcript(self, path: Path) -> Transcript | None:
        """Return a transcript with all searchable records; None if there is none."""
        if path not in self._kept:
            self._kept[path] = self._library.transcripts.quotable(path)
        self._kept.move_to_end(path)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[path]

    def is_copy(self, hit: Hit) -> bool:
        """Return whether a hit's record was copied from another session into a fork."""
        file, event = self._library.file(hit.path), self.event(hit)
        if file is None or event is None or file.owner is not None:
            return False  # a sub-agent's records never name its file as their session
        transcript = self.transcript(hit.path)
        return transcript is not None and bool(transcript.facts.ancestry.source_of(event))


def searched_text(event: Event) -> str:
    """Return the searchable text of an event; for a call, everything passed to its tool."""
    return "\n".join(_values(event.args)) if event.kind == "call" else event.text


def _values(args: Any) -> Iterator[str]:
    """Yield the strings and integers in some arguments, in order, at any depth."""
    waiting = [args]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, str):
            yield value
        elif type(value) is int:
            yield str(value)


def snippet_of(text: str, query: Query) -> Snippet:
    """Return one line of about `WIDTH` characters around the first match."""
    start, end = _place(text, query)
    before = _SPACE.sub(" ", text[max(0, start - 4 * WIDTH) : start]).lstrip()
    match = _SPACE.sub(" ", text[start:end])[:WIDTH]
    if len(before) > LEAD:
        before = "…" + before[1 - LEAD :].lstrip()
    room = WIDTH - len(before) - len(match)
    after = _SPACE.sub(" ", text[end : end + 4 * WIDTH])
    if len(after) > room:
        after = after[: max(0, room - 1)] + "…"
    line = (before + match + after).rstrip()
    return Snippet(line, len(before), min(len(line), len(before) + len(match)))


def _place(text: str, query: Query) -> tuple[int, int]:
    """Return the range of the first match in the original text."""
    whole = folded(text)
    start, end = query.first(whole)
    return (start, end) if start == end else unfolded(text, [(start, end)])[0]
