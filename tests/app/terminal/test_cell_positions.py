"""Rows stay whole on terminals that draw characters wider or narrower than was reckoned."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

from sessions_tui.app.terminal.cell_positions import positioned

MOVE = re.compile("\x1b\\[(\\d+);(\\d+)H|\x1b\\[(\\d+)G|\x1b\\[[0-9;]*m|(.)", re.DOTALL)

TEXTS = [
    "new \U0001fae9 and \U0001faea",
    "joined 👨‍👩‍👧 family",
    "flags 🇩🇪🇫🇷 here",
    "keycap 1️⃣ heart ❤️ sign ⚠ ⚠️",
    "skin 👍🏽 tone",
    "marks क्षि กำ é x\u0323\u0307 ẛ",
    "jamo 한글 ᄒ",
    "a lone \ufe0f selector",
    "unassigned \U0001fb9f \U0001f8ff \ue000",
    "库存 and 🫠库",
]


def drawn(data: str, width: Callable[[str], int]) -> dict[tuple[int, int], str]:
    """What a terminal with its own widths shows, by row and column."""
    cells: dict[tuple[int, int], str] = {}
    row = column = 1
    for move in MOVE.finditer(data):
        if move[1]:
            row, column = int(move[1]), int(move[2])
        elif move[3]:
            column = int(move[3])
        elif move[4]:
            size = width(move[4])
            for at in range(size):
                cells[row, column + at] = move[4] if not at else ""
            column += size
    return cells


def narrow(character: str) -> int:
    """A terminal that knows no emoji and joins nothing."""
    return 2 if "\u2e80" <= character <= "\uffef" else 1


def wide(character: str) -> int:
    """A terminal that draws all it does not know on two cells."""
    return 1 if character < "\u0300" or character in "│✓" else 2


def absent(character: str) -> int:
    """A terminal that leaves out what it does not know."""
    return narrow(character) if character < "\ue000" else 0


@pytest.mark.parametrize("width", [narrow, wide, absent])
@pytest.mark.parametrize("text", TEXTS)
def test_what_follows_stands_in_its_column(text: str, width: Callable[[str], int]) -> None:
    size = cell_len(text)
    data = f"\x1b[3;5H\x1b[1m{text}\x1b[0m│done\x1b[4;5H{'x' * size}│done"
    cells = drawn(positioned(data), width)
    for row in (3, 4):
        end = "".join(cells.get((row, 5 + size + at), " ") for at in range(5))
        assert end == "│done"


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_is_added_but_places_and_blanks(text: str) -> None:
    data = positioned(f"\x1b[3;5H{text}")
    shown = re.sub("\x1b\\[[0-9;]*[HGm]", "", re.sub(" *\x1b\\[\\d+G(?=[^\x1b])", "", data))
    assert shown.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["plain", "库存 한글 かな", "│─┌ ✓ ● ★ é ё", "\x1b]52;c;aGk=\x07"])
def test_what_all_agree_on_is_left_as_it_is(text: str) -> None:
    data = f"\x1b[3;5H{text}\x1b[4;1H"
    assert positioned(data) == data


@pytest.mark.skipif(sys.platform == "win32" or not shutil.which("tmux"), reason="there is no tmux")
def test_in_a_real_terminal(tmp_path: Path) -> None:
    texts = [TEXTS[0], TEXTS[-1], "\U0001fae9" * 5, "unassigned \U0001f8ff"]
    rows = [f"\x1b[{row};1H{text}│" for row, text in enumerate(texts, 1)]
    (tmp_path / "screen").write_text(positioned("".join(rows)) + f"\x1b[{len(texts) + 2};1Hready")
    tmux = ["tmux", "-u", "-f", "/dev/null", "-S", str(tmp_path / "s")]
    command = f"cat {tmp_path}/screen; exec cat"
    subprocess.run([*tmux, "new-session", "-d", "-x", "80", "-y", "24", command], check=True)
    try:
        deadline = time.monotonic() + 30
        shown = ""
        while "ready" not in shown and time.monotonic() < deadline:
            shown = subprocess.run(
                [*tmux, "capture-pane", "-p"], check=True, capture_output=True, text=True
            ).stdout
        assert "ready" in shown
        for row, text in enumerate(texts):
            column = cell_len(text)
            line = shown.split("\n")[row]
            assert line.rstrip().endswith("│"), line
            subprocess.run([*tmux, "set", "-g", "@row", line.rstrip()[:-1]], check=True)
            asked = [*tmux, "display-message", "-p", "#{w:@row}"]
            width = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
            assert int(width) == column, line
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)
