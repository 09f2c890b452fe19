"""Text that databases and strict JSON accept, and folded text for comparison. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from unicodedata import is_normalized, normalize

Span = tuple[int, int]
"""Start and end, in characters."""

_SURROGATE = re.compile("[\ud800-\udfff]")

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u093c\u09bc\u09be\u09d7\u0a3c\u0b3c\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0c56\u0cc2\u0cd5\u0cd6"
    "\u0d3e\u0d57\u0dca\u0dcf\u0ddf\u0f71-\u0f84\u0fb5\u0fb7\u102e\u1160-\u11ff\u1ab0-\u1aff"
    "\u1b35\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
    "\U000110ba\U00011127\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af\U00011930"
)
"""Characters that combine with the one before them, and marks that may occur in between."""

_TAKEN_APART = (
    "\u0958-\u095f\u09dc\u09dd\u09df\u0a33\u0a36\u0a59-\u0a5b\u0a5e\u0b5c\u0b5d"
    "\u0f43-\u0fb9\u2adc\ufb1d-\ufb4e"
)
"""Letters that Unicode normalisation always decomposes."""

_SEQUENCE = re.compile(f"[^{_MARKS}][{_MARKS}]+|[{_TAKEN_APART}]")
_MARK = re.compile(f"[{_MARKS}]")
_PIECE = re.compile(f"[^{_MARKS}][{_MARKS}]*|[{_MARKS}]", re.DOTALL)


def well_formed(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def fold(text: str) -> str:
    """Return the text for comparison: case-folded, letters composed (macOS decomposes them).

    Nothing else is normalised: a text must have few possible spellings, because the bytes of
    transcripts are searched for each.
    """
    folded = text.casefold()
    if folded.isascii() or is_normalized("NFC", folded):
        return folded
    return _SEQUENCE.sub(lambda found: normalize("NFC", found[0]), folded)


def marks_of(letter: str) -> set[str]:
    """Return marks of which one occurs wherever a letter is not written as a single character."""
    apart = normalize("NFD", letter)
    if len(apart) == 1:
        return {letter} if _MARK.match(letter) else set()
    return {apart[-1]} if "\u1100" <= apart[0] <= "\u1112" else set(apart[1:])


def unfolded(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return the positions in the text of spans in the folded text, extended to whole letters."""
    found = list(spans)
    if not found or text.isascii():
        return found
    if len(text) == len(text.casefold()) and is_normalized("NFC", text):
        return found
    starts, ends, folded_ends, length = [], [], [], 0
    for piece in _PIECE.finditer(text):
        length += len(fold(piece[0]))
        starts.append(piece.start())
        ends.append(piece.end())
        folded_ends.append(length)
    return [
        (starts[bisect_right(folded_ends, start)], ends[bisect_left(folded_ends, end)])
        for start, end in found
        if start < end
    ]
