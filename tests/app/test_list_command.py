"""`sessions list` and `sessions check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[1] / "cases"
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
    assert (ran.code, ran.err, len(ran.out.splitlines())) == (0, "", 11)
    assert "Set up the database" in ran.out.splitlines()[0]
    ran = sessions("list", "--root", CASES / "product-store", "--workspace", "nowhere")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_the_second_time_nothing_is_read(sessions: Sessions, tmp_path: Path) -> None:
    words = ["list", "--json", "--cache-dir", tmp_path / "cache", "--root", CASES / "product-store"]
    first = sessions(*words).document
    (tmp_path / "cache").chmod(0o500)
    assert sessions(*words).document == first


CHECKED = {
    "path": str,
    "session": str,
    "dialect": str,
    "integrity": dict,
    "events": int,
    "tail_bytes": int,
}


@pytest.mark.parametrize("path", sorted(CASES.glob("envelope/*.jsonl")), ids=lambda path: path.stem)
def test_check_judges_a_transcript(sessions: Sessions, path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    ran = sessions("check", path, "--json")
    (checked,) = ran.document
    assert has_shape(checked, CHECKED)
    assert has_shape(checked["integrity"], INTEGRITY)
    assert checked["integrity"]["state"] == expected["verdict"].replace("_", "-")
    assert ran.code == (1 if expected["verdict"] == "corrupt" else 0)
    if "total_events" in expected:
        assert checked["events"] == expected["total_events"]


def test_check_of_a_whole_store(sessions: Sessions) -> None:
    ran = sessions("check", "--root", CASES / "product-store")
    assert (ran.code, len(ran.out.splitlines())) == (0, 16)
    damaged = CASES / "product" / "10a-third-party-rewrite.jsonl"
    ran = sessions("check", damaged, damaged)
    assert (ran.code, len(ran.out.splitlines())) == (1, 1)
    assert "line 8" in ran.out
