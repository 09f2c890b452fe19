"""Lines of growing files: in any block size, from either end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.files import lines as framing
from sessions_tui.storage.files.lines import opened, split, tail_start, whole_lines

PIECES = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"{}", b"a", "字".encode(), b"\x00", b"\r", b"x" * 50]),
    max_size=60,
).map(b"".join)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("framing") / "file.jsonl"


@given(data=PIECES, block=st.integers(1, 70))
def test_any_block_size_gives_the_same_lines(scratch: Path, data: bytes, block: int) -> None:
    scratch.write_bytes(data)
    with opened(scratch) as fd:
        spans = list(whole_lines(fd, 0, len(data), block))
    whole = data[: data.rfind(b"\n") + 1]
    assert b"".join(span.data or b"" for span in spans) == whole
    assert [span.offset for span in spans] == [
        sum(span.size for span in spans[:i]) for i in range(len(spans))
    ]
    assert all(span.data and span.data.endswith(b"\n") for span in spans)


@given(data=PIECES)
def test_offsets_lead_back_to_their_lines(data: bytes) -> None:
    for lone_cr in (False, True):
        for line in split(data, 0, lone_cr):
            assert data[line.offset : line.offset + len(line.data)] == line.data
            assert b"\n" not in line.data


@pytest.mark.parametrize(
    ("data", "lone_cr", "expected"),
    [
        (b"a\nb\n", True, [(0, b"a"), (2, b"b")]),
        (b"a\r\nb\r\n", False, [(0, b"a"), (3, b"b")]),
        (b"a\r\nb\r\n", True, [(0, b"a"), (3, b"b")]),
        (b"a\rb\r", True, [(0, b"a"), (2, b"b")]),
        (b"a\rb\n", False, [(0, b"a\rb")]),
        ("a\u2028b\u0085c\n".encode(), True, [(0, "a\u2028b\u0085c".encode())]),
    ],
)
def test_line_ends(data: bytes, lone_cr: bool, expected: list[tuple[int, bytes]]) -> None:
    assert [tuple(line) for line in split(data, 0, lone_cr)] == expected


def test_a_line_too_long_is_passed_on_without_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(framing, "LONGEST", 100)
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"one\n" + b"x" * 1000 + b"\ntwo\nthree\n")
    with opened(path) as fd:
        spans = list(whole_lines(fd, 0, path.stat().st_size, block=64))
    assert [span.size for span in spans if span.data is None] == [1001]
    assert b"".join(span.data or b"" for span in spans) == b"one\ntwo\nthree\n"
    assert sum(span.size for span in spans) == path.stat().st_size


@given(data=PIECES, lines=st.integers(1, 20))
def test_the_tail_begins_at_a_line(scratch: Path, data: bytes, lines: int) -> None:
    scratch.write_bytes(data)
    with opened(scratch) as fd:
        start = tail_start(fd, len(data), lines, limit=1 << 20)
    assert start == 0 or data[start - 1 : start] == b"\n"
    tail = data[start:]
    count = tail.count(b"\n") + (not tail.endswith(b"\n"))
    assert count == lines or start == 0


def test_the_tail_of_a_large_file_costs_its_own_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        file.truncate(50_000_000)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + b'{"a":1}\n' * 1000)
    read: list[int] = []
    real = framing.pread

    def counted(fd: int, length: int, offset: int) -> bytes:
        read.append(length)
        return real(fd, length, offset)

    monkeypatch.setattr(framing, "pread", counted)
    with opened(path) as fd:
        tail_start(fd, path.stat().st_size, 1000, limit=1 << 20)
    assert sum(read) <= 128 * 1024


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(OSError, match="is not a file"), opened(tmp_path / "pipe.jsonl"):
        pass
