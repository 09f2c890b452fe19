"""Nothing that comes out of `safe` can steer a terminal or break a column."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sessions_tui.widgets.words.safe import MARK, fit, one_line, safe, safe_text

FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)

NASTY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b[]0;mPX^_\\\x07\x9b\x9d\x9c\x90\u202e\u200d\ufe0f\n\r\t\u0301中👍🏽 "),
    )
)


@given(NASTY)
def test_no_control_survives(text: str) -> None:
    shown = safe_text(text)
    assert not FORBIDDEN.search(shown)
    assert safe_text(shown) == shown


@given(NASTY, st.integers(1, 60))
def test_one_line_is_one_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert not FORBIDDEN.search(line)
    assert "\n" not in line
    assert "\t" not in line
    assert len(line) <= limit + 1


@given(NASTY, st.integers(0, 60), st.sampled_from(["left", "right"]))
def test_a_column_is_exactly_as_wide_as_asked(text: str, cells: int, align: str) -> None:
    assert cell_len(fit(one_line(text), cells, align)) == cells


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPdevice\x1b\\after", "after"),
        ("before\x1b]52;c;never ends\nnext", "before\nnext"),
        ("cut \x1b[3", "cut "),
        ("\x9d0;t\x9cx", "x"),
        ("“mojibake â\x80\x9d stays", "“mojibake â" + MARK + " stays"),
        ("a\r\nb\rc\x0bd", "a\nb\nc\nd"),
        ("a\u202eb\u202cc", f"a{MARK}b{MARK}c"),
        ("tags\U000e0041\U000e0042", f"tags{MARK}"),
        ("\ud800", MARK),
        ("👨‍👩‍👧 ❤️ 👍🏽", "👨👩👧 ❤ 👍"),
        ("e\u0301\u0302\u0303\u0304", "e\u0301\u0302"),
        ("[b]not markup[/x]", "[b]not markup[/x]"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert safe_text(text) == shown


def test_content_is_never_markup() -> None:
    assert safe("[@click=app.quit]x[/] [/y]\ta").plain == "[@click=app.quit]x[/] [/y]  a"


def test_limits_are_said() -> None:
    assert safe_text("abcdef", 3) == "abc…"
    assert one_line("abc def", 5) == "abc d…"
    assert one_line("  a \n\n b\tc  ") == "a b c"


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("abc", 5, "abc  "),
        ("abcdef", 4, "abc…"),
        ("中文字", 4, "中… "),
        ("中文字", 5, "中文…"),
        ("x", 0, ""),
        ("中", 1, "…"),
    ],
)
def test_fit(text: str, cells: int, shown: str) -> None:
    assert fit(text, cells) == shown


class Giant(str):
    """A string that counts how much of it is looked at."""

    taken = 0

    def __getitem__(self, key: object) -> str:
        part = super().__getitem__(key)  # type: ignore[index]
        Giant.taken += len(part)
        return part


def test_a_giant_is_clipped_before_it_is_looked_at() -> None:
    Giant.taken = 0
    assert one_line(Giant("\x1b[0m" * 1_000_000 + "x"), 100).endswith("…")
    assert Giant.taken < 1_000
