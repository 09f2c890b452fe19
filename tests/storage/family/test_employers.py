"""Whom MyCodeAgent's sub-agents work for, and by which call."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions_tui.storage.model.family import Family
from sessions_tui.storage.timeline.rows import Rows
from sessions_tui.storage.transcript.overview import GLANCE
from tests.storage.kin import (
    AT,
    LATER,
    RUNS,
    by_id,
    child,
    library,
    message,
    padding,
    project,
    read,
    task,
    terminal,
    trace,
    transcripts,
    write,
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return project(tmp_path)


RECORDED = [
    ("e_subagent_ok", "s-20261129-201916-6aea", 2, 2),
    ("e_subagent_failed", "s-20261129-201916-ef9b", 1, 1),
    ("e_subagent_killed", "s-20261129-201917-8066", 1, 1),
    ("e_subagent_notrace", "session-18e1147a743041779576f8d4c1634e18", 1, 1),
    ("e_verification_cli", "s-20261129-201918-6928", 1, 0),
]


@pytest.mark.parametrize(("case", "parent", "children", "called"), RECORDED)
@pytest.mark.parametrize("backwards", [False, True])
def test_recorded_sub_agents_have_their_parent(
    case: str, parent: str, children: int, called: int, backwards: bool
) -> None:
    with library(RUNS / case) as found:
        for path in sorted(transcripts(RUNS / case), reverse=backwards):
            found.read(path)
            found.sessions(LATER)  # links are not only made once all is known
        sessions = by_id(found)
    below = [one for one in sessions.values() if one.parent is not None]
    assert {one.parent for one in below} == {parent}
    assert len(below) == sessions[parent].children == children
    assert sum(bool(one.calls) for one in below) == called
    assert {one.lineage for one in below} == {(sessions[parent].title,)}


@pytest.mark.parametrize(("case", "parent", "children", "called"), RECORDED)
def test_links_outlive_the_program(
    tmp_path: Path, case: str, parent: str, children: int, called: int
) -> None:
    seen = []
    for parsed in (children + 1, 0):
        with library(RUNS / case, tmp_path) as found:
            found.read_all()
            assert len(found.overviews.parsed) == parsed
            sessions = by_id(found)
            seen.append([(one.session, one.parent, one.calls) for one in sessions.values()])
    assert sorted(seen[0]) == sorted(seen[1])


def test_a_call_leads_to_the_sub_agent_that_its_result_names() -> None:
    root = RUNS / "e_subagent_ok"
    with library(root) as found:
        found.read_all()
        sessions = by_id(found)
        rows = Rows(found.transcript(sessions["s-20261129-201916-6aea"].path), 2)
        tasks = [row for row in map(rows.__getitem__, range(len(rows))) if row.tool == "Task"]
    offsets = [sessions[f"subagent-s-20261129-201916-{end}"].calls for end in ("72a2", "fceb")]
    assert offsets == [(row.offset,) for row in tasks]


def two_at_work(root: Path) -> None:
    """Two sessions at once, and a verifier that its words do not tell the parent of."""
    for name in ("a", "b"):
        write(root, name, message(name, "user", "Go", AT), terminal(name, AT + 9000))
    child(root, "v", AT + 5000, "Independently verify this completion candidate.")


def test_the_trace_names_what_the_transcript_is_silent_of(shop: Path) -> None:
    two_at_work(shop)
    trace(shop, "b", ("subagent_requested", "v"), ("subagent_started", "v"))
    sessions = read(shop)
    assert sessions["subagent-v"].parent == "b"
    assert (sessions["a"].children, sessions["b"].children) == (0, 1)


def test_nobody_is_made_a_parent_by_guessing(shop: Path) -> None:
    two_at_work(shop)
    trace(shop, "b", ("subagent_started", "***"), ("subagent_of_nothing", "v"))
    assert read(shop)["subagent-v"].parent is None


def test_a_trace_that_was_cut_takes_its_word_back(shop: Path) -> None:
    two_at_work(shop)
    trace(shop, "b", ("subagent_failed", "v"))
    with library(shop) as found:
        found.read_all()
        assert by_id(found)["subagent-v"].parent == "b"
        (shop / "memory" / "traces" / "trace-b.jsonl").write_text("")
        write(shop, "b", message("b", "user", "more", AT + 9500, run=2))
        found.rescan()
        found.read_all()
        assert by_id(found)["subagent-v"].parent is None


def test_the_words_of_a_call_tell_among_several(shop: Path) -> None:
    for name, offset in (("a", 0), ("b", 100)):
        write(shop, name, message(name, "user", "Go", AT + offset))
        write(shop, name, task(name, "requested", AT + 1000 + offset))
    write(shop, "a", task("a", "started", AT + 1001), task("a", "failed", AT + 1050))
    write(shop, "b", task("b", "started", AT + 1101))
    child(shop, "one", AT + 1010)
    child(shop, "two", AT + 1110)
    child(shop, "other", AT + 1110, "Look\n\nFind it. And more.")
    sessions = read(shop)
    assert sessions["subagent-one"].parent == "a"
    assert sessions["subagent-two"].parent == "b"
    assert sessions["subagent-other"].calls == ()


def test_equal_calls_have_a_sub_agent_each(shop: Path) -> None:
    write(shop, "a", message("a", "user", "Go"))
    for number in (1, 2):
        at = AT + 1000 * number
        write(shop, "a", task("a", "started", at, f"c{number}"))
        child(shop, f"n{number}", at + 10)
        write(shop, "a", task("a", "failed", at + 20, f"c{number}"))
    found = read(shop)
    calls = [found[f"subagent-n{number}"].calls for number in (1, 2)]
    assert len({*calls}) == 2
    assert calls == sorted(calls)
    assert all(calls)


def test_a_parent_is_known_at_a_glance(shop: Path) -> None:
    done = task("a", "completed", AT + 2000, result={"data": {"child_session_id": "x"}})
    write(shop, "a", message("a", "user", "Go"), task("a", "started", AT + 1000))
    write(shop, "a", padding("a", GLANCE), done, padding("a", 3 * GLANCE))
    path = child(shop, "x", AT + 400)
    write(shop, "subagent-x", padding("subagent-x", 2 * GLANCE))
    with library(shop) as found:
        for one in (path, *transcripts(shop)):
            found.glance(one)
        assert found.overviews.bytes_read == 0
        assert by_id(found)["subagent-x"].parent == "a"
        assert by_id(found)["subagent-x"].calls == ()
        found.read_all()
        assert by_id(found)["subagent-x"].parent == "a"
        assert by_id(found)["subagent-x"].calls


def test_a_result_that_comes_later_corrects_a_guess(shop: Path) -> None:
    write(shop, "a", message("a", "user", "Go"))
    write(shop, "b", message("b", "user", "Go", AT - 500), task("b", "started", AT - 400))
    child(shop, "x", AT - 300, "Other words")
    with library(shop) as found:
        found.read_all()
        assert by_id(found, AT)["subagent-x"].parent == "b"
        named = {"data": {"child_session_id": "x"}}
        write(shop, "a", task("a", "started", AT - 350), task("a", "completed", AT, result=named))
        found.rescan()
        found.read_all()
        sessions = by_id(found, AT)
    assert sessions["subagent-x"].parent == "a"
    assert (sessions["a"].children, sessions["b"].children) == (1, 0)


def test_who_waits_for_a_sub_agent_is_not_dead(shop: Path) -> None:
    minute = 60_000
    write(shop, "a", message("a", "user", "Go"), task("a", "started", AT + 1000))
    child(shop, "x", AT + 1010)
    with library(shop) as found:
        found.read_all()
        assert by_id(found, AT + 20 * minute)["a"].status == "crashed"
        write(shop, "subagent-x", message("subagent-x", "assistant", "…", AT + 20 * minute))
        found.rescan()
        found.read_all()
        sessions = by_id(found, AT + 20 * minute + 500)
    assert sessions["a"].status == sessions["subagent-x"].status == "working"
    at = AT + 20 * minute
    assert sessions["a"].family == Family(1, None, 0, 1, 0, "thinking", updated_at=at)
