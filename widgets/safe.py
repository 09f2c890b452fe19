"""The one road of foreign text to the screen.

Whatever a transcript holds, what comes out here can neither speak to the terminal (control
characters, ANSI and OSC sequences), nor reorder or hide text (bidi controls, zero-width and tag
characters), nor break a column. `Content` made from it is never read as markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from textual.content import Content

MARK = "�"
"""Stands where something was taken out that a reader should know of."""

ONE_LINE = 400
"""Characters that the widest line is given to show; more is never looked at."""

_SEQUENCE = re.compile(
    r"\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and their like
    r"|\x1b\[[0-?]*[ -/]*[@-~]?"  # CSI
    r"|\x1b[ -/]*[0-~]?"
    # In one character; where it does not end it is more likely a wrongly decoded quotation mark.
    r"|[\x90\x98\x9d-\x9f][^\x07\x1b\x90\x98\x9c-\x9f\n]*+(?:\x07|\x1b\\|\x9c)"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
"""ANSI escape sequences; one that begins with ESC and never ends is taken to end with its line."""

_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

# Terminals disagree on the width of joined emoji; the parts alone are two cells everywhere.
_JOINERS = re.compile("[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]+")

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff"
    "]+"
)

_STACKED = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{2})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
"""More than two marks on one letter climb into the lines above."""

_BLANKS = re.compile(r"\s+")


def safe_text(text: str, limit: int | None = None) -> str:
    """Text that a terminal only shows, at most `limit` characters; keeps newlines and tabs."""
    clipped = limit is not None and len(text) > limit
    if clipped:
        text = text[:limit]
    if not (text.isascii() and text.isprintable()):
        text = _SEQUENCE.sub("", text)
        text = _LINE_END.sub("\n", text)
        text = _JOINERS.sub("", text)
        text = _HIDDEN.sub(MARK, text)
        text = _STACKED.sub(r"\1", text)
    return text + "…" if clipped else text


def one_line(text: str, limit: int = ONE_LINE) -> str:
    """The beginning of a text on a single line, all white space narrowed to single spaces."""
    # Sequences and blanks shrink, so more is taken than is shown: but never the whole of a giant.
    head = text[: 4 * limit + 64]
    line = _BLANKS.sub(" ", safe_text(head)).strip()
    if len(line) > limit or len(head) < len(text):
        return line[:limit].rstrip() + "…"
    return line


def safe(text: str, limit: int | None = None) -> Content:
    """Foreign text as something that Textual shows as it is."""
    from textual.content import Content  # commands without a screen do without Textual

    return Content(safe_text(text, limit).expandtabs(4))


def fit(text: str, cells: int, align: str = "left") -> str:
    """Safe text cut with `…` or padded with spaces to exactly so many cells."""
    if cells <= 0:
        return ""
    text = text[: cells * 8]
    width = cell_len(text)
    if width > cells:
        return set_cell_size(set_cell_size(text, cells - 1).rstrip() + "…", cells)
    padding = " " * (cells - width)
    return padding + text if align == "right" else text + padding
