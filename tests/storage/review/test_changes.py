"""The changes of an edit against a text: in turn, folded into one another, and within bounds."""

from __future__ import annotations

import pytest

from sessions_tui.storage.model.edits import Change, Edit
from sessions_tui.storage.review.changes import (
    WORK,
    Part,
    TooLarge,
    could_follow,
    could_precede,
    has_new,
    has_old,
    made_of,
    terms_of,
)


def edit(*changes: tuple[str | None, str], everywhere: bool = False) -> Edit:
    return Edit("/a.py", tuple(Change(old, new, everywhere) for old, new in changes))


@pytest.mark.parametrize(
    ("old", "new", "text", "expected"),
    [
        ("a", "b", "xax", (True, False)),
        ("a", "b", "xbx", (False, True)),
        ("a", "b", "ab", (True, True)),
        ("a", "b", "xx", (False, False)),
        # An insertion: the old text inside the new one is no sign of the old one.
        ("a", "a1", "xa1x", (False, True)),
        ("a", "a1", "xax", (True, False)),
        ("a", "a1", "a1 a", (True, True)),
        # A shortening, the other way round.
        ("a1", "a", "xax", (False, True)),
        ("a1", "a", "xa1x", (True, False)),
        ("a1", "a", "a1 a", (True, True)),
        # A deletion is there when its text is gone.
        ("a", "", "xax", (True, False)),
        ("a", "", "xx", (False, True)),
    ],
)
def test_which_text_is_there(old: str, new: str, text: str, expected: tuple[bool, bool]) -> None:
    part = Part(old.encode(), new.encode(), False)
    data = text.encode()
    assert (has_old(data, part), has_new(data, part)) == expected


@pytest.mark.parametrize(
    ("changes", "everywhere", "expected"),
    [
        ([("a", "b"), ("c", "d")], False, [(b"a", b"b", 1), (b"c", b"d", 1)]),
        # The second changes what the first made.
        ([("a", "foo bar"), ("bar", "baz")], False, [(b"a", b"foo baz", 2)]),
        ([("a", "foo bar"), ("bar", "baz"), ("o b", "o-b")], False, [(b"a", b"foo-baz", 3)]),
        # Replaced everywhere, it may have been in the file before, too.
        ([("a", "b b"), ("b", "c")], True, [(b"a", b"c c", 2), (b"b", b"c", 0)]),
        # What comes to nothing cannot be looked for.
        ([("a", "b"), ("b", "a")], False, []),
        ([("a", "a")], False, []),
    ],
)
def test_later_changes_are_folded_into_earlier_ones(
    changes: list[tuple[str | None, str]],
    everywhere: bool,
    expected: list[tuple[bytes, bytes, int]],
) -> None:
    parts = terms_of(edit(*changes, everywhere=everywhere), b"").parts
    assert [(part.old, part.new, part.changes) for part in parts] == expected


def test_line_ends_count_where_they_are_all_that_changes() -> None:
    text, parts, _ = terms_of(edit(("a\r\nb", "a\nb")), b"a\r\nb\r\n")
    assert text == b"a\r\nb\r\n"
    assert has_old(text, parts[0])
    text, parts, _ = terms_of(edit(("a\nb", "c\r\nd")), b"a\r\nb\r\n")
    assert (parts[0].old, parts[0].new, text) == (b"a\nb", b"c\nd", b"a\nb\n")


@pytest.mark.parametrize(
    ("changes", "text", "expected"),
    [
        ([("a", "b")], "xaxa", "xbxa"),
        ([("a", "b"), ("b", "c")], "xa", "xc"),
        ([("a", "b"), ("a", "c")], "xa", None),
        ([("a", "b")], "x", None),
        ([("a\r\nb", "c")], "a\nb", "c"),
        ([("", "b")], "x", None),
        ([], "x", "x"),
    ],
)
def test_what_the_changes_make(
    changes: list[tuple[str | None, str]], text: str, expected: str | None
) -> None:
    made = made_of(text.encode(), terms_of(edit(*changes), b"").plain)
    assert made == (None if expected is None else expected.encode())


def test_a_change_that_takes_in_an_earlier_one() -> None:
    """`aBc` was never in the file: the first change made its middle."""
    parts = terms_of(edit(("b", "B"), ("aBc", "x")), b"").parts
    assert could_follow(b"abc", parts)
    assert not could_precede(b"abc", parts)
    assert could_precede(b"x", parts)
    assert not could_follow(b"x", parts)


@pytest.mark.parametrize(
    "changes",
    [
        [("a", "aa")] * 60,
        [("a", "a" * 20_000)] * 4,
        [("a", "b")] * 3_000,
    ],
)
def test_hostile_changes_are_refused(changes: list[tuple[str | None, str]]) -> None:
    hostile = edit(*changes, everywhere=True)
    with pytest.raises(TooLarge):
        follow(hostile, b"a" * (WORK // 2_000))


def follow(hostile: Edit, text: bytes) -> bool:
    terms = terms_of(hostile, text)
    return could_follow(terms.text, terms.parts)


def test_text_that_no_file_can_hold() -> None:
    with pytest.raises(UnicodeEncodeError):
        terms_of(edit(("a", "\ud83d")), b"a")
