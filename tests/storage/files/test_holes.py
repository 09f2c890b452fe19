"""Sparse files: what they claim costs nothing, and their zero bytes count like any others."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.files import fingerprint as fingerprint
from sessions_tui.storage.files import lines as framing
from sessions_tui.storage.files.holes import crc_of_zeros
from sessions_tui.storage.files.lines import opened, tail_start, whole_lines
from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    RecordingError,
    TornTail,
    last_turn,
    resume,
)
from sessions_tui.storage.transcript import format as manner
from sessions_tui.storage.transcript import transcript
from sessions_tui.storage.transcript.overview import glance, overview_of
from sessions_tui.storage.transcript.transcript import Transcript

HUGE = 64 << 30
LINE = b'{"id":"%d","timestamp":1796000000000,"type":"message","role":"user","content":[{}]}\n'
HEAD = b"".join(LINE % number for number in range(3))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many bytes were read so far."""
    lengths: list[int] = []
    real = framing.pread

    def counted(fd: int, length: int, offset: int) -> bytes:
        data = real(fd, length, offset)
        lengths.append(len(data))
        return data

    for module in (framing, fingerprint, manner, transcript):
        monkeypatch.setattr(module, "pread", counted)
    return lambda: sum(lengths)


def sparse(path: Path, head: bytes, size: int, tail: bytes = b"") -> Path:
    with path.open("wb") as file:
        file.write(head)
        try:
            file.truncate(size)
        except OSError:
            pytest.skip("no file can be that large here")
        file.seek(0, os.SEEK_END)
        file.write(tail)
        file.flush()
        found = os.lseek(file.fileno(), 1 << 20, os.SEEK_DATA) if hasattr(os, "SEEK_DATA") else 0
        if found < size - 4096:
            pytest.skip("nobody tells where its holes are")
    return path


@pytest.mark.parametrize("tail", [b"\n" + LINE % 9, b"\n" + LINE % 9 + b'{"torn'])
def test_a_huge_line_is_passed_over(tmp_path: Path, read: Callable[[], int], tail: bytes) -> None:
    path = sparse(tmp_path / "s.jsonl", HEAD, HUGE, tail)
    found = Transcript(path, "s")
    found.read()
    assert (found.facts.records, found.facts.damaged, found.facts.too_long) == (4, 1, 1)
    found.read()
    with path.open("ab") as file:
        file.write(b"\n" + LINE % 10)
    found.read()
    assert found.generation == 0
    assert glance(path, "s").facts.last_prompt == glance(path, "s").facts.last_prompt
    assert read() < 16 * 1024 * 1024


def test_a_file_without_a_line_end_behind_its_hole(tmp_path: Path, read: Callable[[], int]) -> None:
    with (tmp_path / "s.jsonl").open("wb") as file:
        file.write(HEAD)
        file.truncate(HUGE)
    path = tmp_path / "s.jsonl"
    found = Transcript(path, "s")
    found.read()
    assert overview_of(found).events == 3
    assert found.integrity().state == "partial-tail"
    assert glance(path, "s").facts.records >= 3
    with opened(path) as fd:
        assert tail_start(fd, HUGE, 2, 1 << 20) == len(HEAD) - len(LINE % 2)
    assert read() < 16 * 1024 * 1024


@pytest.mark.parametrize("kind", [EnvelopeRecorder, MyCodeAgentRecorder])
def test_a_recorder_meets_a_huge_tail(
    tmp_path: Path,
    read: Callable[[], int],
    kind: type[EnvelopeRecorder] | type[MyCodeAgentRecorder],
) -> None:
    own = kind is MyCodeAgentRecorder
    path = tmp_path / ("transcript-s.jsonl" if own else "s.jsonl")
    with kind(path, sync=False) as recorder:
        recorder.message("user", "hi")
    os.truncate(path, HUGE)
    with kind(path, sync=False) as recorder, pytest.raises(TornTail, match="68,719 MB"):
        recorder.message("user", "more")
    with kind.continuing(path, sync=False) as recorder:
        recorder.message("user", "more")
        assert recorder.path != path
        assert recorder.memory().event_count == 2
    assert resume(path).total_events == 2
    assert last_turn(path).total_events >= 1
    assert path.stat().st_size == HUGE
    recorder.path.unlink()
    with path.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(RecordingError), kind(path, sync=False) as recorder:
        recorder.message("user", "more")
    assert read() < 32 * 1024 * 1024


@given(data=st.binary(max_size=30), count=st.integers(0, 5_000))
def test_zero_bytes_count(data: bytes, count: int) -> None:
    assert crc_of_zeros(zlib.crc32(data), count) == zlib.crc32(data + bytes(count))


@pytest.mark.parametrize("hole", [0, 1, 4096, 1_048_576, 3_000_000, 40_000_001])
@pytest.mark.parametrize("before", [b"", b"a\nb", b"x" * 5000 + b"\n"])
def test_holes_of_any_size_are_like_zero_bytes(tmp_path: Path, hole: int, before: bytes) -> None:
    """A copy without holes has the same lines and the same checksum."""
    holes, dense = tmp_path / "holes", tmp_path / "dense"
    after = b"c\nd\n" + b"y" * 1_200_000 + b"\n{}\n"
    with holes.open("wb") as file:
        file.write(before)
        file.seek(hole, os.SEEK_CUR)
        file.write(after)
    dense.write_bytes(before + bytes(hole) + after)
    size = dense.stat().st_size
    found = []
    for path in (holes, dense):
        with opened(path) as fd:
            spans = list(whole_lines(fd, 0, size, 64 * 1024))
            check = fingerprint.checksum(fd, 0, size)
            step = fingerprint.Fingerprint()
            for span in spans:
                step = step.advanced(fd, span.data, span.size)
        assert check == zlib.crc32(dense.read_bytes()) == step.checksum
        assert sum(span.size for span in spans) == step.offset == size
        lines = [
            line for span in spans for line in framing.split(span.data or b"", span.offset, False)
        ]
        assert [line.data for line in lines] == dense.read_bytes()[:-1].split(b"\n")
        found.append([line.offset for line in lines])
    assert found[0] == found[1]
