"""What is counted of a transcript, and what was said in it, as the index gets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.folds import tally as module
from sessions_tui.storage.folds.tally import QUARTER, Entry
from sessions_tui.storage.index.texts import PIECE, Piece, packed, unpacked
from sessions_tui.storage.model.event import CODE, Usage
from sessions_tui.storage.text.folding import fold, well_formed
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
AT = 1_778_508_131_000


def product(path: Path, *records: dict[str, Any]) -> Transcript:
    base = {"timestamp": AT, "sessionId": path.stem, "cwd": "/src/shop"}
    lines = (json.dumps(base | record, ensure_ascii=False) for record in records)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    transcript = Transcript(path, path.stem)
    transcript.read()
    return transcript


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"type": "function_call", "callId": "c", "name": tool, "arguments": json.dumps(args)}


def said(text: str, role: str = "user") -> dict[str, Any]:
    block = {"type": "input_text" if role == "user" else "output_text", "text": text}
    return {"type": "message", "role": role, "status": "completed", "content": [block]}


def used(message: str, prompt: int, **more: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": prompt, "completion_tokens": 1}
    extra = {"messageId": message, "model": "hy3", "rawUsage": usage}
    return said("ok", "assistant") | {"providerData": extra} | more


def test_what_was_said_is_folded(tmp_path: Path) -> None:
    tally = product(tmp_path / "s.jsonl", said("Straße \0 修复"), said("", "assistant")).folds.tally
    assert tally.entries == [Entry(0, AT, CODE["prompt"], "strasse   修复".encode())]


@given(st.text(st.sampled_from("aÉ\u0301字각\u1100\u1161\u11a8\0\ud800 ﬃİか\u3099\u09c7\u09be")))
def test_long_texts_are_folded_in_pieces(text: str) -> None:
    whole = fold(well_formed(text)).replace("\0", " ").encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PIECE", 3)
        assert module._folded(text) == whole
        patch.setattr(module, "SEARCHED", 9)
        assert module._folded("x" * 20) == b"x" * 9


def test_a_response_counts_once(tmp_path: Path) -> None:
    tally = product(tmp_path / "s.jsonl", used("m1", 5), used("m1", 5), used("m2", 7)).folds.tally
    key = (AT // QUARTER, "hy3", "")
    assert (tally.usage, tally.responses) == ({key: Usage(12, 0, 2)}, {key: 2})


def test_copied_records_name_where_they_come_from(tmp_path: Path) -> None:
    tally = product(
        tmp_path / "fork.jsonl",
        used("m1", 5, sessionId="parent"),
        call("Bash", command="ls") | {"sessionId": "parent"},
        used("m2", 7),
    ).folds.tally
    assert {source for *_, source in tally.usage} == {"parent", ""}
    assert tally.calls == {(AT // QUARTER, "Bash", "parent"): 1}


def test_copies_end_where_the_session_has_a_record_of_its_own(tmp_path: Path) -> None:
    lines = [
        used("m1", 5, sessionId="parent"),
        call("Bash", command="ls"),
        call("Read", file_path="a.py") | {"sessionId": "parent"},
        used("m2", 7, sessionId="parent"),
    ]
    transcript = product(tmp_path / "fork.jsonl", *lines)
    assert {key[2]: used.input for key, used in transcript.folds.tally.usage.items()} == {
        "parent": 5,
        "": 7,
    }
    assert {source for *_, source in transcript.folds.tally.calls} == {""}
    ancestry = Transcript.from_json(transcript.path, "fork", transcript.as_json()).facts.ancestry
    sources = [ancestry.source_of(event) for event in transcript.events()]
    assert sources == ["parent", "", "", ""]


@pytest.mark.parametrize(
    ("args", "edited"),
    [
        ({"file_path": "a.py"}, "/src/shop/a.py"),
        ({"file_path": "/x/a.py"}, "/x/a.py"),
        ({"file_path": "C:\\x\\a.py"}, "C:\\x\\a.py"),
        ({"command": "rm"}, None),
    ],
)
def test_files_edited(tmp_path: Path, args: dict[str, Any], edited: str | None) -> None:
    tally = product(tmp_path / "s.jsonl", call("Edit", **args), call("Read", **args)).folds.tally
    assert tally.edits == ({edited: (1, AT)} if edited else {})


def test_request_and_start_are_one_call() -> None:
    path = CASES / "mycodeagent"
    for case in sorted(path.glob("*.jsonl"))[:20]:
        transcript = Transcript(case, case.stem.removeprefix("transcript-"))
        transcript.read()
        assert sum(transcript.folds.tally.calls.values()) == sum(
            transcript.positions.kinds[index] == CODE["call"]
            for index in range(len(transcript.positions))
        )


def test_nothing_is_counted_of_a_tail_or_once_it_is_not_wanted(tmp_path: Path) -> None:
    whole = product(tmp_path / "s.jsonl", said("one"), said("two"))
    tail = Transcript(whole.path, "s", whole.positions.offsets[1])
    tail.read()
    assert (len(tail.positions), tail.folds.tally.entries) == (1, [])
    stopped = Transcript(whole.path, "s")
    stopped.folds.tally.stop()
    stopped.positions.add(0, 0, 0)
    assert stopped.folds.tally.entries == []


entries = st.builds(
    Entry,
    st.integers(0, 2**32 - 1),
    st.integers(-(2**62), 2**62),
    st.integers(0, 255),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=50).map(
        str.encode
    ),
)


@given(st.lists(entries, max_size=40), st.lists(st.integers(1, 10), max_size=20))
def test_pieces_do_not_depend_on_when_they_are_stored(
    wanted: list[Entry], takes: list[int]
) -> None:
    large = [entry._replace(text=bytes(entry.text) + b"x" * 9_000) for entry in wanted]
    once = {piece.number: piece for piece in packed(large, None)}
    stored: dict[int, Piece] = {}
    rest = large
    for take in [*takes, len(large)]:
        last = stored[max(stored)] if stored else None
        kept = unpacked(row[0], *row[2:]) if (row := last and last.row()) else None
        stored.update({piece.number: piece for piece in packed(rest[:take], kept)})
        rest = rest[take:]
    assert stored == once
    assert all(len(piece.data) >= PIECE for piece in list(once.values())[:-1])
    texts = [text for piece in once.values() for text in bytes(piece.data).split(b"\0")[:-1]]
    assert texts == [entry.text for entry in large]
