"""Text as it is compared: case folded, letters composed."""

from __future__ import annotations

import re
from typing import Literal
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.search.spelling import spelling_of
from sessions_tui.storage.text.folding import fold, marks_of, unfolded

Form = Literal["NFC", "NFD"]

WORDS = [
    "Résumé-Größe",
    "한국어",
    "がくせい",
    "ПРИЁМ й",
    "Việt Nam ậ",
    "Ελλάδα ΐ",
    "ǰ ẖ İ",
    "क़लम",
    "שׁלום",
    "ﬁx Straße",
]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("text", WORDS)
def test_both_forms_fold_to_one(text: str, form: Form) -> None:
    assert fold(normalize(form, text)) == fold(text)
    assert fold(normalize(form, text.upper())) == fold(text.upper())


def test_what_is_composed_in_part_folds_to_the_same() -> None:
    assert fold("\u1ea5") == fold("\xe2\u0301") == fold("a\u0302\u0301")
    assert fold("\ud55c") == fold("\ud558\u11ab") == fold("\u1112\u1161\u11ab")


def test_other_letters_are_left_as_they_are() -> None:
    assert fold("resume") != fold("résumé")
    assert fold("か") != fold("が")
    assert fold("\uf9d0e\u0301") == "\uf9d0é"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a résumé b", "résumé"),
        ("xx 한국어.txt", "국"),
        ("ßé ß é", "é"),
        ("がくせい", "くせ"),
        ("ﬁx é", "x"),
    ],
)
def test_where_a_match_lies_in_the_text(text: str, words: str, form: Form) -> None:
    text = normalize(form, text)
    found = [match.span() for match in re.finditer(re.escape(fold(words)), fold(text))]
    assert found
    for start, end in unfolded(text, found):
        assert fold(text[start:end]) == fold(words)


LETTERS = st.text(
    st.sampled_from("aéỆậñöкйЁかがパ한국어ก修ßﬁǰ \u0301\u0323"), min_size=1, max_size=12
)
FORMS: st.SearchStrategy[Form] = st.sampled_from(["NFC", "NFD"])


@given(LETTERS, st.integers(0, 12), st.integers(1, 12), st.lists(FORMS, min_size=1, max_size=4))
def test_no_way_to_write_a_text_is_left_out(
    text: str, start: int, length: int, forms: list[Form]
) -> None:
    pieces = re.findall(r"\S+\s*|\s+", text)
    written = "".join(normalize(forms[at % len(forms)], piece) for at, piece in enumerate(pieces))
    words = fold(written)[start : start + length].strip()
    spelling = spelling_of(words)
    if not spelling.stretch:
        return
    block = f'"text":"{written}"'.encode()
    assert any(seek(0) >= 0 for seek in spelling.seeks(block)), (written, words, spelling)


@pytest.mark.parametrize("text", ["résumé", "한국어", "がくせい", "приём"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_escapes_are_found(text: str, form: Form) -> None:
    written = normalize(form, text).encode("ascii", "backslashreplace").decode()
    written = re.sub(r"\\x(..)", r"\\u00\1", written)
    spelling = spelling_of(fold(text))
    assert any(seek(0) >= 0 for seek in spelling.seeks(f'"{written}"'.encode()))


def test_marks_are_few() -> None:
    assert marks_of("한") == {"\u11ab"}
    assert marks_of("が") == {"\u3099"}
    assert marks_of("修") == marks_of("a") == set()
    assert len(spelling_of("用户目标").plain) == 1
    assert spelling_of("用户目标").odd == ()
