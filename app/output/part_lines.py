"""Selects the events of a session's parts for commands that print them."""

from __future__ import annotations

from ...storage.model.timeline import Alive
from ...storage.timeline.annotated import Annotator
from ...storage.transcript.parts import Parts
from ...storage.transcript.transcript import Transcript
from .lines import first_of, has_line


def told_of(parts: Parts, part: int, alive: Alive) -> Annotator:
    """Return the annotator of one part; `alive`: whether an agent can still deliver results."""
    return Annotator(parts.transcripts[part], alive, parts.ties(part))


def begins_of_last(parts: Parts, count: int, every: bool) -> list[int]:
    """Return, per part, the index from which its events are among the last `count` lines.

    Events without a line of their own count only if `every` event is printed.
    """
    found: list[int] = []
    for transcript in reversed(parts.transcripts):
        total = len(transcript.positions) + len(transcript.tail())
        first = max(0, total - count) if every else first_of(transcript, count, total)
        found.append(first)
        count -= lines_between(transcript, first, total, every)
    return found[::-1]


def lines_between(transcript: Transcript, first: int, end: int, every: bool) -> int:
    """Count the events in a range that have a line of their own, or all if `every` is set."""
    return sum(every or has_line(transcript, index) for index in range(first, end))
