"""Lines break between words, and anywhere inside Chinese; nothing is lost but blanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sessions_tui.widgets.base.passages import PAGE, SLACK, Passage, lines, pages
from sessions_tui.widgets.words.safe import one_line
from sessions_tui.widgets.words.wrapping import wrap


@pytest.mark.parametrize(
    ("line", "cells", "wrapped"),
    [
        ("", 10, [""]),
        ("short", 10, ["short"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("unbreakable", 4, ["unbr", "eaka", "ble"]),
        ("    indented code", 12, ["    indented", "code"]),
        ("修复库存超卖", 6, ["修复库", "存超卖"]),
        ("修复库存。超卖", 8, ["修复库", "存。超卖"]),
        ("用 UPDATE 语句", 8, ["用 ", "UPDATE ", "语句"]),
        (" 。。", 3, [" 。", "。"]),
        ("（括号）里", 3, ["（", "括", "号", "）", "里"]),
    ],
)
def test_wrap(line: str, cells: int, wrapped: list[str]) -> None:
    assert wrap(line, cells) == wrapped


@given(st.text(st.sampled_from("ab 中。（é"), max_size=200), st.integers(2, 40))
def test_lines_fit_and_hold_everything(line: str, cells: int) -> None:
    wrapped = wrap(line, cells)
    assert all(cell_len(part) <= cells for part in wrapped)
    assert "".join(wrapped).replace(" ", "") == line.replace(" ", "")


@given(st.text(max_size=300), st.integers(2, 40))
def test_any_line_fits(text: str, cells: int) -> None:
    assert all(cell_len(part) <= cells for part in wrap(one_line(text), cells))


def test_long_text_is_cut_into_pages_at_line_ends() -> None:
    text = "\n".join(f"line {number}" for number in range(100_000))
    found = pages([Passage("head", "heading"), Passage(text)])
    assert len(found) == pytest.approx(len(text) / PAGE, abs=2)
    assert found[0][0] == Passage("head", "heading")
    assert "\n".join(part.text for page in found for part in page) == f"head\n{text}"
    assert max(sum(len(part.text) for part in page) for page in found) <= PAGE + SLACK


def test_a_text_without_line_ends_is_cut_too() -> None:
    found = pages([Passage("x" * 1_000_000)])
    assert "".join(part.text for page in found for part in page) == "x" * 1_000_000
    assert all(lines(page, 80) for page in found)


def test_there_is_always_a_page() -> None:
    assert pages([]) == [[]]
    assert len(pages([Passage("x" * PAGE)])) == 1


def test_lines_keep_their_look() -> None:
    page = [Passage("a\n\tb", "added"), Passage("\x1b[31mc", "removed")]
    found = [(line.text, line.look) for line in lines(page, 10)]
    assert found == [("a", "added"), ("    b", "added"), ("c", "removed")]


def test_lines_stand_below_the_text_of_their_bullet() -> None:
    page = [Passage("one two three\nfour", bullet=" • ")]
    assert [line.text for line in lines(page, 10)] == [" • one two", "   three", "   four"]


def test_a_bullet_stays_with_every_page() -> None:
    found = pages([Passage("x" * 3 * PAGE, bullet="• ")])
    assert {passage.bullet for page in found for passage in page} == {"• "}
