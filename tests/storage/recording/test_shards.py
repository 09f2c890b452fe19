"""A recording of several files: named, linked and found again."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    CannotContinue,
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    NotKept,
    RecordRefused,
    chain_of,
    resume,
)
from sessions_tui.storage.recording.shards import LIMIT, newest_of

from .recordings import bytes_read, is_strict, records


def names(paths: Any) -> list[str]:
    return [path.name for path in paths]


@pytest.mark.parametrize(
    ("kind", "name"), [(EnvelopeRecorder, "s_2.x"), (MyCodeAgentRecorder, "transcript-s")]
)
def test_a_full_file_is_followed_by_the_next(tmp_path: Path, kind: Any, name: str) -> None:
    path = tmp_path / f"{name}.jsonl"
    with kind(path, limit=3) as recorder:
        for number in range(8):
            recorder.message("user", str(number))
    files = list(chain_of(recorder.path))
    assert names(files) == [f"{name}.jsonl", f"{name}_2.jsonl", f"{name}_3.jsonl"]
    assert [len(records(file)) for file in files] == [3, 3, 2]
    assert all(is_strict(file) for file in files)
    session = name.removeprefix("transcript-")
    said = [[record.get("continues") for record in records(file)] for file in files]
    assert said == [[None] * 3, [session, None, None], [f"{session}_2", None]]
    assert [message["content"] for message in resume(path).history] == list("01234567")


def test_the_limit_is_ten_thousand(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, sync=False) as recorder:
        for _ in range(LIMIT + 1):
            recorder.title("")
    assert LIMIT == 10_000
    assert [len(records(file)) for file in chain_of(recorder.path)] == [LIMIT, 1]


def test_any_file_of_a_recording_leads_to_its_last(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, limit=1) as recorder:
        for _ in range(4):
            recorder.title("T")
    for file in chain_of(recorder.path):
        assert newest_of(file) == recorder.path
        with EnvelopeRecorder(file, limit=2) as again:
            assert again.path == recorder.path
    assert again.title("U").event_id == "transcript:s_4:2"


def test_a_session_of_that_name_is_left_alone(tmp_path: Path) -> None:
    path, other = tmp_path / "s.jsonl", tmp_path / "s_2.jsonl"
    with EnvelopeRecorder(other) as recorder:
        recorder.message("user", "somebody else")
    before = other.read_bytes()
    with EnvelopeRecorder(path, limit=1) as recorder:
        for _ in range(3):
            recorder.title("T")
    assert names(chain_of(recorder.path)) == ["s.jsonl", "s_3.jsonl", "s_4.jsonl"]
    assert names(chain_of(other)) == ["s_2.jsonl"]
    assert other.read_bytes() == before
    assert newest_of(path) == recorder.path
    assert newest_of(other) == other


def test_a_new_session_can_say_what_it_continues(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "old.jsonl") as old:
        old.message("user", "one")
    with EnvelopeRecorder(tmp_path / "new.jsonl", continues="old", limit=2) as new:
        for number in ("two", "three", "four"):
            new.message("user", number)
        assert new.memory().event_count == 4
    assert names(chain_of(new.path)) == ["old.jsonl", "new.jsonl", "new_2.jsonl"]
    said = [message["content"] for message in resume(new.path).history]
    assert said == ["one", "two", "three", "four"]
    with EnvelopeRecorder(old.path, continues="new") as wrong, pytest.raises(CannotContinue):
        wrong.title("T")


@pytest.mark.parametrize("said", ["../s", "/s", "a\\b", "", "\0", 5, None, ["s"], {"s": 1}])
def test_a_chain_never_leads_out_of_its_directory(tmp_path: Path, said: Any) -> None:
    import json

    path = tmp_path / "in" / "s_2.jsonl"
    path.parent.mkdir()
    (tmp_path / "s.jsonl").write_text("{}\n")
    path.write_text(json.dumps({"type": "ai-title", "title": "T", "continues": said}) + "\n")
    assert list(chain_of(path)) == [path]


def test_a_chain_that_bites_its_tail_ends(tmp_path: Path) -> None:
    for name, before in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.jsonl").write_text(f'{{"continues": "{before}"}}\n')
    assert names(chain_of(tmp_path / "a.jsonl")) == ["c.jsonl", "b.jsonl", "a.jsonl"]


def test_only_first_records_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"type": "ai-title", "title": "T"}\n' + b"\xff\n" * 9)
    (tmp_path / "b.jsonl").write_bytes(b'{"continues": "a"}\n{"continues": "c"}\n{broken\n')
    assert names(chain_of(tmp_path / "b.jsonl")) == ["a.jsonl", "b.jsonl"]
    assert list(chain_of(tmp_path / "gone.jsonl")) == []


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "new.jsonl", continues="old") as new:
        new.title("T")
    state = resume(new.path)
    assert (state.missing, names(state.files)) == ("old.jsonl", ["new.jsonl"])


def lose_one(path: Path, limit: int) -> None:
    with EnvelopeRecorder(path, limit=limit) as recorder:
        for number in range(3 * limit):
            recorder.message("user", str(number))
    path.with_name("s_2.jsonl").unlink()


def test_the_name_of_a_lost_file_is_not_given_to_another(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    lose_one(path, 1)
    with EnvelopeRecorder(path, limit=1) as recorder:
        recorder.message("user", "new")
    assert names(chain_of(recorder.path)) == ["s.jsonl", "s_4.jsonl"]
    assert newest_of(path) == recorder.path
    said = [message["content"] for message in resume(path).history]
    assert said == ["0", "new"]
    assert resume(path).missing == "s_2.jsonl"
    later = resume(tmp_path / "s_3.jsonl")
    assert ([m["content"] for m in later.history], later.missing) == (["2"], "s_2.jsonl")


def test_after_a_torn_tail_neither(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    lose_one(path, 1)
    with path.open("ab") as file:
        file.write(b'{"torn')
    assert resume(path).missing == "s_2.jsonl"
    with EnvelopeRecorder.continuing(path) as recorder:
        recorder.message("user", "new")
    assert recorder.path.name == "s_4.jsonl"


@pytest.mark.parametrize(
    ("kind", "name"), [(EnvelopeRecorder, "s"), (MyCodeAgentRecorder, "transcript-s")]
)
def test_nothing_continues_itself(tmp_path: Path, kind: Any, name: str) -> None:
    with pytest.raises(RecordRefused):
        kind(tmp_path / f"{name}.jsonl", continues="s")


@pytest.mark.skipif(sys.platform != "linux", reason="counts what is read")
def test_a_file_beyond_the_limit_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, sync=False, limit=None) as recorder:
        for _ in range(1_000):
            recorder.message("user", "x" * 10_000)
    with EnvelopeRecorder(path, limit=100) as again:
        before = bytes_read()
        again.message("user", "next")
        assert bytes_read() - before < 2_000_000 < path.stat().st_size
    assert again.path.name == "s_2.jsonl"
    assert resume(path).total_events == 1_001


def test_nothing_is_written_to_a_file_while_another_writer_begins_the_next(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path, limit=None, patience=0) as patient:
        patient.message("user", "one")
        told: list[str] = []

        def clock() -> datetime:
            with pytest.raises(NotKept, match="is locked by others"):
                patient.message("user", "meanwhile")
            told.append("meanwhile")
            return datetime.now(UTC)

        with EnvelopeRecorder(path, limit=1, clock=clock) as other:
            other.message("user", "two")
        assert told
        assert patient.message("user", "three").place.session == "s_2"
    assert [len(records(file)) for file in chain_of(tmp_path / "s_2.jsonl")] == [1, 2]


def test_an_empty_file_of_the_next_name_is_no_next_file(tmp_path: Path) -> None:
    path, empty = tmp_path / "s.jsonl", tmp_path / "s_2.jsonl"
    with EnvelopeRecorder(path, limit=3) as recorder:
        recorder.message("user", "one")
        empty.touch()
        recorder.message("user", "two")
        stranger = tmp_path / "stranger.jsonl"
        with EnvelopeRecorder(stranger) as other:
            other.message("user", "of another session")
        stranger.replace(empty)
        recorder.message("user", "three")
        recorder.message("user", "four")
    assert [len(records(tmp_path / f"{name}.jsonl")) for name in ("s", "s_2", "s_3")] == [3, 1, 1]
