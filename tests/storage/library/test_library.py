"""All sessions of some roots: each file read once, only what changed again, nothing written."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.model.store import Root
from sessions_tui.storage.stores.roots import find_roots
from sessions_tui.storage.transcript.overview import GLANCE, glance, overview_of
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
STORE = CASES / "product-store"
NOW = 1_795_600_000_000
AT = 1_795_320_000_000


def roots_of(*paths: Path) -> tuple[Root, ...]:
    return find_roots(paths, {}, Path.cwd(), Path.home()).found


@contextmanager
def library(*paths: Path, cache: Path | None = None) -> Iterator[Library]:
    """A library that has looked for files and read nothing yet."""
    with closing(Library(roots_of(*paths), cache)) as found:
        found.rescan()
        yield found


def lines(*texts: str, **fields: Any) -> str:
    record = {"timestamp": AT, "sessionId": "s", "type": "message", "role": "user", **fields}
    return "".join(
        json.dumps({**record, "content": [{"type": "input_text", "text": text}]}) + "\n"
        for text in texts
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store with three sessions."""
    folder = tmp_path / "home" / "projects" / "shop"
    folder.mkdir(parents=True)
    for name in ("one", "two", "three"):
        (folder / f"{name}.jsonl").write_text(lines(f"Do {name}", "and then"))
    return tmp_path / "home"


def session_file(home: Path, name: str) -> Path:
    return home / "projects" / "shop" / f"{name}.jsonl"


def titles(found: Library) -> dict[str, str]:
    return {session.session: session.title for session in found.sessions(NOW)}


def test_a_second_start_reads_nothing(tmp_path: Path) -> None:
    for parsed in (16, 0):
        with library(STORE, cache=tmp_path) as found:
            found.read_all()
            assert len(found.overviews.parsed) == parsed
            assert (found.overviews.bytes_read > 0) == (parsed > 0)
            assert found.pending() == []
            assert len(found.sessions(NOW)) == 16


def test_a_changed_file_alone_is_read_again(tmp_path: Path, home: Path) -> None:
    with library(home, cache=tmp_path) as found:
        found.read_all()
    new = lines("third")
    with session_file(home, "two").open("a") as file:
        file.write(new)
    with library(home, cache=tmp_path) as found:
        assert found.pending() == [session_file(home, "two")]
        found.read_all()
        assert (len(found.overviews.parsed), found.overviews.bytes_read) == (1, len(new))


def test_what_was_glanced_at_is_read_once_and_kept(tmp_path: Path, home: Path) -> None:
    long = session_file(home, "long")
    long.write_text(lines(*(f"Do {number}" for number in range(2_000))))
    with library(home, cache=tmp_path) as found:
        for path in found.pending():
            found.glance(path)
        assert found.pending() == [long]
        assert titles(found)["long"] == "Do 0"
        found.read_all()
        assert len(found.overviews.parsed) == 4
    with library(home, cache=tmp_path) as found:
        assert found.pending() == []


def test_files_come_go_and_are_renamed(tmp_path: Path, home: Path) -> None:
    with library(home, cache=tmp_path) as found:
        found.read_all()
        assert not found.rescan()
        session_file(home, "four").write_text(lines("Do four"))
        session_file(home, "one").unlink()
        session_file(home, "two").rename(session_file(home, "zwei"))
        assert found.rescan()
        assert set(titles(found)) == {"three"}
        found.read_all()
        expected = {"three": "Do three", "four": "Do four", "zwei": "Do two"}
        assert titles(found) == expected
        assert not found.rescan()
    session_file(home, "three").unlink()
    with library(home, cache=tmp_path) as found:
        found.read_all()
        assert len(found.overviews.parsed) == 0
        assert set(titles(found)) == {"four", "zwei"}
    with library(home, cache=tmp_path) as found:
        assert found.index.load(session_file(home, "three"), "three") is None


def test_a_directory_that_comes_back_while_its_session_is_shown(home: Path) -> None:
    folder = home / "projects" / "shop"
    path = next(folder.glob("*.jsonl"))
    kept = path.read_bytes()
    with library(home) as known:
        known.read(path)
        before = {session.path for session in known.sessions()}
        shutil.rmtree(folder)
        known.rescan()
        assert path not in {session.path for session in known.sessions()}
        folder.mkdir()
        path.write_bytes(kept)
        known.read(path)  # as who follows it does, before anybody looks around
        assert path not in {session.path for session in known.sessions()}
        assert known.session(path) is None
        known.rescan()
        known.read(path)
        assert path in before
        assert path in {session.path for session in known.sessions()}


def test_a_change_of_the_same_size_is_seen(home: Path) -> None:
    path = session_file(home, "one")
    with library(home) as found:
        found.read_all()
        path.write_text(path.read_text().replace("Do one", "Do ONE"))
        assert found.rescan()
        found.read_all()
        assert titles(found)["one"] == "Do ONE"


def test_another_root_of_the_same_index_is_left_alone(tmp_path: Path, home: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(home, other)
    for root in (home, other):
        with library(root, cache=tmp_path / "cache") as found:
            found.read_all()
    with library(home, cache=tmp_path / "cache") as found:
        assert found.pending() == []


def test_copied_stores_hold_each_session_twice(tmp_path: Path, home: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    with library(home, copy) as found:
        found.read_all()
        sessions = found.sessions(NOW)
    assert Counter(session.session for session in sessions) == {"one": 2, "two": 2, "three": 2}
    assert len({session.path for session in sessions}) == 6


def test_what_cannot_be_read_is_reported(home: Path) -> None:
    os.mkfifo(session_file(home, "pipe"))
    gone = session_file(home, "one")
    with library(home) as found:
        assert [path.name for path in found.unreadable] == ["pipe.jsonl"]
        gone.unlink()
        found.read_all()
        assert found.unreadable[gone].reason == "No such file or directory"
        assert set(titles(found)) == {"two", "three"}
        assert found.rescan()
        assert gone not in found.unreadable


def test_a_file_without_permission_is_reported(home: Path) -> None:
    path = session_file(home, "one")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("permissions do not bind this user")
    with library(home) as found:
        found.read_all()
        assert found.unreadable[path].reason == "Permission denied"


def store_sessions() -> dict[str, Session]:
    with library(STORE) as found:
        found.read_all()
        return {session.session[:8]: session for session in found.sessions(NOW)}


INVENTORY = "/Users/lin/code/inventory-api"
PARSER = "/home/mei/src/parser"
REPORT = "c:\\Users\\Lin Mei\\Desktop\\报表 2026"


@pytest.mark.parametrize(
    ("session", "workspace", "title", "title_from", "events", "updated_at"),
    [
        ("0d951c95", INVENTORY, "库存修复", "app", 35, 1795320081617),
        ("2a028bbf", INVENTORY, "接口清单", "ai-title", 13, 1795341637719),
        ("aa8e88a6", INVENTORY, "Find slow queries", "ai-title", 11, 1795323622204),
        ("ec3e3f81", REPORT, "核对截图与 sales.csv", "ai-title", 13, 1795334404846),
        ("438a0bda", PARSER, "docs / graphviz", "custom-title", 18, 1795338082723),
        ("49aa3903", PARSER, "Grammar walkthrough", "ai-title", 21, 1795330928581),
    ],
)
def test_the_sessions_of_a_real_store(
    session: str, workspace: str, title: str, title_from: str, events: int, updated_at: int
) -> None:
    found = store_sessions()[session]
    assert (found.workspace, found.title, found.title_from) == (workspace, title, title_from)
    assert (found.events, found.updated_at, found.model) == (events, updated_at, "hy3")


def test_what_a_real_store_says_of_its_sessions() -> None:
    found = store_sessions()
    mains = [session for session in found.values() if session.parent is None]
    assert {s.session[:8] for s in mains if s.hidden_by == "app"} == {"2a028bbf", "8af70573"}
    assert {s.session[:8] for s in mains if s.needs_you} == {"72d24a20", "f17d8ec0", "eb5676a9"}
    assert Counter(session.status for session in mains) == {
        "done": 9,
        "crashed": 2,
        "asking": 1,
        "interrupted": 1,
    }


def test_sub_agents_stand_below_their_parents() -> None:
    found = store_sessions()
    below = {s.session: (s.parent or "")[:8] for s in found.values() if s.parent}
    assert below == {
        "agent-5d1c77e2": "aa8e88a6",
        "agent-c40e9d21": "aa8e88a6",
        "agent-0be4f19a": "agent-5d",
    }
    assert (found["aa8e88a6"].children, found["agent-5d"].children) == (2, 1)


def tree(root: Path) -> dict[str, tuple[int, int, str]]:
    """Every file and directory with its times and contents."""
    found = {}
    for path in sorted(root.rglob("*")):
        stat = path.lstat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path)] = (stat.st_mtime_ns, stat.st_ctime_ns, digest)
    return found


def test_nothing_below_a_root_is_written(tmp_path: Path) -> None:
    copy = tmp_path / "store"
    shutil.copytree(STORE, copy)
    before = tree(copy)
    for _ in range(2):
        with library(copy, cache=tmp_path / "cache") as found:
            for path in found.pending():
                found.glance(path)
            found.read_all()
            found.sessions(NOW)
    assert tree(copy) == before


def test_each_of_many_files_is_opened_once(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1_000):
        session_file(home, f"s{number}").write_text(lines(f"Do {number}"))
    opened: Counter[str] = Counter()
    system_open = os.open

    def counted(path: Any, *rest: Any, **more: Any) -> int:
        opened[str(path)] += str(path).endswith(".jsonl")
        return system_open(path, *rest, **more)

    monkeypatch.setattr(os, "open", counted)
    with library(home, cache=tmp_path) as found:
        assert sum(opened.values()) == 0
        found.read_all()
        assert len(found.sessions(NOW)) == 1_003
    assert sum(opened.values()) == 1_003
    assert max(opened.values()) == 1
    opened.clear()
    with library(home, cache=tmp_path) as found:
        found.read_all()
        assert len(found.sessions(NOW)) == 1_003
    assert sum(opened.values()) == 0


@pytest.mark.parametrize("case", ["01-ordinary-edits", "03a-crash-mid-edit", "04-compaction"])
def test_a_glance_tells_what_the_whole_file_tells(tmp_path: Path, case: str) -> None:
    first, *rest = (CASES / "product" / f"{case}.jsonl").read_bytes().splitlines(keepends=True)
    middle = len(rest) // 2
    filler = json.dumps({"timestamp": AT, "type": "reasoning", "rawContent": "y" * 900}).encode()
    path = tmp_path / f"{case}.jsonl"
    parts = [first, *rest[:middle], (filler + b"\n") * 400, *rest[middle:]]
    path.write_bytes(b"".join(parts))
    seen = glance(path, case)
    transcript = Transcript(path, case)
    transcript.read()
    whole = overview_of(transcript)
    assert (seen.whole, seen.events, seen.agent) == (False, None, whole.agent)
    for claim in ("started_at", "updated_at", "cwd", "first_prompt", "titles"):
        assert getattr(seen.facts, claim) == getattr(whole.facts, claim)
    for claim in ("model", "last", "inner_session"):
        assert getattr(seen.facts, claim) == getattr(whole.facts, claim)


SMALL = [path for path in sorted(CASES.glob("product/*.jsonl")) if path.stat().st_size <= GLANCE]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_glance_at_a_small_file_is_the_whole_of_it(path: Path) -> None:
    transcript = Transcript(path, path.stem)
    transcript.read()
    assert glance(path, path.stem) == overview_of(transcript)


def test_a_glance_never_takes_the_place_of_a_reading(home: Path) -> None:
    path = session_file(home, "one")
    with library(home) as found:
        found.read(path)
        found.glance(path)
        found.glance(session_file(home, "absent"))
        session = found.session(path, NOW)
        assert session is not None
        assert session.events == 2
        assert found.session(session_file(home, "two"), NOW) is None


def test_more_files_grow_than_are_kept_open(tmp_path: Path, home: Path) -> None:
    paths = [session_file(home, f"s{number}") for number in range(60)]
    for path in paths:
        path.write_text(lines("one"))
    with library(home, cache=tmp_path) as found:
        for _ in range(3):
            for path in paths:
                with path.open("a") as file:
                    file.write(lines("more"))
                found.read(path)
        size = sum(path.stat().st_size for path in paths)
        assert found.overviews.bytes_read == size
        assert {found.transcript(path).facts.records for path in paths} == {4}


def test_looking_again_at_what_has_not_changed_writes_nothing(tmp_path: Path, home: Path) -> None:
    path = session_file(home, "one")
    with library(home, cache=tmp_path) as found:
        found.read_all()
        known, changes = found.overview(path), found.index._file.db.total_changes
        found.read(path)
        found.save()
        assert found.overview(path) is known
        assert found.index._file.db.total_changes == changes
        with path.open("a") as file:
            file.write(lines("One more"))
        found.read(path)
        found.save()
        assert found.overview(path) is not known
        assert found.index._file.db.total_changes > changes
