"""Finding words in a transcript: in what a person reads, however JSON writes it."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.storage.search.find import find, said
from sessions_tui.storage.search.prefilter import BLOCK
from sessions_tui.storage.transcript.transcript import Transcript


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


def call(args: dict[str, Any]) -> dict[str, Any]:
    """A call, whose arguments are JSON inside of JSON."""
    arguments = json.dumps(args)
    base = {"type": "function_call", "timestamp": 1, "providerData": {}}
    return {**base, "callId": "c", "name": "Bash", "arguments": arguments}


def escape(text: str, which: int) -> str:
    """A JSON string of which some characters are escaped: those whose bits are set."""
    written = []
    for number, character in enumerate(text):
        plain = json.dumps(character, ensure_ascii=False)[1:-1]
        data = character.encode("utf-16-be")
        units = [data[at : at + 2].hex() for at in range(0, len(data), 2)]
        units = [unit.upper() if number % 2 else unit for unit in units]
        is_escaped = which >> number & 1
        written.append("".join(f"\\u{unit}" for unit in units) if is_escaped else plain)
    return '"' + "".join(written) + '"'


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
    assert len(list(find(found, "needle"))) == -(-found.fingerprint.offset // BLOCK)


@pytest.mark.parametrize("words", ["needle", "超卖", "a"])
def test_what_came_since_it_was_read_is_not_searched(tmp_path: Path, words: str) -> None:
    found = transcript(tmp_path, [f"one {words}", "x" * BLOCK])
    line = json.dumps({"type": "message", "role": "user", "content": f"two {words}"}) + "\n"
    for text in (line, line[:-9]):  # a torn one, too
        with found.path.open("a") as file:
            file.write(text)
        assert indexes(found, words) == [0]
    searched = find(found, words)
    assert next(searched) == [0]
    with found.path.open("a") as file:
        file.write(line[-9:])
    found.read()
    assert [index for block in searched for index in block] == [2, 3]


def test_arguments_of_calls_are_searched(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(call({"command": "grep 超卖"})) + "\n")
    found = Transcript(path, "s")
    found.read()
    assert indexes(found, "GREP 超卖") == [0]
    assert indexes(found, "超卖") == [0]
    assert indexes(found, "bash") == [0]


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    found = transcript(tmp_path, TEXTS)
    found.path.unlink()
    with pytest.raises(FileNotFoundError):
        indexes(found, "quick")


def test_what_is_wrong_with_a_damaged_record_is_found(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"type": "message", "role": "user", "content": "one"}\n{"half\n')
    found = Transcript(path, "s")
    found.read()
    assert indexes(found, "not JSON") == [1]
    assert indexes(found, "half") == []


@pytest.mark.parametrize("words", ["//", '"', "\\", "\ufffd", ", "])
def test_what_json_writes_in_many_ways_is_found(tmp_path: Path, words: str) -> None:
    texts = [f"in {words} between", "nothing"]
    assert indexes(transcript(tmp_path, texts), words) == [0]


WORDS = st.text('abkKsSßſitlfhﬁﬆİéÉσΣς用存超卖👧12_-./"\\ \n{:', min_size=1, max_size=6)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(WORDS, st.integers(0, 255)), min_size=1, max_size=5),
    st.lists(st.dictionaries(WORDS, WORDS | st.integers(0, 99), max_size=2), max_size=2),
    st.data(),
)
def test_the_same_is_found_as_in_all_events(
    texts: list[tuple[str, int]], calls: list[dict[str, Any]], data: st.DataObject
) -> None:
    start = (
        '{"timestamp": 1, "type": "message", "role": "assistant", "providerData": {}, "content": '
    )
    lines = [start + escape(*text) + "}" for text in texts]
    lines += [
        json.dumps(call(args), ensure_ascii=number % 2 == 0) for number, args in enumerate(calls)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        found = Transcript(path, "s")
        found.read()
        events = list(found.events())
        whole = said(events[data.draw(st.integers(0, len(events) - 1))])
        first = data.draw(st.integers(0, max(0, len(whole) - 1)))
        words = whole[first : first + data.draw(st.integers(1, 6))].strip()
        expected = [number for number, event in enumerate(events) if words in said(event)]
        assert indexes(found, words) == (expected if words else [])


def test_an_escape_is_found_where_there_was_none_before(tmp_path: Path) -> None:
    found = transcript(tmp_path, ["x" * 1000] * 1000)
    assert list(filter(None, find(found, "word"))) == []
    assert found.caches.unescaped, "it was learned that nothing is escaped"
    lines = found.path.read_bytes()
    found.path.write_bytes(lines.replace(b"xxxxxxxxx", b"w\\u006frd", 1))
    found.read()
    assert list(filter(None, find(found, "word"))) == [[0]]
    with found.path.open("ab") as file:
        file.write(b'{"type":"message","role":"user","content":"\\u0077ord"}\n')
    found.read()
    assert list(filter(None, find(found, "word"))) == [[0], [1000]]
