"""What a hit of a search says on its two lines: the words around the match, and where it was said.

A snippet is made safe in three parts, so that whatever stands before the match neither swallows
nor moves it, and what stands before it is cut where a narrow line would cut the match. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len

from ...storage.model.event import Kind
from ..words.cases import when
from ..words.folders import folder_name
from ..words.matches import Patterns, Span, merged, spans
from ..words.safe import fit, one_line, safe_text

TITLE_MOST = 200
"""Characters of a title that are looked at."""

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class FoundEvent:
    """An event that a search found; snippet, title and workspace are foreign text."""

    path: Path
    offset: int
    """Of its record in the file."""
    at: int | None
    """Milliseconds since 1970."""
    kind: Kind
    snippet: str
    match: Span
    """Where in the snippet the first match lies; empty where no words were looked for."""
    title: str
    workspace: str


class SnippetLine(NamedTuple):
    """A line of exactly so many cells, and what of it was looked for."""

    text: str
    marks: list[Span]


def snippet_line(found: FoundEvent, patterns: Patterns, cells: int) -> SnippetLine:
    """The first line: as much before the match as leaves room for it."""
    start, end = found.match
    before = _flat(found.snippet[:start]).lstrip()
    match, after = _flat(found.snippet[start:end]), _flat(found.snippet[end:])
    if not before + match:
        after = after.lstrip()
    before = _end(before, max(cells // 3, cells - cell_len(match + after)))
    whole = before + match + after
    text = fit(whole if whole.strip() else "(no text)", cells)
    marks = [(len(before), len(before) + len(match)), *spans(whole, patterns)]
    return SnippetLine(text, [span for span in merged(marks) if span[1] <= len(text)])


def about(found: FoundEvent, now: int, cells: int) -> str:
    """The second line, from when it was said on: the title gives way first."""
    start = f"{when(found.at, now)} · "
    workspace = one_line(folder_name(found.workspace), 80)
    title = one_line(found.title, TITLE_MOST) or "untitled"
    if not workspace or cells < 40:
        return fit(start + title, cells)
    workspace = fit(workspace, min(cell_len(workspace), cells // 3))
    room = cells - cell_len(start) - cell_len(workspace) - 3
    return fit(f"{start}{fit(title, min(cell_len(title), room))} · {workspace}", cells)


def _end(text: str, cells: int) -> str:
    """The end of a safe text, in at most so many cells."""
    if cell_len(text) <= cells:
        return text
    kept = text[-cells:]
    while kept and cell_len(kept) >= cells:
        kept = kept[1:]
    return "…" + kept


def _flat(text: str) -> str:
    """Foreign text on one line, with the blanks at its ends."""
    return _BLANKS.sub(" ", safe_text(text))
