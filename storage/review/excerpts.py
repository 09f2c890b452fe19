"""Pure: the lines of a file around the texts that a finding rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.evidence import Excerpt, Holds
from .changes import outside, unified

MOST = 3
"""Maximum number of excerpts per file."""
AROUND = 3
"""Lines of context before and after a match."""
LINES = 40
"""Maximum lines per excerpt: about one screen."""
CHARACTERS = 400
"""Maximum characters per line."""

_BYTES = CHARACTERS * 4
"""Enough bytes for that many characters in UTF-8."""

Sought = tuple[bytes, bytes, Holds]
"""The text to look for, the text inside which it does not count, and which side it is."""


def excerpts_of(data: bytes, places: Sequence[Sought]) -> tuple[Excerpt, ...]:
    """Return the first occurrence of each text, then further ones; else the start of the file."""
    text = unified(data)
    found = [place for place in (_spans(text, sought) for sought in places) if place]
    spans = [span for rank in range(MOST) for place in found for span in place[rank : rank + 1]]
    if not spans:
        return (_beginning(text),) if text else ()
    return tuple(_excerpt(text, *span) for span in spans[:MOST])


def _spans(text: bytes, sought: Sought) -> list[tuple[int, int, Holds]]:
    """Return the start and end of the first few occurrences of a text."""
    wanted, other, holds = sought
    wanted = unified(wanted)
    text = outside(text, wanted, unified(other))
    spans: list[tuple[int, int, Holds]] = []
    at = text.find(wanted)
    while at >= 0 and len(spans) < MOST:
        spans.append((at, at + len(wanted), holds))
        at = text.find(wanted, at + len(wanted))
    return spans


def _excerpt(text: bytes, start: int, end: int, holds: Holds) -> Excerpt:
    above = _lines_back(text, start)
    number = text.count(b"\n", 0, start) + 1
    last = number + text.count(b"\n", start, max(start, end - 1))
    first = number - len(above) + 1
    count = min(LINES, last + AROUND - first + 1)
    lines = tuple(_shown(line) for line in _lines_from(text, above[-1], count))
    return Excerpt(first, lines, (number, last), holds)


def _beginning(text: bytes) -> Excerpt:
    return Excerpt(1, tuple(_shown(line) for line in _lines_from(text, 0, LINES)), (0, 0), "")


def _lines_back(text: bytes, at: int) -> list[int]:
    """Return the start of the line at `at`, then of the lines above it, nearest first."""
    starts = [text.rfind(b"\n", 0, at) + 1]
    while starts[-1] > 0 and len(starts) <= AROUND:
        starts.append(text.rfind(b"\n", 0, starts[-1] - 1) + 1)
    return starts


def _lines_from(text: bytes, at: int, count: int) -> Iterator[bytes]:
    """Yield up to `count` lines, beginning at `at`."""
    for _ in range(count):
        if at >= len(text):
            return
        end = text.find(b"\n", at)
        end = len(text) if end < 0 else end
        yield text[at : min(end, at + _BYTES)]
        at = end + 1


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    return text if len(text) <= CHARACTERS else text[: CHARACTERS - 1] + "…"
