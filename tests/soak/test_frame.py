"""The screen of a soak shows what a terminal would."""

from __future__ import annotations

import pytest

from tests.soak.frame import Frame

CASES = [
    ("one\r\n two", ["one", " two", ""]),
    ("\x1b[2;3Hhere", ["", "  here", ""]),
    ("\x1b[1;31mred\x1b[0m \x1b]2;title\x07text", ["red text", "", ""]),
    ("修复\x1b[1;5Hx", ["修复x", "", ""]),
    ("  \x1b[1G⚠\x1b[2G1", ["⚠1", "", ""]),
    ("old\x1b[2J\x1b[Hnew", ["new", "", ""]),
    ("old words\x1b[1;4H\x1b[K", ["old", "", ""]),
    ("\x1b[?1049h\x1b[?2026$p\x1b7\x1b(Bplain", ["plain", "", ""]),
    ("longer than it is wide", ["longer tha", "", ""]),
]


@pytest.mark.parametrize(("printed", "lines"), CASES)
def test_frame_shows_what_was_printed(printed: str, lines: list[str]) -> None:
    whole, bytewise = Frame(3, 10), Frame(3, 10)
    whole.feed(printed.encode())
    for byte in printed.encode():
        bytewise.feed(bytes([byte]))
    assert whole.lines() == lines
    assert bytewise.lines() == lines
