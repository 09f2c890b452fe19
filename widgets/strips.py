"""Small works on strips, the lines that Textual draws."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def ink(style: Style) -> Style:
    """Colour and weight of a style, without its background."""
    return Style(
        color=style.color,
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
        reverse=style.reverse,
    )


def overlay(strip: Strip, paper: Style) -> Strip:
    """A strip whose inks are laid on a paper."""
    segments = [Segment(text, paper + style if style else paper) for text, style, _ in strip]
    return Strip(segments, strip.cell_length)


def selected(strip: Strip, span: tuple[int, int] | None, style: Style) -> Strip:
    """A strip with the characters of a span (end -1: to the end) in the style of a selection."""
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
