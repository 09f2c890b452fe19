"""How words may be spelled: nothing that folds to them is left out, and little is looked for."""

from __future__ import annotations

import sys
from itertools import chain

import pytest

from sessions_tui.storage.search.spelling import CASED, ESCAPED, spelling_of


def test_all_letters_that_fold_are_looked_at() -> None:
    folding = {other for other in range(sys.maxunicode + 1) if chr(other).casefold() != chr(other)}
    assert folding <= set(chain(*CASED))


def test_no_escape_of_what_folds_to_ascii_is_overlooked() -> None:
    folding = {
        code
        for code in chain(*CASED)
        if code > 0x7F and any(letter.isascii() for letter in chr(code).casefold())
    }
    assert 0x212A in folding
    for code in {*range(0x20, 0x7F), *folding}:
        assert ESCAPED.search(f"\\u{code:04x}".encode())
        assert ESCAPED.search(f"\\u{code:04X}".encode())
    assert not ESCAPED.search(b"\\u001b \\u8d85 \\u2028")


@pytest.mark.parametrize(
    ("text", "stretch", "searches"),
    [
        ("the queue is", "queue", 1),
        ("用户目标", "用户目标", 1),
        ("用sqlite存", "sqlite", 4),
        ("src/app/stock.py", "stock.py", 6),
        ("needle", "needle", 2),
        ("привет", "пр", 4),
        ("// \\ : \n", "", 0),
    ],
)
def test_few_searches_are_made(text: str, stretch: str, searches: int) -> None:
    spelling = spelling_of(text)
    assert spelling.stretch == stretch
    assert len(spelling.plain) + len(spelling.odd) == searches


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("lock", "LOCK"),
        ("lock", "loc\u212a"),
        ("lock", "ﬂock"),
        ("lock", "l\\u006fck"),
        ("lock", "l\\u004fck"),
        ("lock", "l\\u006Fck"),
        ("status", "ſtatus"),
        ("mass", "maß"),
        ("σας", "ΣΑΣ"),
        ("超卖", "\\u8d85\\u5356"),
        ("超卖", "\\\\u8D85\\\\u5356"),
        ("超卖", "超\\u5356"),
        ("👧", "\\ud83d\\udc67"),
    ],
)
def test_a_spelling_is_found(text: str, written: str) -> None:
    block = f'xx "{written}" xx'.encode()
    spelling = spelling_of(text.casefold())
    assert any(seek(0) >= 0 for seek in spelling.seeks(block))
    assert all(seek(0) < 0 for seek in spelling.seeks(b'"\\u8d85" and \\u001b[0m'))
