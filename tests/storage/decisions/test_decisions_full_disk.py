"""Decisions on a full disk: they are read all the same, and none is kept in part."""

from __future__ import annotations

import functools
import shutil
import sqlite3
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from sessions_tui.storage.decisions.decisions import DecisionsError
from sessions_tui.storage.decisions.history import FILE
from tests.full_disk import full_disk
from tests.storage.deciding import (
    EVIDENCE,
    KEY,
    OTHER_BYTES,
    PATH,
    kept,
    opened,
    present,
    proposed,
    refused,
)


def largest(directory: Path) -> int:
    """Bytes of the largest file."""
    return max(file.stat().st_size for file in directory.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    given = kept(tmp_path)
    with opened(tmp_path) as decisions:
        decisions.take_back(KEY, PATH, 2)
        decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 1)
        before = decisions.history()
        with full_disk(largest(tmp_path)):
            for _ in range(3):
                with pytest.raises(DecisionsError, match="cannot be "):
                    decisions.judge(OTHER_BYTES, PATH, "partial", "n" * 500_000, None, 9)
            assert decisions.judgement(KEY) == given
            assert decisions.judgement(OTHER_BYTES) is None
            assert not decisions.refresh()
        assert decisions.history() == before
        decisions.judge(OTHER_BYTES, PATH, "partial", "n" * 500_000, None, 9)
        assert len(decisions.history()) == len(before) + 1
        with opened(tmp_path) as again:
            assert present(again) == present(decisions)


NO_SHARED_MEMORY = 16_384
"""Bytes that do not do for what SQLite keeps beside a database with a log."""


@pytest.fixture(params=["all in one file", "much in the log"])
def unopened(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A directory with decisions, left as a closed or a killed program leaves it."""
    source, directory = tmp_path / "source", tmp_path / "data"
    directory.mkdir()
    names = [FILE]
    with opened(source) as decisions:
        decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 1)
        for n in range(200):
            decisions.propose(proposed(f"candidate {n}", n))
        if request.param == "much in the log":
            names.append(f"{FILE}-wal")
            for name in names:
                shutil.copy(source / name, directory)
    if len(names) == 1:
        shutil.copy(source / FILE, directory)
    return directory


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
def test_a_full_disk_hides_no_decision(unopened: Path) -> None:
    with ExitStack() as stack:
        with full_disk(NO_SHARED_MEMORY):
            both = [stack.enter_context(opened(unopened)) for _ in range(2)]
            for decisions in both:
                assert decisions.judgement(KEY, path=PATH)
                assert len(decisions.candidates()) == 200
                assert len(decisions.history()) == 201
                why = "cannot be written, because the disk is full"
                assert decisions.notice == f"{unopened / FILE} {why}; nothing can be decided."
                assert decisions.is_whole
                version = decisions.version
                assert not decisions.refresh()
                assert not decisions.refresh()
                assert decisions.version == version
                assert refused(decisions, unopened) == why
        one, two = both
        one.judge(OTHER_BYTES, PATH, "partial", None, None, 9)
        assert two.refresh()
        assert (one.notice, two.notice) == ("", "")
        assert present(one) == present(two)
        assert len(two.history()) == 202


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[sqlite3.Connection] = []

    class Noted(sqlite3.Connection):
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)  # type: ignore[arg-type]
            made.append(self)

    monkeypatch.setattr(sqlite3, "connect", functools.partial(sqlite3.connect, factory=Noted))
    given = kept(tmp_path)
    with opened(tmp_path) as decisions:
        before = decisions.history()
        made[-1].execute("pragma max_page_count = 1")  # as many as there are
        with pytest.raises(DecisionsError, match="cannot be written, because the disk is full"):
            decisions.judge(OTHER_BYTES, PATH, "partial", "n" * 500_000, None, 9)
        assert decisions.judgement(KEY) == given
        assert decisions.judgement(OTHER_BYTES) is None
        assert decisions.history() == before
        made[-1].execute("pragma max_page_count = 1000000")
        decisions.judge(OTHER_BYTES, PATH, "partial", "n" * 500_000, None, 9)
        assert len(decisions.history()) == len(before) + 1


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
@pytest.mark.parametrize("limit", [0, 4_096, NO_SHARED_MEMORY])
def test_the_first_decision_on_a_full_disk_leaves_nothing(tmp_path: Path, limit: int) -> None:
    with opened(tmp_path) as decisions:
        with full_disk(limit):
            assert refused(decisions, tmp_path) == "cannot be written, because the disk is full"
            assert not [file for file in tmp_path.iterdir() if file.name != FILE]
        decisions.judge(KEY, PATH, "verified", None, None, 1)
        assert (decisions.notice, len(decisions.history())) == ("", 1)
