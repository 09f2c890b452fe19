"""Where the words that somebody looks for stand in a line of the screen. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...storage.text.folding import Span as Span
from ...storage.text.folding import fold, unfolded

Patterns = Sequence[re.Pattern[str]]
"""What finds words in text in folded case."""


def literal(words: str) -> Patterns:
    """Patterns that find these words as they stand, whatever their case."""
    words = fold(words).strip()
    return (re.compile(re.escape(words)),) if words else ()


def spans(line: str, patterns: Patterns) -> list[Span]:
    """Where patterns find something in a line as it is written; in order, none over another."""
    if not patterns:
        return []
    folded = fold(line)
    found = [match.span() for pattern in patterns for match in pattern.finditer(folded)]
    return merged(unfolded(line, found))


def merged(found: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch or overlap made one; without empty ones."""
    result: list[Span] = []
    for start, end in sorted(span for span in found if span[0] < span[1]):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def within(found: Iterable[Span], start: int, end: int) -> list[Span]:
    """The parts of spans that lie in a piece of their text, counted from its beginning."""
    return merged((max(a, start) - start, min(b, end) - start) for a, b in found)
