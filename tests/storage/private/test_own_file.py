"""Files of our own are ordinary ones, for their owner alone, whatever has their names."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sessions_tui.storage.decisions.history import FILE as DECISIONS
from sessions_tui.storage.index.index import FILE as INDEX
from sessions_tui.storage.index.index import Index
from sessions_tui.storage.private import own_file
from sessions_tui.storage.private.bookmarks import FILE as DESK
from sessions_tui.storage.private.bookmarks import Bookmark, Bookmarks
from tests.storage.deciding import PATH, opened, refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no modes and no pipes")

OTHERS = stat.S_IRWXG | stat.S_IRWXO


@pytest.fixture(autouse=True, params=[0o000, 0o022], ids=["umask 000", "umask 022"])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def decide(directory: Path) -> str:
    with opened(directory) as decisions:
        decisions.set_pinned("s-1", PATH, True, 1)
        return decisions.notice


def index(directory: Path) -> str:
    with closing(Index(directory)) as kept:
        kept.remove(PATH)
        return kept.notice


def bookmark(directory: Path) -> str:
    with closing(Bookmarks(directory, 1)) as bookmarks:
        bookmarks.keep([(PATH, Bookmark(1, 1, 1))])
        return bookmarks.notice


USES = pytest.mark.parametrize(
    ("use", "name"), [(decide, DECISIONS), (index, INDEX), (bookmark, DESK)]
)
Use = Callable[[Path], str]


def is_private(path: Path) -> bool:
    return not path.stat().st_mode & OTHERS


@USES
def test_all_that_is_created_is_for_its_owner_alone(tmp_path: Path, use: Use, name: str) -> None:
    directory = tmp_path / "a" / "b" / "c"
    tmp_path.chmod(0o700)
    assert use(directory) == ""
    assert (directory / name).is_file()
    assert all(map(is_private, tmp_path.rglob("*")))


@USES
def test_a_database_that_was_open_to_others_is_closed_to_them(
    tmp_path: Path, use: Use, name: str
) -> None:
    use(tmp_path)
    with closing(sqlite3.connect(tmp_path / name)) as held:
        held.execute("select * from sqlite_master").fetchall()
        for file in tmp_path.iterdir():
            file.chmod(0o666)
        aside = tmp_path / f"{Path(name).stem}.before-x.db"
        aside.touch(0o666)
        mine = tmp_path / "mine.txt"
        mine.touch()
        mine.chmod(0o666)
        assert use(tmp_path) == ""
        assert all(is_private(file) for file in tmp_path.iterdir() if file != mine)
        assert not is_private(mine)


@USES
def test_a_mode_that_cannot_be_changed_is_reported(
    tmp_path: Path, use: Use, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(tmp_path)
    (tmp_path / name).chmod(0o666)
    monkeypatch.setattr(own_file, "_close_to_others", lambda file: None)
    told = f"{tmp_path / name} is open to other users (mode 0666), and this cannot be changed"
    assert told in use(tmp_path)


@USES
def test_a_link_to_a_file_that_does_not_exist(tmp_path: Path, use: Use, name: str) -> None:
    directory, target = tmp_path / "data", tmp_path / "target"
    directory.mkdir()
    (directory / name).symlink_to(target)
    if use is decide:
        with opened(directory) as decisions:
            assert "it is a link to a file that does not exist" in decisions.notice
            assert not decisions.is_whole
            told = refused(decisions, directory)
    else:
        told = use(directory)
    assert "it is a link to a file that does not exist" in told
    assert not os.path.lexists(target)
    assert (directory / name).is_symlink()


@USES
def test_a_link_to_a_database_is_followed(tmp_path: Path, use: Use, name: str) -> None:
    directory = tmp_path / "data"
    use(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / name).chmod(0o644)
    directory.mkdir()
    (directory / name).symlink_to(tmp_path / "elsewhere" / name)
    assert use(directory) == ""
    assert (directory / name).is_symlink()
    assert is_private(tmp_path / "elsewhere" / name)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nothing")


@USES
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("place", [pipe, device, dangling, Path.mkdir])
def test_what_is_not_an_ordinary_file_is_refused(
    tmp_path: Path, use: Use, name: str, suffix: str, place: Callable[[Path], None]
) -> None:
    use(tmp_path)
    for file in tmp_path.iterdir():
        if file.name.endswith(("-wal", "-shm")) or not suffix:
            file.unlink()
    place(tmp_path / f"{name}{suffix}")
    names = sorted(tmp_path.iterdir())
    if use is decide:
        with opened(tmp_path) as decisions:
            assert not decisions.is_whole
            assert refused(decisions, tmp_path).startswith("cannot be used: ")
    else:
        assert use(tmp_path)
    assert sorted(tmp_path.iterdir()) == names


ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) select n from r"


@pytest.mark.parametrize(("use", "name"), [(index, INDEX), (bookmark, DESK)])
@pytest.mark.parametrize("table", ["files", "bookmarks", "_sqlite_migrations", "other"])
def test_a_database_that_computes_is_not_used(
    tmp_path: Path, use: Use, name: str, table: str
) -> None:
    use(tmp_path)
    with closing(sqlite3.connect(tmp_path / name)) as db:
        db.execute(f"drop table if exists {table}")
        db.execute(f"create view {table} as {ENDLESS}")
        db.commit()
    said = "a view in place of a table" if table[0] == "_" else "a view that this program did not"
    assert said in use(tmp_path)
