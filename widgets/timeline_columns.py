"""What a row of the timeline says, column by column, and which columns give way to the text."""

from __future__ import annotations

from dataclasses import dataclass

from ..storage.event import Kind
from ..storage.timeline import CallState, Row
from .ages import clock, day_short
from .amounts import duration, size, tokens
from .safe import fit, one_line

LABELS: dict[Kind, str] = {
    "prompt": "you",
    "injected": "injected",
    "answer": "answer",
    "reasoning": "thought",
    "call": "call",
    "result": "result",
    "snapshot": "snapshot",
    "title": "title",
    "summary": "summary",
    "transition": "state",
    "checkpoint": "checkpt",
    "terminal": "end",
    "notice": "notice",
    "meta": "meta",
    "unknown": "unknown",
    "damaged": "damaged",
}

SIGNS: dict[CallState, str] = {
    "": " ",
    "pending": "○",
    "running": "●",
    "completed": "✓",
    "failed": "✗",
    "uncertain": "⚠",
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths in cells; 0 where a column gave way. Between columns stands one blank."""

    time: int
    label: int
    edits: int
    outcome: int
    size: int


def columns(width: int) -> Columns:
    """The columns that a width has room for; the text takes what they leave."""
    time = 8 if width >= 60 else 5 if width >= 36 else 0
    label = 12 if width >= 100 else 9 if width >= 60 else 7 if width >= 30 else 5
    edits = 11 if width >= 76 else 0
    outcome = 10 if width >= 64 else 0
    amount = 7 if width >= 92 else 0
    return Columns(time, label, edits, outcome, amount)


def label(row: Row) -> str:
    """Who speaks or what runs: `you`, `thought`, the tool's name."""
    if row.kind in ("call", "result") and row.tool:
        # Tools of other servers are named mcp__server__tool.
        return one_line(row.tool[-200:].rpartition("__")[2] or row.tool, 40)
    return LABELS[row.kind]


def time(row: Row, cells: int, new_day: bool) -> str:
    """The clock, or on the first row of a day its date."""
    if new_day and row.at is not None:
        return fit(day_short(row.at, cells), cells)
    return fit(clock(row.at, seconds=cells >= 8), cells)


def edits(row: Row) -> tuple[str, str]:
    """Lines added and taken away: `+3`, `−1`; in at most five cells each."""
    added = f"+{tokens(row.added)}" if row.added is not None else ""
    removed = f"−{tokens(row.removed)}" if row.removed is not None else ""
    return added, removed


def outcome(row: Row) -> str:
    """What became of it: the detail where there is one, else how long it took."""
    if row.detail:
        return one_line(row.detail, 40)
    return "" if row.duration is None else duration(row.duration)


def amount(row: Row) -> str:
    """How much there is to read: bytes-like for outputs, `+412 c` for thoughts."""
    if row.size is None:
        return ""
    if row.kind == "reasoning":
        return f"+{row.size} c" if row.size < 10_000 else f"+{row.size // 1_000}k c"
    return size(row.size)
