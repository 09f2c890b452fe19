"""The lines around what a judgement rests on."""

from __future__ import annotations

from sessions_tui.storage.model.evidence import Excerpt
from sessions_tui.storage.review.excerpts import CHARACTERS, LINES, MOST, excerpts_of


def numbered(count: int) -> bytes:
    return b"".join(b"line %d\n" % n for n in range(1, count + 1))


def test_three_lines_on_either_side() -> None:
    (excerpt,) = excerpts_of(numbered(20), [(b"line 10\n", b"", "new")])
    lines = tuple(f"line {n}" for n in range(7, 14))
    assert excerpt == Excerpt(first=7, lines=lines, marked=(10, 10), holds="new")


def test_at_either_end_there_are_fewer() -> None:
    (first,) = excerpts_of(numbered(3), [(b"line 1", b"", "old")])
    assert (first.first, first.lines, first.marked) == (1, ("line 1", "line 2", "line 3"), (1, 1))
    (last,) = excerpts_of(b"a\nb\nc\nd\ne", [(b"d\ne", b"", "old")])
    assert (last.first, last.lines, last.marked) == (1, ("a", "b", "c", "d", "e"), (4, 5))


def test_line_ends_do_not_hide_a_place() -> None:
    data = numbered(9).replace(b"\n", b"\r\n")
    (excerpt,) = excerpts_of(data, [(b"line 5\nline 6", b"", "new")])
    assert excerpt.marked == (5, 6)
    assert excerpt.lines == tuple(f"line {n}" for n in range(2, 10))


def test_the_first_place_of_each_text_then_more() -> None:
    data = b"a\n" * 5 + b"b\n" * 5
    places = [(b"b", b"", "old"), (b"c", b"", "old"), (b"a", b"", "new")]
    found = excerpts_of(data, places)  # type: ignore[arg-type]
    assert [(excerpt.holds, excerpt.marked[0]) for excerpt in found] == [
        ("old", 6),
        ("new", 1),
        ("old", 7),
    ]
    assert len(found) == MOST


def test_a_text_inside_the_other_does_not_count() -> None:
    (excerpt,) = excerpts_of(b"ab\na\n", [(b"a", b"ab", "old")])
    assert excerpt.marked == (2, 2)


def test_where_nothing_is_found_the_beginning_is_shown() -> None:
    (excerpt,) = excerpts_of(numbered(100), [(b"absent", b"", "new")])
    assert (excerpt.first, len(excerpt.lines), excerpt.marked) == (1, LINES, (0, 0))
    assert excerpt.holds == ""
    assert excerpts_of(b"", []) == ()


def test_what_is_long_is_cut() -> None:
    (excerpt,) = excerpts_of(numbered(200), [(numbered(100), b"", "new")])
    assert (len(excerpt.lines), excerpt.marked) == (LINES, (1, 100))
    (excerpt,) = excerpts_of("长".encode() * 100_000 + b"\n\xff\n", [])
    assert excerpt.lines == ("长" * (CHARACTERS - 1) + "…", "\ufffd")
