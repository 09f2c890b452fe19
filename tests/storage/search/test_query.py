"""What a query means, and what it matches."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.search.query import Query, as_typed, folded, parse_query

UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "THAI", "KHMER", "FULLWIDTH KA")
LETTERS = "abkKsSß1_é.用存ひカ한ก \n\u3000ſ-\0"


def moment(text: str) -> int | None:
    return 5_000 if text == "2h" else None


def is_spaced(character: str) -> bool:
    """A letter or digit of a script that puts spaces between words."""
    return character.isalnum() and not unicodedata.name(character).startswith(UNSPACED)


def stands_in(word: str, text: str, is_prefix: bool = False) -> bool:
    """As `Query` promises, one place after the other."""
    word, text = " ".join(word.split()), " ".join(text.split())
    for start in range(len(text) - len(word) + 1):
        end = start + len(word)
        if text[start:end] != word:
            continue
        opens = start and is_spaced(word[0]) and is_spaced(text[start - 1])
        closes = end < len(text) and is_spaced(word[-1]) and is_spaced(text[end])
        if not opens and (is_prefix or not closes):
            return True
    return False


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("lock", "a lock, taken", True),
        ("lock", "block", False),
        ("lock", "locked", False),
        ("lock", "lock2", False),
        ("lock*", "it is LOCKED", True),
        ("lock*", "blocked", False),
        ("LOCK", "Lock", True),
        ("reserve", "reserve_stock()", True),
        ("stock", "reserve_stock()", True),
        ("sqlite", "用SQLite存", True),
        ("用sqlite", "我用SQLite存", True),
        ("用sql", "我用SQLite存", False),
        ("用sql*", "我用SQLite存", True),
        ("超卖", "库存超卖了", True),
        ("超 卖", "库存超卖了", True),
        ('"超 卖"', "库存超卖了", False),
        ("かな", "ひらがなかな", True),
        ("세션", "세션을 찾다", True),
        ('"two words"', "two\n\t words", True),
        ('"two words"', "two other words", False),
        ('"two\u3000words"', "two words", True),
        ("two words", "words, two", True),
        ("two words", "two", False),
        ('"lock"', "locks", False),
        ('"a loc"*', "a lock", True),
        ("straße", "STRASSE", True),
        ("c++", "in C++ and", True),
        ("++", "c++", True),
        (".*", "anything", False),
        ("error:", "an error: no", True),
        ("http://x/y", "see HTTP://X/Y.", True),
        ('"status:done"', "status:done", True),
        ("foo:bar", "a foo:bar", True),
        ('say"hi', 'say"hi', True),
    ],
)
def test_a_word_is_matched(query: str, text: str, expected: bool) -> None:
    assert parse_query(query).matches(folded(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind:prompt", Query(kinds=frozenset({"prompt"}))),
        ("kind:ans,YOU", Query(kinds=frozenset({"answer", "prompt"}))),
        ("kind:thought", Query(kinds=frozenset({"reasoning"}))),
        ("since:2h", Query(since=5_000)),
        ("file:Stock.py", Query(files=("stock.py",))),
        ("tool:Bash has:need", Query(sessions="tool:bash has:need")),
        ('workspace:"my shop"', Query(sessions='workspace:"my shop"')),
        *((text, Query()) for text in ("", " ", "kind:", "file:", "model: ", '""', '"', "tool:,")),
    ],
)
def test_filters_are_told_from_words(text: str, expected: Query) -> None:
    found = parse_query(text, moment)
    assert found == expected
    assert bool(found) == (expected != Query())


def test_a_kind_that_means_nothing_is_a_fault() -> None:
    query = parse_query("needle kind:foo kind:you")
    (fault,) = query.faults
    assert fault.sentence == (
        'Invalid value "foo" for kind:. Use you, answer, summary, thought, call or output.'
    )
    assert not parse_query("kind:you").faults


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Lex", "Lex*"),
        ("two Wor", "two Wor*"),
        ("用SQL", "用SQL*"),
        ("foo:ba", "foo:ba*"),
        ('"out of sto', '"out of sto"*'),
        ('key:"val', 'key:"val"*'),
        *((text, text) for text in ("", "Lex ", "Lex*", '"Lex"', '"', '"Lex ', "kind:you", "*")),
        *((text, text) for text in ("file:st", "a Kind:yo", 'workspace:"my sh', "since:")),
    ],
)
def test_a_word_that_is_typed_is_a_beginning(typed: str, meant: str) -> None:
    assert as_typed(typed) == meant


@given(st.text())
def test_more_is_found_as_one_types(text: str) -> None:
    whole, typed = parse_query(text), parse_query(as_typed(text))
    assert len(typed.words) <= len(whole.words)
    if whole.words and whole.matches(folded(text)):
        assert typed.matches(folded(text))


def test_the_first_match_is_found() -> None:
    query = parse_query("later soon")
    assert query.first("not so soon, but later") == (7, 11)
    assert parse_query("").first("anything") == (0, 0)


@given(st.text())
def test_any_text_is_a_query(text: str) -> None:
    query = parse_query(text, moment)
    assert query.matches("") is not bool(query.words)
    for word in query.words:
        assert word.pattern.search(folded(word.text))


@given(st.text(LETTERS), st.text(LETTERS), st.booleans())
def test_a_word_stands_where_its_edges_allow(word: str, text: str, is_prefix: bool) -> None:
    query = parse_query(f'"{word}"' + "*" * is_prefix)
    wanted = folded(word).strip()
    if not wanted:
        assert not query
    else:
        assert query.matches(folded(text)) == stands_in(wanted, folded(text), is_prefix)


@given(st.text(LETTERS), st.text(LETTERS))
def test_what_is_needed_stands_in_all_that_matches(words: str, text: str) -> None:
    query = parse_query(words)
    if query.matches(folded(text)):
        assert all(needle in folded(text) for needle in query.needles)
