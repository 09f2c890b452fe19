"""The lines of a hit: the match is in them, whatever stands around it and however narrow."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from sessions_tui.storage.search.query import Query, parse_query
from sessions_tui.storage.search.quotation import snippet_of
from sessions_tui.widgets.search.hit_rows import FoundEvent, about, snippet_line
from sessions_tui.widgets.words.matches import Patterns
from tests.widgets.hits import NOW, found

FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def patterns(query: Query) -> Patterns:
    return [word.pattern for word in query.words]


def quoted(text: str, words: str) -> tuple[FoundEvent, Patterns]:
    """A hit as a search tells it."""
    query = parse_query(words)
    return found(snippet_of(text, query)), patterns(query)


def marks(text: str, words: str, cells: int) -> list[str]:
    line = snippet_line(*quoted(text, words), cells)
    assert cell_len(line.text) == cells
    assert not FORBIDDEN.search(line.text)
    return [line.text[start:end] for start, end in line.marks]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("reserve() oversells", "reserve", ["reserve"]),
        ("会超卖，帮我修好", "超卖", ["超卖"]),
        ("前" * 300 + "超卖" + "后" * 300, "超卖", ["超卖"]),
        ("reserve the stock and reserve it", "stock reserve", ["reserve", "stock", "reserve"]),
        ("two\n\n   words", '"two words"', ["two words"]),
        ("a [b]reserve[/b]", "reserve", ["reserve"]),
        ("say \x1b]0;owned reserve it\x07", "reserve", ["reserve"]),
        ("\x1b[31mreserve\x1b[0m", "reserve", ["reserve"]),
        ("\u202e超卖\u2066", "超卖", ["超卖"]),
        ("STRASSE and straße", "strasse", ["STRASSE", "straße"]),
    ],
)
@pytest.mark.parametrize("cells", [120, 38])
def test_the_match_is_shown(text: str, words: str, expected: list[str], cells: int) -> None:
    assert marks(text, words, cells) == expected


@pytest.mark.parametrize("cells", [0, 1, 2, 5, 11, 20, 77])
def test_any_width_will_do(hostile: str, cells: int) -> None:
    for text, words in ((hostile, "中文"), ("x" * 500 + " reserve", "reserve"), ("", "")):
        hit, sought = quoted(text, words)
        line = snippet_line(hit, sought, cells)
        assert cell_len(line.text) == max(0, cells)
        assert all(0 <= start < end <= len(line.text) for start, end in line.marks)
        told = dataclasses.replace(hit, title=hostile, workspace=hostile)
        second = about(told, NOW, cells)
        assert cell_len(second) == cells
        assert not FORBIDDEN.search(line.text + second)


def test_without_words_it_is_the_beginning() -> None:
    assert marks("  The beginning of it", "kind:you", 40) == []
    hit, sought = quoted("  The beginning of it", "kind:you")
    assert snippet_line(hit, sought, 40).text.startswith("The beginning of it")
    assert "(no text)" in snippet_line(quoted("", "kind:you")[0], (), 40).text


def test_the_title_gives_way_to_the_workspace() -> None:
    hit = dataclasses.replace(
        found(snippet_of("x", parse_query("x"))), title="A long title " * 9, workspace="/src/shop"
    )
    assert about(hit, NOW, 50).endswith("… · shop")
    assert "shop" not in about(hit, NOW, 30)
    assert (
        about(dataclasses.replace(hit, workspace="", title=""), NOW, 50)
        .strip()
        .endswith("untitled")
    )
    assert about(dataclasses.replace(hit, at=None), NOW, 60).startswith("no time · ")
    assert Path("/store/s.jsonl") == hit.path
