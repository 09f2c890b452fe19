"""Where a recording lies and where it goes on: under links, other limits, and passing trouble."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    NotKept,
    Options,
    RecordRefused,
    TornTail,
    chain_of,
    last_turn,
    resume,
)
from sessions_tui.storage.recording.lock import Lock

from .recordings import is_strict, records

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="has no such thing")
KINDS = pytest.mark.parametrize("kind", [EnvelopeRecorder, MyCodeAgentRecorder])


def said(path: Path) -> list[Any]:
    return [message["content"] for message in resume(path).history]


@contextmanager
def no_more_files() -> Iterator[None]:
    """Let this process open no file."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@POSIX
@KINDS
@pytest.mark.parametrize("before", [1, 3])
def test_trouble_at_the_end_of_a_file_passes(tmp_path: Path, kind: Any, before: int) -> None:
    path = tmp_path / "s.jsonl"
    with kind(path, limit=1) as recorder:
        for number in range(before):
            recorder.message("user", str(number))
        old = recorder.path
        for _ in range(2):
            with no_more_files(), pytest.raises(NotKept):
                recorder.message("user", "lost")
            assert recorder.path == old
        for number in range(before, 5):
            recorder.message("user", str(number))
        assert recorder.path.name == "s_5.jsonl"
    assert said(path) == list("01234")


@POSIX
@KINDS
def test_trouble_while_a_recorder_is_made(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "s.jsonl"
    with kind(path, limit=1) as recorder:
        recorder.message("user", "0")
        recorder.message("user", "1")
    for begin in (kind, kind.continuing, resume, last_turn, lambda path: list(chain_of(path))):
        with no_more_files(), pytest.raises(NotKept, match="Too many open files"):
            begin(path)


@POSIX
@KINDS
def test_a_link_leads_to_the_one_recording(tmp_path: Path, kind: Any) -> None:
    real, link = tmp_path / "real" / "s.jsonl", tmp_path / "link" / "named.jsonl"
    link.parent.mkdir()
    real.parent.mkdir()
    link.symlink_to(real)
    with kind(real, limit=2) as one, kind(link, limit=2, patience=0.01) as two:
        assert (two.path, two.session) == (real, "s")
        with Lock(real), pytest.raises(NotKept, match="locked by others"):
            two.message("user", "lost")
        for number in range(6):
            (one, two)[number % 2].message("user", str(number))
        assert one.memory() == two.memory()
    assert [path.name for path in link.parent.iterdir()] == ["named.jsonl"]
    files = [real, real.with_name("s_2.jsonl"), real.with_name("s_3.jsonl")]
    assert list(chain_of(files[-1])) == list(resume(link).files) == files
    assert all(map(is_strict, files))
    assert said(link) == said(real) == list("012345")
    with kind.continuing(link) as again:
        assert again.path == files[-1]


@KINDS
def test_a_file_that_is_continued_is_no_more_written_to(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "s.jsonl"
    with kind(path) as patient, kind(path, limit=2) as hasty:
        patient.message("user", "0")
        patient.message("user", "1")
        memory = patient.memory()
        hasty.message("user", "2")
        patient.message("user", "3")
        hasty.message("user", "4")
        patient.message("user", "5")
        assert memory.event_count == 2
        assert patient.memory().event_count == 6
    assert [len(records(file)) for file in chain_of(patient.path)] == [2, 2, 2]
    assert said(path) == list("012345")


def test_a_writer_goes_on_where_another_did_after_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with EnvelopeRecorder(path) as old:
        old.message("user", "0")
        with path.open("ab") as file:
            file.write(b'{"torn')
        with pytest.raises(TornTail):
            old.message("user", "lost")
        with EnvelopeRecorder.continuing(path) as new:
            new.message("user", "1")
        old.message("user", "2")
        assert old.path == new.path
    assert said(path) == list("012")


@pytest.mark.parametrize("name", ["s", "s.json", "s.jsonl.txt", ".jsonl", "transcript-.jsonl"])
def test_a_name_that_no_reader_would_find(tmp_path: Path, name: str) -> None:
    for begin in (MyCodeAgentRecorder, MyCodeAgentRecorder.continuing):
        with pytest.raises(RecordRefused, match="not the name"):
            begin(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("kind", "name"),
    [(EnvelopeRecorder, "transcript-s"), (EnvelopeRecorder, "s"), (MyCodeAgentRecorder, "s")],
)
def test_where_only_one_kind_of_file_is_found(tmp_path: Path, kind: Any, name: str) -> None:
    folder = tmp_path / "memory" / "transcripts"
    for begin in (kind, kind.continuing):
        with pytest.raises(RecordRefused, match="would not be found"):
            begin(folder / f"{name}.jsonl")
    assert not folder.exists()


@KINDS
@pytest.mark.parametrize("letter", ["x", "界"])
def test_a_name_leaves_room_for_what_stands_beside_it(
    tmp_path: Path, kind: Any, letter: str
) -> None:
    longest = letter * ((255 - len("._1000000.lock") - len(".jsonl")) // len(letter.encode()))
    for begin in (kind, kind.continuing):
        with pytest.raises(RecordRefused, match="too long"):
            begin(tmp_path / f"{longest}{letter}.jsonl")
    with kind(tmp_path / f"{longest}.jsonl", limit=1) as recorder:
        recorder.message("user", "0")
        recorder.message("user", "1")
    assert said(recorder.path) == ["0", "1"]


@KINDS
def test_going_on_waits_as_long_as_it_was_told_to(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "s.jsonl"
    with kind(path) as recorder:
        recorder.message("user", "0")
    with Lock(path), pytest.raises(NotKept, match=r"for 0\.01 s"):
        kind.continuing(path, patience=0.01)


@pytest.mark.parametrize("folder", ["a\0b", "a\ud83d", "x" * 300])
def test_a_place_that_cannot_be(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "s.jsonl"
    for begin in (
        EnvelopeRecorder.continuing,
        MyCodeAgentRecorder.continuing,
        resume,
        last_turn,
        lambda path: list(chain_of(path)),
        lambda path: EnvelopeRecorder(path).title("T"),
    ):
        with pytest.raises(NotKept):
            begin(path)


def test_a_torn_line_is_told_with_what_goes_on_after_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"torn')
    with EnvelopeRecorder(path) as recorder, pytest.raises(TornTail, match=r"continuing\(\)"):
        recorder.message("user", "x")
    path = tmp_path / "transcript-s.jsonl"
    path.write_bytes(b"\r{}\r{}")
    with MyCodeAgentRecorder(path) as other, pytest.raises(TornTail, match=r"continuing\(\)"):
        other.message("user", "x")


@pytest.mark.parametrize("option", [*Options.__annotations__, "on_record", "allow_nan"])
def test_help_tells_of_every_option(option: str) -> None:
    assert f"- `{option}`" in (EnvelopeRecorder.__doc__ or "")
