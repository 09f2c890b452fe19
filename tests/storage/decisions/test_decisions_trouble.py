"""Decisions in trouble: reading goes on, nothing is lost, and who decides is told why not."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sessions_tui.storage.decisions.history import FILE
from tests.storage.deciding import (
    FILES,
    KEY,
    OTHER_BYTES,
    PATH,
    database,
    kept,
    opened,
    present,
    refused,
)


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
        assert not decisions.is_whole
        assert refused(decisions, tmp_path) == reason
    assert (tmp_path / FILE).read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} <= FILES


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
        assert not decisions.is_whole
        (tmp_path / FILE).write_bytes(good)
        assert decisions.refresh()
        assert decisions.notice == ""
        assert decisions.is_whole
        assert decisions.judgement(KEY) == given


def test_a_directory_that_is_a_file(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    directory.write_text("in the way")
    with opened(directory) as decisions:
        assert decisions.notice.startswith(f"{directory / FILE} cannot be used: Not a directory")
        assert decisions.candidates() == []
        assert not decisions.is_whole
        assert refused(decisions, directory).startswith("cannot be used: ")
        assert directory.read_text() == "in the way"
        directory.unlink()
        assert not decisions.refresh()
        assert (decisions.notice, decisions.is_whole) == ("", True)


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
        assert decisions.is_whole
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


def test_a_file_that_is_locked_for_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_tui.storage.private.database.BUSY_MS", 20)
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
    monkeypatch.setattr("sessions_tui.storage.private.database.BUSY_MS", 20)
    given = kept(tmp_path)
    with database(tmp_path) as other:
        other.execute("pragma locking_mode = exclusive")
        other.execute("begin immediate")
        with opened(tmp_path) as decisions:
            assert decisions.notice.startswith(f"{tmp_path / FILE} is locked by another program;")
            assert not decisions.is_whole
            assert refused(decisions, tmp_path) == "is locked by another program"
            other.execute("rollback")
            other.close()
            decisions.refresh()
            assert decisions.is_whole
            decisions.judge(OTHER_BYTES, PATH, "partial", None, None, 9)
            assert decisions.judgement(KEY) == given


@pytest.mark.skipif(sys.platform == "win32", reason="deletes no file that is open")
class TestDeletedWhileInUse:
    """SQLite itself would go on writing to a file that is nowhere any more."""

    DELETED = "was deleted while in use: start sessions again to begin a new one"

    def test_nothing_is_decided_into_the_void(self, tmp_path: Path) -> None:
        directory = tmp_path / "data"
        given = kept(directory)
        with opened(directory) as decisions:
            shutil.rmtree(directory)
            assert refused(decisions, directory) == self.DELETED
            assert not decisions.refresh()
            told = f"{directory / FILE} {self.DELETED}; decisions stand as far as known."
            assert decisions.notice == told
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
            assert refused(decisions, tmp_path) == self.DELETED
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
