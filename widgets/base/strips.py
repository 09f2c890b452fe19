"""Small operations on strips, the lines that Textual draws."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual.selection import Selection
from textual.strip import Strip

COPIED_LINES = 10_000
"""A selection that runs over more lines is cut: the clipboard is no place for a transcript."""


def overlay(strip: Strip, paper: Style) -> Strip:
    """Return a strip with another background."""
    segments = [Segment(text, paper + style if style else paper) for text, style, _ in strip]
    return Strip(segments, strip.cell_length)


def selected(strip: Strip, span: tuple[int, int] | None, style: Style) -> Strip:
    """Return a strip with a span (end -1: to the end) in the style of a selection."""
    if span is None:
        return strip
    start, end = span
    stop = len(strip.text) if end == -1 else end
    segments: list[Segment] = []
    at = 0
    for text, own, _ in strip:
        a, b = (min(max(edge - at, 0), len(text)) for edge in (start, stop))
        parts = ((text[:a], own), (text[a:b], own + style if own else style), (text[b:], own))
        segments.extend(Segment(part, look) for part, look in parts if part)
        at += len(text)
    return Strip(segments, strip.cell_length)


def extract(selection: Selection, count: int, text_of: Callable[[int], str]) -> str:
    """Return the selected text of a widget of `count` lines; reads only the selected lines."""
    first = selection.start.y if selection.start else 0
    last = min(selection.end.y if selection.end else count, count - 1, first + COPIED_LINES)
    lines = []
    for line in range(first, last + 1):
        start, stop = selection.get_span(line) or (0, 0)
        lines.append(text_of(line)[start : None if stop == -1 else stop].rstrip())
    return "\n".join(lines)
