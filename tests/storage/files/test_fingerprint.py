"""Reading goes on only where what was read still stands."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sessions_tui.storage.files.fingerprint import Fingerprint
from sessions_tui.storage.files.lines import opened

FIRST = b"".join(b'{"number":%d}\n' % n for n in range(500))


def stand(path: Path) -> Fingerprint:
    """A fingerprint at the end of the file."""
    with opened(path) as fd:
        data = path.read_bytes()
        fingerprint = Fingerprint().advanced(fd, data, len(data)).pressed(fd)
        return fingerprint.stood(os.fstat(fd))


def holds(fingerprint: Fingerprint, path: Path) -> bool:
    with opened(path) as fd:
        return fingerprint.holds(fd, os.fstat(fd))


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"{}\n")


def copy_over(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes() + b"{}\n")
    other.replace(path)


def replace_with_other(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(FIRST.replace(b"250", b"251") + b"{}\n")
    other.replace(path)


def cut(path: Path) -> None:
    os.truncate(path, len(FIRST) - 10)


def rewrite_middle(path: Path) -> None:
    times = path.stat()
    path.write_bytes(FIRST.replace(b"250", b"251"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def cut_and_grow(path: Path) -> None:
    path.write_bytes(FIRST[:3000] + b'{"other":1}\n' * 1000)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (append, True),
        (copy_over, True),
        (os.utime, True),
        (replace_with_other, False),
        (cut, False),
        (rewrite_middle, False),
        (cut_and_grow, False),
    ],
)
def test_what_a_file_may_go_through(
    tmp_path: Path, change: Callable[[Path], None], expected: bool
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(FIRST)
    fingerprint = stand(path)
    assert fingerprint.unchanged(path.stat())
    change(path)
    assert not fingerprint.unchanged(path.stat())
    assert holds(fingerprint, path) is expected
