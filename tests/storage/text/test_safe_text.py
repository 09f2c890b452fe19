"""What is hidden in a text is shown, and no letter carries more marks than words have."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.text.safe_text import MARK, safe_text

CASES = Path(__file__).parents[2] / "cases" / "hostile"

WORDS = {
    "Thai": "ที่ น้ำ กุ้ง ปี่ เพื่อน สฺวํ ผู้ใหญ่ ก๊วยเตี๋ยว",
    "Lao": "ຄໍ່ ຊົ່ວໂມງ ຜູ້ໃຫຍ່",
    "Tibetan": "བསྒྲུབས རྒྱུ ཧཱུྃ ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ སྤྲོས ཀྵྨྲྱྂ",
    "Arabic": "مُحَمَّدٌ ٱللَّهِ شَيْءٍ ٱلرَّحْمَٰنِ",
    "Hebrew": "בְּרֵאשִׁ֖ית שָׁלוֹם יְרוּשָׁלִַ֔ם יִשָּׂשכָֽר",
    "Vietnamese": unicodedata.normalize("NFD", "Tiếng Việt nghiễng những ưỡn ẩn"),
    "Greek": unicodedata.normalize("NFD", "ᾧ ἄνθρωπος ᾗ τῷ ᾅδῃ"),
    "Hindi": "हिन्दी क्षत्रिय ज़िंदगी श्रृंखला ऑफ़िस त्र्यंबकं",
    "Bengali": "বাংলা ক্ষুদ্র চাঁদ",
    "Tamil": "தமிழ் கொண்டு",
    "Burmese": "မြန်မာ ကျွန်ုပ် မြွှေ့ အင်္ဂလိပ်",
    "Khmer": "ភាសាខ្មែរ ស្ត្រី ក្រុំ",
    "Korean": unicodedata.normalize("NFD", "한국어 값 닭"),
    "Russian": unicodedata.normalize("NFD", "й ё звони́т"),
    "Japanese": unicodedata.normalize("NFD", "ガギグ パピプ"),
}
MARKS = [
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) in ("Mn", "Me", "Mc")
]


def marks_in(text: str) -> int:
    return sum(unicodedata.category(character) in ("Mn", "Me", "Mc") for character in text)


@pytest.mark.parametrize("script", WORDS)
def test_real_words_stay_as_they_are(script: str) -> None:
    assert safe_text(WORDS[script]) == WORDS[script]


def test_words_that_join_letters_remain_readable() -> None:
    assert safe_text("می\u200cخواهم क्\u200dष") == "میخواهم क्ष"


@pytest.mark.parametrize("count", [50, 100_000])
def test_marks_of_every_script_are_limited(count: int) -> None:
    marks = MARKS if count == 50 else MARKS[::100]
    for mark in marks:
        shown = safe_text("x" + mark * count + "y")
        assert marks_in(shown) <= 6, f"U+{ord(mark):04X}"
        assert shown[0] + shown[-1] == "xy"


def test_korean_vowels_are_limited() -> None:
    assert safe_text("\u1100" + "\u1161" * 50) == "\u1100" + "\u1161" * 4
    assert safe_text("\u1112" + "\u11ab" * 50) == "\u1112" + "\u11ab" * 4


@given(st.text(st.sampled_from(["e", "ω", "ก", "ཀ", *MARKS[:: len(MARKS) // 40], "\u200d", " "])))
def test_limits_are_settled_at_once(text: str) -> None:
    shown = safe_text(text)
    assert safe_text(shown) == shown
    for part in shown.replace(MARK, " ").split():
        for run in "".join("m" if marks_in(c) else " " for c in part).split():
            assert len(run) <= 6


def test_each_script_of_the_case() -> None:
    record = json.loads((CASES / "stack.jsonl").read_text(encoding="utf-8"))
    words = record["content"][0]["text"].split()
    shown = safe_text(" ".join(words)).split()
    assert [marks_in(word) for word in words if marks_in(word)] == [50] * 5
    assert [marks_in(word) for word in shown if marks_in(word)] == [3, 6, 4, 4, 2]


HIDDEN = [
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) in ("Cc", "Cf", "Cs") and character not in "\t\n"
]
PICTURED = {
    *map(chr, range(0x600, 0x606)),
    *("\u06dd", "\u070f", "\u08e2", "\u0890", "\u0891", "\U000110bd", "\U000110cd"),
}
"""Format characters that are seen: signs of numbers, years and verses."""


def test_no_character_is_hidden() -> None:
    passed = {character for character in HIDDEN if character in safe_text(f"a{character}b")}
    assert passed <= PICTURED
    for filler in "\u115f\u1160\u3164\uffa0\u034f\u180b\ufe0f\U000e0100\U00016fe4":
        assert filler not in safe_text(f"a{filler}b")
