"""Where words stand in a line: whatever their case, and where folding changes the length."""

from __future__ import annotations

import pytest

from sessions_tui.storage.search.query import parse_query
from sessions_tui.widgets.words.matches import literal, merged, spans, within


def marked(line: str, query: str) -> list[str]:
    """The pieces of a line that a query marks."""
    patterns = [word.pattern for word in parse_query(query).words]
    return [line[start:end] for start, end in spans(line, patterns)]


@pytest.mark.parametrize(
    ("line", "query", "pieces"),
    [
        ("lock the block, Lock it", "lock", ["lock", "Lock"]),
        ("会超卖，又会超卖", "超卖", ["超卖", "超卖"]),
        ("The straße, the STRASSE", "strasse", ["straße", "STRASSE"]),
        ("ﬁnd ﬁ, İx reserve", "reserve", ["reserve"]),
        ("ßßßa", "ssa", []),
        ("a reservation to reserve", "reser*", ["reser", "reser"]),
        ("two  words and two words", '"two words"', ["two  words", "two words"]),
        ("超卖卖", "超卖 卖卖", ["超卖卖"]),
        ("nothing", "", []),
    ],
)
def test_what_is_marked(line: str, query: str, pieces: list[str]) -> None:
    assert marked(line, query) == pieces


def test_a_part_of_a_folded_character_marks_it_whole() -> None:
    assert spans("a straße", literal("stras")) == [(2, 7)]


def test_literal_words_are_no_pattern() -> None:
    assert spans("a.b axb A.B", literal(" a.b ")) == [(0, 3), (8, 11)]
    assert literal("  ") == ()


def test_spans_are_merged_and_cut() -> None:
    assert merged([(5, 9), (0, 2), (2, 3), (4, 4), (6, 7)]) == [(0, 3), (5, 9)]
    assert within([(0, 3), (5, 9)], 2, 6) == [(0, 1), (3, 4)]
    assert within([(0, 3)], 3, 6) == []
