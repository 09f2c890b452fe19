"""Who belongs to whom: sub-agents of stores, forks, sessions that go on after a resume."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.family.kinship import Kinship
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.store import TranscriptFile
from sessions_tui.storage.timeline.rows import Rows
from tests.storage.kin import (
    AT,
    LATER,
    RUNS,
    STORE,
    answer,
    by_id,
    called,
    child,
    library,
    message,
    product,
    project,
    put,
    read,
    store,
    terminal,
    typed,
    write,
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return project(tmp_path)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return store(tmp_path)


def test_nested_and_team_sub_agents_of_a_store() -> None:
    found = {name[:8]: session for name, session in read(STORE).items()}
    top, middle, leaf, team = (
        found[name] for name in ("aa8e88a6", "agent-5d", "agent-0b", "agent-c4")
    )
    assert [one.parent for one in (middle, team, leaf)] == [
        top.session,
        top.session,
        "agent-5d1c77e2",
    ]
    assert leaf.lineage == (top.title, middle.title)
    assert top.family is not None
    assert (top.children, top.family.members) == (2, 3)
    below = [one.tokens or Usage() for one in (middle, leaf, team)]
    assert top.family.tokens == sum(below, Usage())
    assert top.family_tokens == sum([top.tokens or Usage(), *below], Usage())
    with library(STORE) as library_:
        library_.read_all()
        for parent, calls in ((top, middle.calls + team.calls), (middle, leaf.calls)):
            rows = Rows(library_.transcript(parent.path), 2)
            agents = [
                r.offset for r in map(rows.__getitem__, range(len(rows))) if r.tool == "Agent"
            ]
            assert list(calls) == agents


def test_background_sub_agents_go_on_after_the_turn(home: Path) -> None:
    put(home, "p", typed("p", "Go"), called("p", "Agent", AT + 100, prompt="Check"))
    spawned = {"type": "team-member-spawned", "value": json.dumps({"taskId": "agent-1"})}
    result = {"toolResult": {"content": "Spawned", "renderer": spawned}}
    put(
        home,
        "p",
        product(
            "function_call_result",
            "p",
            AT + 200,
            name="Agent",
            callId=f"c{AT + 100}",
            status="completed",
            providerData=result,
        ),
        answer("p", "Started.", AT + 300),
    )
    put(home, "p/subagents/agent-1", typed("x", "Check", AT + 250))
    with library(home) as found:
        found.read_all()
        sessions = by_id(found, AT + 10_000)
        parent = sessions["p"]
        assert (parent.status, parent.family_works, parent.needs_you) == ("done", True, False)
        assert sessions["agent-1"].calls
        put(home, "p/subagents/agent-1", called("x", "AskUserQuestion", AT + 11_000))
        found.rescan()
        found.read_all()
        parent = by_id(found, AT + 12_000)["p"]
    assert (parent.family_works, parent.needs_you, parent.family_needs_you) == (False, False, True)


def test_a_running_call_leads_to_its_sub_agent_before_it_ends(home: Path) -> None:
    put(home, "p", typed("p", "Go"), called("p", "Agent", AT + 100, prompt="Check the links"))
    put(home, "p/subagents/agent-1", typed("x", "Check the links", AT + 150))
    put(home, "p/subagents/agent-2", typed("y", "Check the docs", AT + 150))
    sessions = read(home)
    assert (len(sessions["agent-1"].calls), sessions["agent-2"].calls) == (1, ())


def test_uncertain_calls_of_the_family(home: Path) -> None:
    put(home, "p", typed("p", "Go"), called("p", "Edit", AT + 100, file_path="a"))
    put(home, "p/subagents/agent-1", typed("x", "a"), called("x", "Edit", AT, file_path="b"))
    put(home, "x/subagents/agent-2", typed("y", "a"), called("y", "Edit", AT, file_path="c"))
    sessions = read(home, AT + 3_600_000)
    parent, middle = sessions["p"], sessions["agent-1"]
    assert (parent.uncertain, parent.family_uncertain, middle.family_uncertain) == (1, 3, 2)
    assert parent.family is not None
    assert parent.family.needing == 2


# Forks and resumed sessions.


def test_a_fork_names_what_it_was_copied_from_and_counts_it_once(home: Path) -> None:
    first = typed("one", "Begin") + answer("one", "Begun.", AT + 10, tokens=100)
    second = answer("two", "More.", AT + 20, tokens=30)
    put(home, "one", first)
    put(home, "two", first, typed("two", "Go on", AT + 15), second)
    put(home, "three", first, typed("two", "Go on", AT + 15), second)
    put(home, "three", answer("three", "Most.", AT + 30, tokens=7))
    sessions = read(home)
    origins = {name: one.origin.session if one.origin else None for name, one in sessions.items()}
    assert origins == {"one": None, "two": "one", "three": "two"}
    tokens = {name: one.tokens.input for name, one in sessions.items() if one.tokens}
    assert tokens == {"one": 100, "two": 30, "three": 7}
    assert {one.origin.kind for one in sessions.values() if one.origin} == {"fork"}


def test_what_was_copied_counts_where_its_source_is_gone(home: Path) -> None:
    put(
        home,
        "two",
        answer("one", "Begun.", AT, tokens=100),
        answer("two", "On.", AT + 9, tokens=30),
    )
    put(home, "renamed", answer("gone", "Begun.", AT, tokens=50))
    with library(home) as found:
        found.read_all()
        sessions = by_id(found)
        fork = sessions["two"]
        assert fork.origin is not None
        assert (fork.origin.session, fork.origin.path) == ("one", None)
        assert fork.tokens == Usage(130, 0, 2)
        assert sessions["renamed"].origin is None
        put(home, "one", answer("one", "Begun.", AT, tokens=100))
        found.rescan()
        found.read_all()
        fork = by_id(found)["two"]
    assert fork.origin is not None
    assert fork.origin.path is not None
    assert fork.tokens is not None
    assert fork.tokens.input == 30


def test_a_meta_file_tells_of_a_fork_whose_records_do_not(home: Path) -> None:
    source = put(home, "one", typed("one", "Begin"))
    put(home, "two", typed("two", "Begin"))
    for name, text in (("two", '{"forkedFrom":"one"}'), ("one", '{"acpConnectionId":"x"}')):
        (source.parent / f"{name}.meta.json").write_text(text)
    sessions = read(home)
    assert sessions["one"].origin is None
    origin = sessions["two"].origin
    assert origin is not None
    assert (origin.kind, origin.path, origin.title) == ("fork", source, "Begin")


def test_broken_meta_files_tell_nothing(home: Path) -> None:
    path = put(home, "one", typed("one", "Begin"))
    for text in ("", "[1]", '{"forkedFrom":7}', '{"forkedFrom":"one"'):
        path.with_name("one.meta.json").write_text(text)
        assert read(home)["one"].origin is None


def test_the_fork_of_a_store() -> None:
    sessions = {name[:8]: session for name, session in read(STORE).items()}
    origin = sessions["0da18c4c"].origin
    assert origin is not None
    assert (origin.path, origin.title) == (sessions["0e895aaf"].path, "Lexer")


@pytest.mark.parametrize(
    ("case", "chain"),
    [
        ("b_multi_run_resume", {"9f1c": "20e6", "20e6": "c15b"}),
        ("c_kill_then_resume", {"f2ca": "5b7f"}),
    ],
)
def test_a_session_after_a_resume_goes_on_from_the_one_before(
    case: str, chain: dict[str, str]
) -> None:
    sessions = read(RUNS / case)
    found = {name[-4:]: one.origin.session[-4:] for name, one in sessions.items() if one.origin}
    assert found == chain
    assert {one.origin.kind for one in sessions.values() if one.origin} == {"continuation"}


def test_of_several_the_newest_before_it_was_resumed(shop: Path) -> None:
    for name, at in (("old", AT), ("new", AT + 5000), ("late", AT + 20_000)):
        write(shop, name, message(name, "user", "Go", at), terminal(name, at + 100))
    write(shop, "other", message("other", "user", "Go", AT), message("other", "user", "x", AT, 2))
    write(shop, "on", message("on", "user", "More", AT + 10_000, run=2))
    # Stopped in a resumed process, MyCodeAgent ends the earlier run in the new file.
    write(shop, "on", terminal("on", AT + 11_000, run=1, reason="interrupted"))
    child(shop, "x", AT + 6000)
    origin = read(shop)["on"].origin
    assert origin is not None
    assert origin.session == "new"
    write(shop, "three", message("three", "user", "More", AT + 30_000, run=3))
    origin = read(shop)["three"].origin
    assert origin is not None
    assert origin.session == "on"


def test_links_cost_what_their_workspace_holds(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    linked: list[int] = []
    relink = Kinship.relink

    def counted(kin: Kinship, files: list[TranscriptFile], *rest: Any) -> set[Path]:
        linked.append(len(files))
        return relink(kin, files, *rest)

    monkeypatch.setattr(Kinship, "relink", counted)
    put(home, "../shop/one", typed("one", "Begin"))
    for name in ("a", "b", "c"):
        put(home, f"../other/{name}", typed(name, "Begin"))
    with library(home) as found:
        found.read_all()
        found.sessions(LATER)
        assert sorted(linked) == [1, 3]
        put(home, "one", answer("one", "Begun.", AT + 10, tokens=5))
        found.rescan()
        found.read_all()
        found.sessions(LATER)
        assert len(linked) == 2
        put(home, "one", called("one", "Agent", AT + 20, prompt="Check"))
        put(home, "one/subagents/agent-1", typed("x", "Check", AT + 30))
        found.rescan()
        found.read_all()
        assert by_id(found)["agent-1"].parent == "one"
        assert linked[2:] == [2]


def test_families_break_up_and_come_together_again(home: Path) -> None:
    put(home, "p", typed("p", "Go"))
    path = put(home, "p/subagents/agent-1", typed("x", "Check", AT + 30))
    put(home, "p/subagents/agent-2", typed("y", "Check", AT + 30))
    away = path.with_suffix(".away")
    with library(home) as found:
        for children in (2, 1, 2):
            found.rescan()
            found.read_all()
            parent = by_id(found)["p"]
            assert parent.family is not None
            assert (parent.children, parent.family.members) == (children, children)
            assert len(by_id(found)) == children + 1
            away.rename(path) if away.exists() else path.rename(away)
        (home / "projects" / "shop" / "p.jsonl").unlink()
        found.rescan()
        found.read_all()
        assert {one.parent for one in by_id(found).values()} == {None}
        assert {one.lineage for one in by_id(found).values()} == {()}


def test_a_workspace_that_is_called_subagents(home: Path) -> None:
    put(home, "../subagents/p", typed("p", "Go"))
    put(home, "../subagents/p/subagents/agent-1", typed("x", "Check"))
    assert read(home)["agent-1"].parent == "p"


def test_a_session_asked_for_alone_knows_its_kin() -> None:
    with library(STORE) as found:
        found.read_all()
        together = {session.path: session for session in found.sessions(LATER)}
        for path, session in together.items():
            assert dataclasses.replace(found.session(path, LATER) or session) == session
