"""Where search terms match in a line on screen. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...storage.text.folding import Span as Span
from ...storage.text.folding import fold, unfolded

Patterns = Sequence[re.Pattern[str]]
"""Patterns that match in text in folded case."""


def literal(words: str) -> Patterns:
    """Return patterns that match these words literally, ignoring case."""
    words = fold(words).strip()
    return (re.compile(re.escape(words)),) if words else ()


def spans(line: str, patterns: Patterns) -> list[Span]:
    """Return the matches in a line as spans of the original text, in order and disjoint."""
    if not patterns:
        return []
    folded = fold(line)
    found = [match.span() for pattern in patterns for match in pattern.finditer(folded)]
    return merged(unfolded(line, found))


def merged(found: Iterable[Span]) -> list[Span]:
    """Return spans in order, merging those that touch or overlap and dropping empty ones."""
    result: list[Span] = []
    for start, end in sorted(span for span in found if span[0] < span[1]):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def within(found: Iterable[Span], start: int, end: int) -> list[Span]:
    """Return the parts of spans within a range, relative to its start."""
    return merged((max(a, start) - start, min(b, end) - start) for a, b in found)
