"""`sessions list`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from sessions_tui.app.output.lines import session_lines, short_ids
from sessions_tui.storage.index.index import Index
from sessions_tui.storage.library import update as indexing
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.event import Event
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.stores.roots import find_roots

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"
INTEGRITY = {"state": str, "kind": (str, type(None)), "line": (int, type(None)), "detail": str}
SESSION = {
    "session": str,
    "path": str,
    "dialect": str,
    "workspace": str,
    "title": str,
    "title_from": str,
    "status": str,
    "needs_you": bool,
    "why": str,
    "integrity": dict,
    "events": int,
    "bytes": int,
    "started_at": (str, type(None)),
    "updated_at": (str, type(None)),
    "model": (str, type(None)),
    "tokens": (dict, type(None)),
    "uncertain": int,
    "candidates": int,
    "parent": (str, type(None)),
    "children": int,
    "hidden_by": (str, type(None)),
    "descendants": int,
    "children_tokens": (dict, type(None)),
    "total_tokens": (dict, type(None)),
    "children_uncertain": int,
    "children_working": int,
    "children_needing_you": int,
    "family_needs_you": bool,
    "continues": (str, type(None)),
    "forked_from": (str, type(None)),
    "origin_path": (str, type(None)),
}
ROOTS = [
    CASES / "product-store",
    CASES / "mycodeagent-runs",
    *sorted(CASES.glob("envelope/0*.jsonl"))[:20],
]


def has_shape(found: dict[str, Any], shape: dict[str, Any]) -> bool:
    return all(isinstance(found[name], kind) for name, kind in shape.items())


@pytest.mark.parametrize("root", ROOTS, ids=lambda path: path.name)
def test_the_shape_of_a_session(sessions: Sessions, root: Path) -> None:
    document = sessions("list", "--all", "--children", "--json", "--root", root).document
    assert document["sessions"]
    assert document["unreadable"] == []
    for session in document["sessions"]:
        assert has_shape(session, SESSION)
        assert has_shape(session["integrity"], INTEGRITY)
        if session["tokens"]:
            assert has_shape(session["tokens"], {"input": int, "cached": int, "output": int})
        assert session["why"].endswith(".")
        if session["updated_at"]:
            assert len(session["updated_at"]) == len("2026-11-20T10:00:00.000Z")


def ids(sessions: Sessions, *words: object) -> list[str]:
    document = sessions("list", "--json", "--root", CASES / "product-store", *words).document
    return [session["session"][:8] for session in document["sessions"]]


def test_sub_agents_and_hidden_sessions_are_asked_for(sessions: Sessions) -> None:
    usual = ids(sessions)
    assert len(usual) == 11
    assert set(ids(sessions, "--all")) - set(usual) == {"2a028bbf", "8af70573"}
    families = ids(sessions, "--children")
    at = families.index("aa8e88a6")
    assert sorted(families[at + 1 : at + 4]) == ["agent-0b", "agent-5d", "agent-c4"]
    assert families.index("agent-0b") == families.index("agent-5d") + 1
    assert len(families) == 14


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--status", "asking"], ["72d24a20"]),
        (["--status", "Interrupted"], ["7db2dbc9"]),
        (["--status", "corrupt"], []),
        (["--workspace", "报表"], ["ec3e3f81"]),
        (["--workspace", "INVENTORY", "--status", "done"], ["aa8e88a6", "0d951c95"]),
        (["--limit", "0"], []),
        (["--limit", "1"], ["72d24a20"]),
    ],
)
def test_what_is_listed_can_be_narrowed(
    sessions: Sessions, words: list[str], expected: list[str]
) -> None:
    assert ids(sessions, *words) == expected


def test_the_neediest_and_newest_come_first(sessions: Sessions) -> None:
    store = CASES / "product-store"
    document = sessions("list", "--json", "--root", store).document
    rank = [(s["needs_you"], s["updated_at"]) for s in document["sessions"]]
    assert rank == sorted(rank, reverse=True)
    since = document["sessions"][5]["updated_at"]
    newer = ids(sessions, "--since", since[:10])
    assert newer == [
        s["session"][:8] for s in document["sessions"] if s["updated_at"] >= since[:10]
    ]


def test_lines_for_a_person(sessions: Sessions) -> None:
    ran = sessions("list", "--root", CASES / "product-store")
    first, why, *rows = ran.out.splitlines()
    assert (ran.code, ran.err, len(rows)) == (0, "", 10)
    assert first.startswith("72d24a20  ?")
    assert "Set up the database" in first
    assert why == "    Waiting for your answer to AskUserQuestion."


def test_each_can_say_why(sessions: Sessions) -> None:
    words = ["list", "--root", CASES / "product-store", "--status", "interrupted"]
    assert sessions(*words).out.startswith("7db2dbc9")
    assert sessions(*words, "--why").out.splitlines()[1:] == ["    Stopped by you."]


def test_that_nothing_matches_is_said(sessions: Sessions) -> None:
    words = ["list", "--root", CASES / "product-store"]
    ran = sessions(*words, "--workspace", "nowhere")
    assert (ran.code, ran.out, ran.err) == (0, "", "sessions: No session matches.\n")
    ran = sessions(*words, "--limit", "0")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_what_a_row_starts_with_names_the_session(sessions: Sessions) -> None:
    store = CASES / "product-store"
    rows = sessions("list", "--all", "--children", "--root", store).out.splitlines()
    starts = [row.split()[0] for row in rows if row[0] != " "]
    assert len(set(starts)) == len(starts)
    for start in starts:
        assert len(start) >= 8
        assert sessions("show", start, "--last", "0", "--root", store).code == 0


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ([], []),
        (["s"], ["s"]),
        (["72d24a20-63a6", "0da18c4c-099a"], ["72d24a20", "0da18c4c"]),
        (["session-17", "session-18", "agent-0be4f19a"], ["session-17", "session-18", "agent-0b"]),
        (["session-17", "session-1"], ["session-17", "session-1"]),
        (["72d24a20-63a6", "72d24a20-63a6"], ["72d24a20", "72d24a20"]),
    ],
)
def test_short_ids(known: list[str], expected: list[str]) -> None:
    short = short_ids(known)
    assert [short[id] for id in known] == expected


@pytest.fixture(scope="module")
def all_sessions() -> list[Session]:
    with closing(Library(find_roots(ROOTS, {}, CASES, CASES).found, None)) as library:
        library.rescan()
        library.read_all()
        return library.sessions()


@pytest.mark.parametrize("width", [1, 12, 20, 40, 60, 79, 80, 99, 100, 120, 200, 400])
def test_no_row_is_wider_than_the_terminal(all_sessions: list[Session], width: int) -> None:
    ids = short_ids(session.session for session in all_sessions)
    for session in all_sessions:
        for why in (False, True):
            row, *reasons = session_lines([session], ids, 0, width, why)
            assert row.startswith(ids[session.session])
            assert cell_len(row) <= max(width, len(ids[session.session]))
            assert bool(reasons) == (why or session.needs_you)
            assert all(cell_len(line) <= max(width, 6) for line in reasons)
    rows = list(session_lines(all_sessions, ids, 0, width, False))
    assert all(cell_len(row) <= max(width, *map(len, ids.values())) for row in rows)


@pytest.mark.parametrize(
    ("width", "workspace"), [(80, "inventory-api"), (99, "inventory-api"), (100, "/Users/lin/code")]
)
def test_a_narrow_row_has_the_last_folder(
    all_sessions: list[Session], width: int, workspace: str
) -> None:
    session = next(s for s in all_sessions if s.session.startswith("72d24a20"))
    (row, _) = session_lines([session], {session.session: "72d24a20"}, 0, width, False)
    assert workspace in row
    assert ("/Users" in row) == (width >= 100)
    assert "Set up the database" in row
    assert row.endswith("5 events")


def test_the_second_time_nothing_is_read(sessions: Sessions, tmp_path: Path) -> None:
    words = ["list", "--json", "--cache-dir", tmp_path / "cache", "--root", CASES / "product-store"]
    first = sessions(*words).document
    (tmp_path / "cache").chmod(0o500)
    assert sessions(*words).document == first


def test_families_and_origins(sessions: Sessions) -> None:
    words = ("list", "--children", "--json", "--root")
    listed = sessions(*words, CASES / "product-store").document["sessions"]
    found = {one["session"][:8]: one for one in listed}
    top, fork = found["aa8e88a6"], found["0da18c4c"]
    assert (top["children"], top["descendants"]) == (2, 3)
    for kind in ("input", "cached", "output"):
        below = sum(found[name]["tokens"][kind] for name in ("agent-5d", "agent-c4", "agent-0b"))
        assert top["children_tokens"][kind] == below
        assert top["total_tokens"][kind] == top["tokens"][kind] + below
    assert (fork["forked_from"][:8], fork["continues"]) == ("0e895aaf", None)
    assert fork["origin_path"] == found["0e895aaf"]["path"]
    resumed = sessions(*words, CASES / "mycodeagent-runs" / "c_kill_then_resume").document
    assert {one["session"][-4:]: one["continues"] for one in resumed["sessions"]} == {
        "f2ca": "s-20261129-201903-5b7f",
        "5b7f": None,
    }


def test_sub_agents_of_projects_are_no_sessions(sessions: Sessions) -> None:
    listed = sessions("list", "--json", "--root", CASES / "mycodeagent-runs").document["sessions"]
    assert not [one["session"] for one in listed if one["session"].startswith("subagent-")]
    assert sum(one["children"] for one in listed) == 6


def test_an_origin_is_told_beside_the_reason(sessions: Sessions) -> None:
    told = sessions("list", "--why", "--root", CASES / "product-store")
    assert "    Fork of Lexer." in told.out.splitlines()


def test_a_broken_database_of_the_app_is_told_and_the_rest_listed(
    sessions: Sessions, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(CASES / "product-store", home)
    (home / "workbuddy.db").write_bytes(b"not a database " * 500)
    for words in ([], ["--json"]):
        ran = sessions("list", *words, "--root", home)
        assert ran.code == 6
        assert ran.err.count("workbuddy.db: file is not a database; ") == 1
        assert "库存" in ran.out
    assert [one["path"] for one in ran.document["unreadable"]] == [str(home / "workbuddy.db")]


def many_agents(home: Path, count: int) -> Path:
    """A session with sub-agents, the first of which is the newest."""
    line = (
        '{"id":"a","timestamp":1796000000000,"type":"message","role":"user","content":'
        '[{"type":"input_text","text":"hi"}],"sessionId":"%s","cwd":"/"}\n'
    )
    folder = home / "projects" / "f"
    agents = folder / "m" / "subagents"
    agents.mkdir(parents=True)
    (folder / "m.jsonl").write_text(line % "m")
    for number in range(count):
        path = agents / f"agent-{number:08x}.jsonl"
        path.write_text(line % f"q{number}")
        os.utime(path, (2_000_000_000 - number,) * 2)
    os.utime(folder / "m.jsonl", (1_900_000_000,) * 2)
    return home


def test_very_many_sub_agents_do_not_delay_the_list(
    sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE", 3)
    read: list[Path] = []
    advance = Library.advance

    def counted(self: Library, path: Path) -> Iterator[list[Event]]:
        read.append(path)
        return advance(self, path)

    monkeypatch.setattr(Library, "advance", counted)
    home = many_agents(tmp_path / "home", 20)
    for expected in (4, 0):
        read.clear()
        ran = sessions("list", "--root", home, "--json")
        assert (ran.code, len(read)) == (0, expected)
        assert [session["session"] for session in ran.document["sessions"]] == ["m"]
        assert ran.document["sessions"][0]["children"] == 20
        assert "17 older sub-agents were not read" in ran.err
    assert "not read" in sessions("list", "--root", home).err
    ran = sessions("list", "--root", home, "--json", "--children")
    assert (len(ran.document["sessions"]), ran.err) == (21, "")
    assert sessions("check", home / "projects/f/m/subagents/agent-00000013.jsonl").code == 0


def test_small_transcripts_are_saved_together(
    sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[int] = []
    save = Index.save

    def counted(self: Index, read: list[Any]) -> bool:
        saved.append(len(read))
        return save(self, read)

    monkeypatch.setattr(Index, "save", counted)
    sessions("list", "--root", many_agents(tmp_path / "home", 300), "--children")
    assert sum(saved) == 301
    assert len(saved) <= 12
