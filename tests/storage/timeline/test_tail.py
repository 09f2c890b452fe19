"""What is new in a followed file: every complete record once, in order, nothing taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.timeline import tail as following
from sessions_tui.storage.timeline.tail import Tail
from sessions_tui.storage.transcript.transcript import Transcript

AT = 1_795_320_000_000


def product(number: int) -> bytes:
    content = [{"type": "input_text", "text": f"say {number}"}]
    record = {"timestamp": AT, "sessionId": "s", "type": "message", "role": "user"}
    return json.dumps({**record, "content": content}, ensure_ascii=False).encode() + b"\n"


def envelope(number: int) -> bytes:
    record = {"schema_version": 1, "type": "message", "role": "user", "session_id": "s"}
    return json.dumps({**record, "content": f"say {number}"}).encode() + b"\n"


def mycodeagent(number: int) -> bytes:
    payload = {"role": "user", "content": f"say {number}", "metadata": {}}
    record = {
        "event_id": f"evt-{number}",
        "timestamp": "2026-11-20T10:00:00Z",
        "session_id": "s",
        "run_id": "run-1",
        "step": 0,
        "event_type": "message",
        "payload": payload,
        "schema_version": 1,
    }
    return json.dumps(record).encode() + b"\n"


Record = Callable[[int], bytes]
DIALECTS: list[Record] = [product, envelope, mycodeagent]


class Writer:
    """An agent at work on one file, with somebody following it."""

    def __init__(self, path: Path, content: bytes = b"") -> None:
        self.path = path
        path.write_bytes(content)
        transcript = Transcript(path, "s")
        transcript.read()
        self.following = Tail(transcript, alive=True)

    def append(self, data: bytes) -> list[int]:
        with self.path.open("ab") as file:
            file.write(data)
        return self.seen()

    def cut(self, size: int) -> list[int]:
        os.truncate(self.path, size)
        return self.seen()

    def replace(self, content: bytes) -> list[int]:
        other = self.path.with_suffix(".new")
        other.write_bytes(content)
        other.replace(self.path)
        return self.seen()

    def seen(self) -> list[int]:
        """The numbers of the records that are told now."""
        return [int(told.event.text.split()[1]) for told in self.following.new()]


def some(record: Record, *numbers: int) -> bytes:
    return b"".join(map(record, numbers))


@pytest.mark.parametrize("record", DIALECTS)
def test_torn_and_late_writes(tmp_path: Path, record: Record) -> None:
    writer = Writer(tmp_path / "s.jsonl", some(record, 1, 2))
    assert writer.seen() == []
    third = record(3)
    assert writer.append(third[:20]) == []
    assert writer.append(third[20:-1]) == []
    assert writer.append(b"\n") == [3]
    assert writer.append(some(record, 4, 5) + record(6)[:10]) == [4, 5]
    assert writer.append(record(6)[10:] + record(7)) == [6, 7]
    assert writer.seen() == []


@pytest.mark.parametrize("record", DIALECTS)
def test_a_failed_append_is_taken_back(tmp_path: Path, record: Record) -> None:
    start = some(record, 1, 2)
    writer = Writer(tmp_path / "s.jsonl", start)
    assert writer.append(record(3)[:-5]) == []
    assert writer.cut(len(start)) == []
    assert writer.append(record(4)) == [4]


@pytest.mark.parametrize("record", DIALECTS)
def test_records_that_are_cut_off_are_not_told_again(tmp_path: Path, record: Record) -> None:
    writer = Writer(tmp_path / "s.jsonl", some(record, 1, 2))
    assert writer.append(some(record, 3, 4)) == [3, 4]
    assert writer.cut(len(some(record, 1, 2, 3))) == []
    assert writer.append(record(5)) == [5]
    assert writer.cut(len(record(1))) == []
    assert writer.append(record(6)) == [6]
    assert writer.following.notice == ""


@pytest.mark.parametrize("record", DIALECTS)
def test_a_file_that_is_replaced(tmp_path: Path, record: Record) -> None:
    writer = Writer(tmp_path / "s.jsonl", some(record, 1, 2, 3))
    assert writer.replace(some(record, 1, 2, 3)) == []
    assert writer.replace(some(record, 1, 2, 3, 4)) == [4]
    assert writer.replace(some(record, 2, 3, 4, 5)) == [5]
    assert writer.following.notice == ""
    assert writer.replace(some(record, 7, 8)) == [7, 8]
    assert "replaced" in writer.following.notice
    assert writer.replace(b"") == []
    assert writer.append(record(9)) == [9]


@pytest.mark.parametrize("record", DIALECTS)
def test_a_file_that_begins_empty_or_goes_away(tmp_path: Path, record: Record) -> None:
    writer = Writer(tmp_path / "s.jsonl")
    assert writer.seen() == []
    assert writer.append(record(1)) == [1]
    writer.path.unlink()
    with pytest.raises(FileNotFoundError):
        writer.seen()
    writer.path.write_bytes(some(record, 1, 2))
    assert writer.seen() == [2]
    assert writer.following.notice == ""


def test_the_last_records_are_told_first(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "s.jsonl", some(product, *range(20)))
    for count, expected in ((3, [17, 18, 19]), (0, []), (50, list(range(20)))):
        told = [int(told.event.text.split()[1]) for told in writer.following.last(count)]
        assert told == expected


def test_only_some_records_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "REMEMBERED", 3)
    writer = Writer(tmp_path / "s.jsonl", some(product, *range(10)))
    assert writer.append(some(product, 10, 11)) == [10, 11]
    assert writer.replace(some(product, 11, 12)) == [12]


def test_what_was_not_told_because_the_file_went_is_told_later(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "s.jsonl", product(1))
    with writer.path.open("ab") as file:
        file.write(some(product, 2, 3))
    new = writer.following.new()
    assert next(new).event.text == "say 2"
    new.close()  # type: ignore[attr-defined]
    assert writer.seen() == [3]


@given(sizes=st.lists(st.integers(1, 200), min_size=1, max_size=30))
def test_any_pieces_tell_the_same(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int]
) -> None:
    content = some(mycodeagent, *range(8))
    writer = Writer(tmp_path_factory.mktemp("s") / "s.jsonl")
    told: list[int] = []
    for size in [*sizes, len(content)]:
        piece, content = content[:size], content[size:]
        told += writer.append(piece)
    assert told == list(range(8))
