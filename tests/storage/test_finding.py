"""Finding words in a transcript: in what a person reads, however JSON writes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions_tui.storage.finding import find
from sessions_tui.storage.sifting import BLOCK
from sessions_tui.storage.transcript import Transcript


def transcript(tmp_path: Path, texts: list[str], ascii: bool = False) -> Transcript:
    """An envelope with one message a text."""
    path = tmp_path / "s.jsonl"
    lines = [
        json.dumps({"type": "message", "role": "assistant", "content": text}, ensure_ascii=ascii)
        for text in texts
    ]
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass"))
    found = Transcript(path, "s")
    found.read()
    return found


def indexes(found: Transcript, words: str) -> list[int]:
    return [index for block in find(found, words) for index in block]


TEXTS = [
    "The quick brown fox",
    "修好了：reserve() 不再超卖",
    'He said "yes"\nand C:\\temp\tleft',
    "STRASSE and Ünïcode",
    "emoji 👨‍👩‍👧 here",
    "message role assistant",
]


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("quick", [0]),
        ("QUICK BROWN", [0]),
        ("quick fox", []),
        ("超卖", [1]),
        ("不再超", [1]),
        ('"YES"', [2]),
        ("c:\\temp", [2]),
        ("ünïCODE", [3]),
        ("👨‍👩‍👧", [4]),
        ("role", [5]),
        ("content", []),
        (".*", []),
        ("  ", []),
        ("", []),
        ("e", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_words_are_found_in_what_one_reads(
    tmp_path: Path, ascii: bool, words: str, expected: list[int]
) -> None:
    assert indexes(transcript(tmp_path, TEXTS, ascii), words) == expected


@pytest.mark.parametrize("before", range(-40, 41, 8))
def test_words_are_found_across_the_edge_of_a_block(tmp_path: Path, before: int) -> None:
    head = len('{"type": "message", "role": "assistant", "content": "')
    texts = ["x" * (BLOCK - head - 10 + before) + "needle" + "y" * 100, "needle", "z"]
    assert indexes(transcript(tmp_path, texts), "needle") == [0, 1]


def test_a_record_with_many_matches_is_found_once(tmp_path: Path) -> None:
    texts = ["needle " * 400_000, "none", "needle"]
    assert indexes(transcript(tmp_path, texts), "needle") == [0, 2]


def test_a_search_comes_in_slices(tmp_path: Path) -> None:
    found = transcript(tmp_path, ["x" * 1000] * 3_000)
    assert len(list(find(found, "needle"))) == -(-found.foothold.offset // BLOCK)


def test_arguments_of_calls_are_searched(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    record = {
        "type": "function_call",
        "timestamp": 1,
        "callId": "c",
        "name": "Bash",
        "arguments": json.dumps({"command": "grep 超卖"}),
        "providerData": {},
    }
    path.write_text(json.dumps(record) + "\n")
    found = Transcript(path, "s")
    found.read()
    assert indexes(found, "GREP 超卖") == [0]
    assert indexes(found, "bash") == [0]


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    found = transcript(tmp_path, TEXTS)
    found.path.unlink()
    with pytest.raises(FileNotFoundError):
        indexes(found, "quick")
