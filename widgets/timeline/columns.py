"""What a row of the timeline says, column by column, and which columns give way to the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile

from rich.cells import cell_len

from ...storage.model.timeline import ASKS_YOU, CallState, Row
from ..words.ages import clock, day_short
from ..words.amounts import duration, size, tokens
from ..words.cases import DECIDED, Tone
from ..words.cases import SIGNS as VERDICT_SIGNS
from ..words.kinds import LABELS
from ..words.safe import fit, one_line

SIGNS: dict[CallState, str] = {
    "": " ",
    "pending": "○",
    "running": "●",
    "completed": "✓",
    "failed": "✗",
    "uncertain": "⚠",
    "unknown": "~",
}

TONES: dict[Tone, str] = {
    "good": "completed",
    "bad": "failed",
    "doubt": "uncertain",
    "quiet": "quiet",
}
"""The component classes for what is said of a case."""

ASKS = "?"
"""The sign of a call that waits for the person, who is to answer it."""

Cell = tuple[str, str]
"""Text, and the word of the component class that colours it."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths in cells; 0 where a column gave way. Between columns stands one blank."""

    time: int
    label: int
    edits: int
    outcome: int
    size: int


def cells(
    row: Row, width: int, *, new_day: bool, candidate: bool, door: bool = False
) -> list[Cell]:
    """A row, column by column, in exactly so many cells; a door leads into a sub-agent."""
    widths = columns(width)
    head = list(_head(row, widths, new_day))
    # Columns that this row leaves blank are given to its text.
    tail = list(dropwhile(lambda cell: cell[0].isspace(), _tail(row, widths, candidate, door)))
    room = max(0, width - sum(cell_len(text) for text, _ in head + tail) - 1)
    text = fit(one_line(row.text, 2 * room + 1), room) + " "
    line = [*head, (text, _text_name(row)), *tail]
    return [(text, "abandoned") for text, _ in line] if row.abandoned else line


def _head(row: Row, widths: Columns, new_day: bool) -> Iterator[Cell]:
    if widths.time:
        yield time(row, widths.time, new_day) + " ", "day" if new_day else "time"
    known = row.kind in ("prompt", "answer", "reasoning", "call", "damaged")
    yield fit(label(row), widths.label) + " ", row.kind if known else "quiet"


def _tail(row: Row, widths: Columns, candidate: bool, door: bool) -> Iterator[Cell]:
    if widths.edits:
        added, removed = edits(row)
        yield fit(added, widths.edits // 2, "right") + " ", "added"
        yield fit(removed, widths.edits // 2) + " ", "removed"
    shown, word, state = _standing(row)
    yield shown + " ", state
    if widths.outcome:
        telling = state in ("failed", "uncertain", "running") or row.verdict
        yield fit(word, widths.outcome) + " ", state if telling else "outcome"
    if widths.size:
        yield fit(amount(row), widths.size, "right") + " ", "outcome"
    yield ("◆ " if candidate else "› " if door else "  "), "candidate"


def _standing(row: Row) -> tuple[str, str, str]:
    """Sign, word and look of how a call stands."""
    if row.verdict is not None:
        shown = VERDICT_SIGNS[row.verdict]
        return shown.text, DECIDED[row.verdict].text, TONES[shown.tone]
    state = row.state if row.state not in ("", "pending", "unknown") else "quiet"
    if asks(row.state, row.detail):
        state = "uncertain"
    return sign(row.state, row.detail), outcome(row), state


def _text_name(row: Row) -> str:
    if row.kind == "prompt":
        return "text-prompt"
    return "text" if row.kind in ("answer", "call", "damaged") else "text-quiet"


def columns(width: int) -> Columns:
    """The columns that a width has room for; the text takes what they leave."""
    time = 8 if width >= 60 else 5 if width >= 36 else 0
    label = 12 if width >= 100 else 9 if width >= 60 else 7 if width >= 30 else 5
    edits = 11 if width >= 76 else 0
    outcome = 11 if width >= 64 else 0
    amount = 7 if width >= 92 else 0
    return Columns(time, label, edits, outcome, amount)


def asks(state: CallState, detail: str) -> bool:
    """Whether a call is a question or a plan that waits for the person."""
    return state == "running" and detail == ASKS_YOU


def sign(state: CallState, detail: str) -> str:
    """In one cell how a call stands."""
    return ASKS if asks(state, detail) else SIGNS[state]


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
