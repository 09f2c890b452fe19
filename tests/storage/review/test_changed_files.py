"""The bounded look for files that were written after a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions_tui.storage.review.changed_files import ChangedFiles, Limits, changed_files

SINCE = 1_796_000_000_000


def leave(path: Path, after: int = 500) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    at = (SINCE + after) * 1_000_000
    os.utime(path, ns=(at, at))
    return path


def names(found: ChangedFiles, top: Path) -> list[str]:
    return [Path(file.path).relative_to(top).as_posix() for file in found.files]


def test_what_was_written_later_the_first_first(tmp_path: Path) -> None:
    leave(tmp_path / "src" / "late.py", 900)
    leave(tmp_path / "soon.py", 1)
    leave(tmp_path / "at-once.py", 0)
    leave(tmp_path / "before.py", -1)
    found = changed_files(str(tmp_path), SINCE)
    assert names(found, tmp_path) == ["soon.py", "src/late.py"]
    assert [file.modified_at - SINCE for file in found.files] == [1, 900]
    assert found.missing == ""


@pytest.mark.parametrize(
    "path",
    [
        ".git/index",
        "web/node_modules/a/b.js",
        ".venv/pyvenv.cfg",
        "env/pyvenv.cfg",
        "env/bin/python",
        "__pycache__/a.pyc",
        ".codebuddy/projects/p/s.jsonl",
        "memory/transcripts/transcript-s.jsonl",
        "memory/traces/trace-s.jsonl",
        "own/index.db",
        "own/other",
        "skipped/file",
    ],
)
def test_what_is_passed_by(tmp_path: Path, path: str) -> None:
    leave(tmp_path / "env" / "pyvenv.cfg")
    leave(tmp_path / "own" / "index.db")
    leave(tmp_path / path)
    found = changed_files(str(tmp_path), SINCE, (str(tmp_path / "skipped"),))
    assert found == ChangedFiles()


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = leave(tmp_path / "outside" / "a.py")
    work = tmp_path / "work"
    leave(work / "own.py")
    (work / "folder").symlink_to(outside.parent)
    (work / "file").symlink_to(outside)
    (work / "circle").symlink_to(work)
    assert names(changed_files(str(work), SINCE), work) == ["own.py"]


def ticks(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step


@pytest.mark.parametrize(
    ("limits", "step", "told", "why"),
    [
        (Limits(entries=3), 0.0, {"0.py", "1.py", "2.py"}, "cut short after 3 entries"),
        (Limits(depth=1), 0.0, {"0.py", "1.py", "2.py", "a/3.py"}, "more than 1 levels deep"),
        (Limits(seconds=1.5), 1.0, {"0.py", "1.py", "2.py"}, "took too long"),
        (Limits(files=2), 0.0, {"0.py", "1.py"}, "3 more files changed later"),
    ],
)
def test_it_says_where_it_was_cut_short(
    tmp_path: Path, limits: Limits, step: float, told: set[str], why: str
) -> None:
    for place, path in enumerate(("0.py", "1.py", "2.py", "a/3.py", "a/b/4.py")):
        leave(tmp_path / path, place + 1)
    clock = ticks(step)
    found = changed_files(str(tmp_path), SINCE, limits=limits, clock=lambda: next(clock))
    if limits.entries != 3:
        assert set(names(found, tmp_path)) == told
    assert len(found.files) <= len(told)
    assert why in found.missing


@pytest.mark.parametrize("where", ["", "relative", "/", "/not/there", "C:\\work", "a\0b"])
def test_where_there_is_nothing_to_look_at(where: str) -> None:
    found = changed_files(where, SINCE)
    assert found.files == ()
    assert found.missing


def test_a_home_directory_is_not_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(tmp_path / "a.py")
    monkeypatch.setenv("HOME", str(tmp_path))
    found = changed_files(str(tmp_path), SINCE)
    assert found == ChangedFiles((), "The working directory is too large to be looked through.")
