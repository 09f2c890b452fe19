"""Decisions on a disk that changes or loses bytes: none is missing without a word."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessions_tui.storage.decisions import schema as decisions_schema
from sessions_tui.storage.decisions.count import count_path, read_count, write_count
from sessions_tui.storage.decisions.decisions import DecisionsError
from sessions_tui.storage.decisions.history import FILE, SCHEMA
from sessions_tui.storage.model.decision import Decision, RecordKey
from sessions_tui.storage.private.database import open_database
from tests.storage.deciding import EVIDENCE, KEY, PATH, database, kept, opened, present, proposed

SEED = 20_261_130
TRIES = 1_000


def key(number: int) -> RecordKey:
    return RecordKey("s-1", f"transcript:s-1:{number}", f"{number:064x}")


def store(directory: Path, verdicts: int) -> None:
    """A directory with verdicts of every kind, some of them taken back, and other decisions."""
    with opened(directory) as decisions:
        for n in range(verdicts):
            verdict = ("verified", "not-applied", "partial", "dismissed")[n % 4]
            note = f"note {n} 库存" if n % 3 else None
            decisions.judge(key(n), PATH, verdict, note, EVIDENCE, n)  # type: ignore[arg-type]
            if n % 7 == 0:
                decisions.take_back(key(n), PATH, n)
        decisions.propose(proposed())
        decisions.set_title("s-1", PATH, "a title", 5)


@pytest.fixture(scope="module", params=[3, 150], ids=["one page", "many pages"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory: Path = tmp_path_factory.mktemp("whole")
    store(directory, request.param)
    return directory


def held(directory: Path) -> tuple[list[Decision], str, bool]:
    with opened(directory) as decisions:
        return decisions.history(), decisions.notice, decisions.is_whole


def spoil(data: bytes, chance: random.Random) -> bytes:
    """Flip some bits, overwrite or lose a block, or cut the end off."""
    changed = bytearray(data)
    way = chance.randrange(6)
    if way < 3:
        for _ in range(1 if way == 0 else chance.randint(1, 20)):
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == 3:
        at, size = chance.randrange(len(data)), chance.choice((1, 512, 4096))
        changed[at : at + size] = bytes(len(changed[at : at + size]))
    elif way == 4:  # a page in place of another one
        one, other = (chance.randrange(len(data) // 4096) * 4096 for _ in range(2))
        changed[one : one + 4096] = changed[other : other + 4096]
    else:
        del changed[chance.choice((0, 1, 2, chance.randrange(len(data)))) :]
    return bytes(changed)


@pytest.mark.parametrize("counted", [True, False], ids=["counted", "alone"])
def test_no_decision_is_lost_without_a_word(whole: Path, tmp_path: Path, counted: bool) -> None:
    """Whatever happens to the bytes of the file, with and without the count beside it."""
    before, notice, is_whole = held(whole)
    assert (notice, is_whole) == ("", True)
    chance = random.Random(f"{SEED} {len(before)} {counted}")
    data, directory = (whole / FILE).read_bytes(), tmp_path / "data"
    directory.mkdir()
    for attempt in range(TRIES // 5):
        for file in directory.iterdir():
            file.unlink()
        if counted:
            shutil.copy(count_path(whole / FILE), directory)
        (directory / FILE).write_bytes(spoil(data, chance))
        after, notice, is_whole = held(directory)
        assert all(one in before for one in after), attempt
        assert after == before or not is_whole, attempt
        assert notice or is_whole, attempt
        assert "\n" not in notice


def test_no_decision_in_the_log_is_lost_without_a_word(tmp_path: Path) -> None:
    """A program that was killed leaves its decisions in the log, which may be damaged, too."""
    with opened(tmp_path / "whole") as decisions:
        for n in range(20):
            decisions.judge(key(n), PATH, "verified", None, EVIDENCE, n)
        files = {file.name: file.read_bytes() for file in (tmp_path / "whole").iterdir()}
        before = decisions.history()
    chance, log = random.Random(SEED), f"{FILE}-wal"
    del files[f"{FILE}-shm"]
    directory = tmp_path / "data"
    directory.mkdir()
    for attempt in range(TRIES // 5):
        for file in directory.iterdir():
            file.unlink()
        for name, data in files.items():
            (directory / name).write_bytes(spoil(data, chance) if name == log else data)
        after, notice, is_whole = held(directory)
        assert all(one in before for one in after), attempt
        assert is_whole == (after == before), attempt
        assert (notice == "") == is_whole, attempt


def test_a_decision_that_has_changed_does_not_count(tmp_path: Path) -> None:
    store(tmp_path, 20)
    with database(tmp_path) as db:
        db.execute("drop trigger no_update")
        at = db.execute("select id, value from decisions where subject = ?", (key(9).event_id,))
        id, value = at.fetchone()
        changed = value.replace("not-applied", "verified")
        assert changed != value
        db.execute("update decisions set value = ? where id = ?", (changed, id))
    with opened(tmp_path) as decisions:
        said = f"decision {id} has changed on the disk and does not count."
        assert decisions.notice == f"{tmp_path / FILE} is damaged: {said}"
        assert not decisions.is_whole
        assert decisions.judgement(key(9)) is None
        assert decisions.judgement(key(8))
        decisions.judge(key(9), PATH, "partial", None, None, 50)
        assert decisions.judgement(key(9))
        assert said in decisions.notice
    with opened(tmp_path) as decisions:
        assert decisions.judgement(key(9))
        assert said in decisions.notice


@pytest.mark.parametrize("which", ["min(id)", "max(id)", "7"])
def test_a_decision_that_is_gone_is_missed(tmp_path: Path, which: str) -> None:
    store(tmp_path, 20)
    with database(tmp_path) as db:
        count = db.execute("select count(*) from decisions").fetchone()[0]
        db.execute("drop trigger no_delete")
        db.execute("pragma foreign_keys = off")
        db.execute(f"delete from decisions where id = (select {which} from decisions)")
    with opened(tmp_path) as decisions:
        said = f"is damaged: it holds {count - 1} decisions where {count} were made"
        assert decisions.notice == f"{tmp_path / FILE} {said}."
        assert not decisions.is_whole
        with pytest.raises(DecisionsError, match=said):
            decisions.set_pinned("s-1", PATH, True, 50)


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize("alone", [True, False])
def test_a_file_that_is_cut_to_nothing_is_not_a_new_one(
    tmp_path: Path, size: int, alone: bool
) -> None:
    kept(tmp_path)
    with (tmp_path / FILE).open("r+b") as file:
        file.truncate(size)
    if alone:
        count_path(tmp_path / FILE).unlink()
    with opened(tmp_path) as decisions:
        said = "is empty: restore a copy of it, or delete it to begin a new one"
        assert decisions.notice == f"{tmp_path / FILE} {said}; decisions stand as far as known."
        assert not decisions.is_whole
        with pytest.raises(DecisionsError, match=said):
            decisions.set_pinned("s-1", PATH, True, 50)
        assert (tmp_path / FILE).stat().st_size == size
        (tmp_path / FILE).unlink()
        count_path(tmp_path / FILE).unlink(missing_ok=True)
        decisions.set_pinned("s-1", PATH, True, 51)
        assert (decisions.notice, decisions.is_whole) == ("", True)


def test_a_file_cut_to_nothing_while_in_use(tmp_path: Path) -> None:
    given = kept(tmp_path)
    with opened(tmp_path) as decisions:
        with (tmp_path / FILE).open("r+b") as file:
            file.truncate(0)
        decisions.refresh()
        assert f"{tmp_path / FILE} is empty: " in decisions.notice
        assert not decisions.is_whole
        assert decisions.judgement(KEY) == given


def test_a_file_without_tables_is_not_a_new_one(tmp_path: Path) -> None:
    with database(tmp_path) as db:
        db.execute("pragma journal_mode = wal")
    before = (tmp_path / FILE).read_bytes()
    assert before
    with opened(tmp_path) as decisions:
        assert "is empty: restore a copy of it" in decisions.notice
        with pytest.raises(DecisionsError, match="is empty: "):
            decisions.set_pinned("s-1", PATH, True, 50)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_file_that_is_gone_is_missed_and_may_be_begun_anew(tmp_path: Path) -> None:
    kept(tmp_path)
    (tmp_path / FILE).unlink()
    gone = f"{tmp_path / FILE} is gone, although 201 decisions were made: restore a copy."
    with opened(tmp_path) as decisions, opened(tmp_path) as other:
        assert (decisions.notice, decisions.is_whole) == (gone, False)
        decisions.set_pinned("s-1", PATH, True, 50)
        said = f"{tmp_path / FILE} was gone with 201 decisions, and was begun anew."
        assert (decisions.notice, decisions.is_whole) == (said, False)
        other.refresh()
        assert (other.notice, other.is_whole) == ("", True)
    assert held(tmp_path)[1:] == ("", True)


def test_an_older_copy_is_known_for_one(tmp_path: Path) -> None:
    store(tmp_path, 5)
    older = (tmp_path / FILE).read_bytes()
    count = read_count(tmp_path / FILE)
    with opened(tmp_path) as decisions:
        decisions.judge(key(99), PATH, "verified", None, None, 1)
    (tmp_path / FILE).write_bytes(older)
    with opened(tmp_path) as decisions:
        said = f"holds {count} decisions where {count + 1} were made: restore a newer copy"
        assert said in decisions.notice
        assert not decisions.is_whole
        with pytest.raises(DecisionsError, match=said):
            decisions.set_pinned("s-1", PATH, True, 50)
    count_path(tmp_path / FILE).unlink()
    with opened(tmp_path) as decisions:
        assert (decisions.notice, decisions.is_whole) == ("", True)
        decisions.set_pinned("s-1", PATH, True, 50)
    assert read_count(tmp_path / FILE) == count + 1


@pytest.mark.parametrize("content", [b"", b"12", b"7 00000000\n", b"x" * 9_000, None])
def test_a_count_that_is_damaged_claims_nothing(tmp_path: Path, content: bytes | None) -> None:
    store(tmp_path, 5)
    count_path(tmp_path / FILE).unlink()
    if content is None:
        count_path(tmp_path / FILE).symlink_to(tmp_path / "nothing")
    else:
        count_path(tmp_path / FILE).write_bytes(content)
    with opened(tmp_path) as decisions:
        assert (decisions.notice, decisions.is_whole) == ("", True)
        decisions.set_pinned("s-1", PATH, True, 50)
        assert read_count(tmp_path / FILE) == len(decisions.history())
    assert not (tmp_path / "nothing").exists()


def test_a_count_that_cannot_be_kept_loses_no_decision(tmp_path: Path) -> None:
    store(tmp_path, 1)
    count_path(tmp_path / FILE).unlink()
    count_path(tmp_path / FILE).mkdir()
    with opened(tmp_path) as decisions:
        decisions.set_pinned("s-1", PATH, True, 50)
        assert (decisions.notice, decisions.is_whole) == ("", True)
    write_count(tmp_path / "nowhere" / FILE, 7)
    assert read_count(tmp_path / "nowhere" / FILE) == 0


ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) select n from r"


@pytest.mark.parametrize(
    "statements",
    [
        ["drop table decisions", f"create view decisions as {ENDLESS}"],
        ["drop table _sqlite_migrations", f"create view _sqlite_migrations as {ENDLESS}"],
        [f"create view other as {ENDLESS}"],
        ["create virtual table other using fts5(words)"],
        [f"create trigger other after insert on decisions begin {ENDLESS}; end"],
        ["drop trigger no_update", f"create trigger no_update after insert on decisions "
         f"begin {ENDLESS}; end"],
    ],
)  # fmt: skip
def test_a_database_that_computes_is_refused(tmp_path: Path, statements: list[str]) -> None:
    kept(tmp_path)
    with database(tmp_path) as db:
        for statement in statements:
            db.execute(statement)
    before = (tmp_path / FILE).read_bytes()
    with opened(tmp_path) as decisions:
        assert decisions.notice.startswith(f"{tmp_path / FILE} is damaged; ")
        assert not decisions.is_whole
        with pytest.raises(DecisionsError, match="is damaged"):
            decisions.set_pinned("s-1", PATH, True, 50)
    assert (tmp_path / FILE).read_bytes() == before


def as_before_seals(directory: Path, whole: Path) -> list[tuple[object, ...]]:
    """The decisions of `whole` in a database as the version before the seals wrote it."""
    directory.mkdir()
    with closing(open_database(whole / FILE, SCHEMA)) as db:
        columns = "id, at, by, kind, session, subject, path, sha256, undoes, value"
        rows = db.execute(f"select {columns} from decisions order by id").fetchall()
    from sqlite_utils import Database, Migrations

    migrations = Migrations("decisions")
    migrations()(decisions_schema.decisions)
    with closing(sqlite3.connect(directory / FILE)) as db:
        migrations.apply(Database(db, execute_plugins=False))
        db.executemany(f"insert into decisions values ({', '.join('?' * 10)})", rows)
        db.commit()
    return rows


def test_decisions_without_seals_are_sealed_and_a_copy_is_kept(whole: Path, tmp_path: Path) -> None:
    rows = as_before_seals(tmp_path / "old", whole)
    with opened(whole) as expected, opened(tmp_path / "old") as decisions:
        assert (decisions.notice, decisions.is_whole) == ("", True)
        assert present(decisions) == present(expected)
        decisions.set_pinned("s-1", PATH, True, 50)
    with database(tmp_path / "old") as db:
        assert db.execute("pragma user_version").fetchone()[0] == len(rows) + 1
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            db.execute("update decisions set seal = 0")
    with closing(sqlite3.connect(tmp_path / "old" / "decisions.before-seals.db")) as db:
        assert db.execute("select * from decisions order by id").fetchall() == rows


def test_damage_is_not_sealed(whole: Path, tmp_path: Path) -> None:
    as_before_seals(tmp_path / "old", whole)
    path = tmp_path / "old" / FILE
    with closing(sqlite3.connect(path)) as db:
        root = db.execute("select rootpage from sqlite_master where name = 'decisions'")
        page = (root.fetchone()[0] - 1) * 4096
    data = bytearray(path.read_bytes())
    data[page + 8 : page + 12] = data[page + 10 : page + 12] * 2  # one cell takes another's place
    path.write_bytes(data)
    with opened(tmp_path / "old") as decisions:
        assert "is damaged; " in decisions.notice
        with pytest.raises(DecisionsError, match="is damaged"):
            decisions.set_pinned("s-1", PATH, True, 50)
    assert path.read_bytes()[100:] == data[100:]  # behind the header


def test_decisions_without_seals_are_read_where_nothing_can_be_written(
    whole: Path, tmp_path: Path
) -> None:
    as_before_seals(tmp_path / "old", whole)
    (tmp_path / "old" / "decisions.before-seals.part").mkdir()  # no copy can be made
    with opened(whole) as expected, opened(tmp_path / "old") as decisions:
        assert decisions.notice.endswith("; nothing can be decided.")
        assert decisions.is_whole
        assert present(decisions) == present(expected)
