"""Decisions in trouble: reading goes on, nothing is lost, and who decides is told why not."""

from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sessions_tui.storage.decision_history import FILE
from sessions_tui.storage.decisions import Decisions, DecisionsError, Judgement

from .deciding import EVIDENCE, KEY, OTHER_BYTES, PATH, database, opened, present, proposed


def kept(directory: Path) -> Judgement:
    """A directory with decisions, the first of which is given back."""
    with opened(directory) as decisions:
        for n in range(200):
            decisions.propose(proposed(f"candidate {n}", n))
        return decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 1)


def refused(decisions: Decisions, directory: Path) -> str:
    """Why a decision cannot be made; every kind of decision is tried."""
    told = set()
    for decide in (
        lambda: decisions.judge(OTHER_BYTES, PATH, "partial", None, None, 9),
        lambda: decisions.propose(proposed("a new one")),
        lambda: decisions.set_title("s-1", PATH, "title", 9),
        lambda: decisions.set_pinned("s-1", PATH, True, 9),
        lambda: decisions.set_hidden("s-1", PATH, True, 9),
    ):
        with pytest.raises(DecisionsError) as info:
            decide()
        told.add(str(info.value))
    assert decisions.judgement(OTHER_BYTES) is None
    assert decisions.personal("s-1", PATH).title is None
    (said,) = told
    start, end = f"The decision was not kept: {directory / FILE} ", "."
    assert said.startswith(start)
    assert said.endswith(end)
    assert "\n" not in said
    return said.removeprefix(start).removesuffix(end)


def not_a_database(path: Path) -> None:
    path.write_bytes(b"somebody's only copy of something " * 500)


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))


def damaged_in_part(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 4096 * 3)


def newer(path: Path) -> None:
    with database(path.parent) as db:
        db.execute(
            "insert into _sqlite_migrations (migration_set, name, applied_at) values (?, ?, ?)",
            ("decisions", "what_comes_later", "2030-01-01"),
        )


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (not_a_database, "is not a database"),
        (damaged, "is damaged"),
        (damaged_in_part, "is damaged"),
        (cut, "is damaged"),
        (newer, "was written by a newer version of this program"),
    ],
)
def test_a_file_of_no_use_is_left_as_it_is(
    tmp_path: Path, spoil: Callable[[Path], None], reason: str
) -> None:
    kept(tmp_path)
    spoil(tmp_path / FILE)
    before = (tmp_path / FILE).read_bytes()
    with opened(tmp_path) as decisions:
        assert decisions.notice == f"{tmp_path / FILE} {reason}; decisions stand as far as known."
        assert decisions.judgement(KEY) is None
        assert decisions.candidates() == []
        assert decisions.history() == []
        assert not decisions.refresh()
        assert refused(decisions, tmp_path) == reason
    assert (tmp_path / FILE).read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} <= {FILE, f"{FILE}-wal", f"{FILE}-shm"}


def test_a_newer_version_that_comes_while_the_program_runs(tmp_path: Path) -> None:
    given = kept(tmp_path)
    with opened(tmp_path) as decisions:
        newer(tmp_path / FILE)
        reason = "was written by a newer version of this program"
        assert refused(decisions, tmp_path) == reason
        assert not decisions.refresh()
        assert decisions.notice == f"{tmp_path / FILE} {reason}; decisions stand as far as known."
        assert decisions.judgement(KEY) == given


def test_a_file_that_is_mended_is_read_again(tmp_path: Path) -> None:
    given = kept(tmp_path)
    good = (tmp_path / FILE).read_bytes()
    not_a_database(tmp_path / FILE)
    with opened(tmp_path) as decisions:
        assert decisions.notice
        (tmp_path / FILE).write_bytes(good)
        assert decisions.refresh()
        assert decisions.notice == ""
        assert decisions.judgement(KEY) == given


def test_a_directory_that_is_a_file(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    directory.write_text("in the way")
    with opened(directory) as decisions:
        assert decisions.notice.startswith(f"{directory / FILE} cannot be used: Not a directory")
        assert decisions.candidates() == []
        assert refused(decisions, directory).startswith("cannot be used: ")
    assert directory.read_text() == "in the way"


def test_a_directory_in_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with opened(tmp_path) as decisions:
        assert decisions.notice.startswith(f"{tmp_path / FILE} cannot be ")
        assert refused(decisions, tmp_path).startswith("cannot be ")
    assert list((tmp_path / FILE).iterdir()) == []


def lock(directory: Path) -> None:
    """Let nothing be made in a directory."""
    directory.chmod(0o500)
    if os.access(directory, os.W_OK):
        pytest.skip("this user may write everywhere")


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A directory with decisions in which nothing may be made or written."""
    directory = tmp_path / "data"
    kept(directory)
    (directory / FILE).chmod(0o400)
    lock(directory)
    yield directory
    directory.chmod(0o700)


def test_a_read_only_directory(read_only: Path) -> None:
    names = set(read_only.iterdir())
    with opened(read_only) as decisions:
        assert decisions.judgement(KEY)
        assert len(decisions.candidates()) == 200
        assert len(decisions.history()) == 201
        assert decisions.notice.startswith(f"{read_only / FILE} cannot be ")
        assert decisions.notice.endswith("; nothing can be decided.")
        assert not decisions.refresh()
        assert refused(decisions, read_only).startswith("cannot be ")
        assert set(read_only.iterdir()) == names
        read_only.chmod(0o700)
        (read_only / FILE).chmod(0o600)
        assert decisions.judge(OTHER_BYTES, PATH, "partial", None, None, 9)
        assert decisions.notice == ""
        assert len(decisions.history()) == 202


def test_a_place_where_nothing_can_be_made(tmp_path: Path) -> None:
    lock(tmp_path)
    with opened(tmp_path / "data") as decisions:
        assert decisions.notice == ""
        assert "ermission denied" in refused(decisions, tmp_path / "data")
    tmp_path.chmod(0o700)


@contextmanager
def full_disk(directory: Path) -> Iterator[None]:
    """Let no file of this process grow beyond what the decisions have now."""
    import resource

    limit = max(file.stat().st_size for file in directory.iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for files")
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    given = kept(tmp_path)
    with opened(tmp_path) as decisions:
        decisions.take_back(KEY, PATH, 2)
        decisions.judge(KEY, PATH, "verified", "seen", EVIDENCE, 1)
        before = decisions.history()
        with full_disk(tmp_path):
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


def test_a_file_that_is_locked_for_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_tui.storage.database.BUSY_MS", 20)
    given = kept(tmp_path)
    with opened(tmp_path) as decisions:
        with database(tmp_path) as other:
            other.execute("begin immediate")
            assert refused(decisions, tmp_path) == "is locked by another program"
            assert decisions.judgement(KEY) == given
            assert not decisions.refresh()
            with opened(tmp_path) as late:
                assert late.judgement(KEY) == given
            other.execute("rollback")
        assert decisions.judge(OTHER_BYTES, PATH, "partial", None, None, 9)
        assert decisions.notice == ""


def test_a_file_that_no_other_program_may_even_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_tui.storage.database.BUSY_MS", 20)
    given = kept(tmp_path)
    with database(tmp_path) as other:
        other.execute("pragma locking_mode = exclusive")
        other.execute("begin immediate")
        with opened(tmp_path) as decisions:
            assert decisions.notice.startswith(f"{tmp_path / FILE} is locked by another program;")
            assert refused(decisions, tmp_path) == "is locked by another program"
            other.execute("rollback")
            other.close()
            decisions.refresh()
            decisions.judge(OTHER_BYTES, PATH, "partial", None, None, 9)
            assert decisions.judgement(KEY) == given


@pytest.mark.skipif(sys.platform == "win32", reason="deletes no file that is open")
class TestDeletedWhileInUse:
    """SQLite itself would go on writing to a file that is nowhere any more."""

    def test_nothing_is_decided_into_the_void(self, tmp_path: Path) -> None:
        directory = tmp_path / "data"
        given = kept(directory)
        with opened(directory) as decisions:
            shutil.rmtree(directory)
            assert refused(decisions, directory) == "cannot be used: it was deleted while in use"
            assert not decisions.refresh()
            assert "was deleted" in decisions.notice
            assert decisions.judgement(KEY) == given
            assert len(decisions.history()) == 201
            assert not directory.exists()

    def test_a_file_that_comes_back_goes_on(self, tmp_path: Path) -> None:
        kept(tmp_path)
        with opened(tmp_path) as decisions:
            away = tmp_path / "away"
            away.mkdir()
            files = [file for file in tmp_path.iterdir() if file.is_file()]
            for file in files:
                file.rename(away / file.name)
            assert refused(decisions, tmp_path) == "cannot be used: it was deleted while in use"
            for file in files:
                (away / file.name).rename(file)
            decisions.judge(OTHER_BYTES, PATH, "partial", None, None, 9)
            assert len(decisions.history()) == 202
            decisions.refresh()
            assert decisions.notice == ""

    def test_another_file_in_its_place_counts(self, tmp_path: Path) -> None:
        directory = tmp_path / "data"
        kept(directory)
        with opened(tmp_path / "other") as other:
            given = other.judge(KEY, PATH, "dismissed", "another store", None, 5)
        with opened(directory) as decisions, opened(directory) as deciding:
            version = decisions.version
            shutil.rmtree(directory)
            shutil.copytree(tmp_path / "other", directory)
            assert decisions.refresh()
            assert decisions.judgement(KEY) == given
            assert decisions.candidates() == []
            assert decisions.version > version
            assert deciding.judge(KEY, PATH, "dismissed", None, None, 6) == given
            deciding.set_pinned("s-1", PATH, True, 7)
            assert decisions.refresh()
            assert present(decisions) == present(deciding)
            assert len(decisions.history()) == 2
