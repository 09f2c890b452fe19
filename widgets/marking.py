"""Where the words that somebody looks for stand in a line of the screen. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

Patterns = Sequence[re.Pattern[str]]
"""What finds words in text in folded case."""

Span = tuple[int, int]
"""Where something begins and ends, in characters."""


def literal(words: str) -> Patterns:
    """Patterns that find these words as they stand, whatever their case."""
    words = words.casefold().strip()
    return (re.compile(re.escape(words)),) if words else ()


def spans(line: str, patterns: Patterns) -> list[Span]:
    """Where patterns find something in a line as it is written; in order, none over another."""
    if not patterns:
        return []
    folded = line.casefold()
    found = [match.span() for pattern in patterns for match in pattern.finditer(folded)]
    if len(folded) != len(line):
        # Some characters fold to several: count how many each one becomes.
        ends = list(accumulate(len(character.casefold()) for character in line))
        found = [(bisect_right(ends, start), bisect_left(ends, end) + 1) for start, end in found]
    return merged(found)


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
