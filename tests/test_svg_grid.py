"""Screenshots: every word, wide character and symbol stands on its own cell."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import Static

from screenshots.svg_grid import CELL, WIDE_INDENT, on_grid, pieces

LINE = "│ 修复 reserve() ── ::  ✓ +3 −1 <b> & 日本 👨‍👩‍👧 │"


class Picture(App[None]):
    """Shows one line."""

    def compose(self) -> ComposeResult:
        yield Static(Content(LINE))


def indent(piece: str) -> float:
    """Wide characters are centred in their two cells."""
    return WIDE_INDENT if not piece.isascii() and cell_len(piece) == 2 else 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("   ", []),
        ("two words", [(0, "two"), (4, "words")]),
        ("a::b", [(0, "a"), (1, ":"), (2, ":"), (3, "b")]),
        ("修x", [(0, "修"), (2, "x")]),
        ("─│", [(0, "─"), (1, "│")]),
        ("e\u0301x", [(0, "e\u0301"), (1, "x")]),
        ("👨‍👩‍👧!", [(0, "👨‍👩‍👧"), (2, "!")]),
    ],
)
def test_pieces_stand_on_their_cells(text: str, expected: list[tuple[int, str]]) -> None:
    cells = [(round((x - indent(piece)) / CELL, 3), piece) for x, piece in pieces(text)]
    assert cells == expected


@pytest.mark.anyio
async def test_a_real_picture_keeps_its_text_and_loses_the_web() -> None:
    app = Picture()
    async with app.run_test(size=(70, 4)):
        exported = app.export_screenshot(title="sessions", simplify=True)
    svg = on_grid(exported)
    assert "https://cdnjs" not in svg
    assert "textLength" not in svg
    assert "@font-face" not in svg
    shown = "".join(ET.fromstring(svg).itertext())
    assert "".join(LINE.split()) in "".join(shown.split())
    line = next(t for t in re.findall("<text.*?</text>", svg) if "修" in t)
    at = {text: float(x) for x, text in re.findall(r'<tspan x="(.*?)">(.*?)</tspan>', line)}
    assert at["修"] == pytest.approx(cell_len("│ ") * CELL + WIDE_INDENT, abs=0.01)
    assert at["reserve"] == pytest.approx(cell_len("│ 修复 ") * CELL, abs=0.01)
    assert at["日"] == pytest.approx(
        cell_len(LINE[: LINE.index("日")]) * CELL + WIDE_INDENT, abs=0.01
    )
