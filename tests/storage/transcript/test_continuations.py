"""Sessions that go on in further files: which files are parts of one, and what they come to."""

from __future__ import annotations

import itertools
from contextlib import closing
from pathlib import Path

import pytest

from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.transcript.continuations import address, place
from sessions_tui.storage.transcript.overview import GLANCE
from tests.storage.parts import AT, LATER, Part, Run, by_id, library, read, store


def test_an_address_tells_part_and_offset() -> None:
    assert address(0, 4711) == 4711
    assert place(address(99, (1 << 40) - 1)) == (99, (1 << 40) - 1)
    assert address(1, 0) > address(0, (1 << 40) - 1)


def test_parts_are_one_session(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    first = Part(folder, "s").asks("mend it").says("ai-title", title="Mending").calls("c1")
    second = Part(folder, "s_2", "s", AT + 60_000).returns("c1").answers("mended").asks("more")
    third = Part(folder, "s_3", "s_2", AT + 120_000).calls("c2", "Bash", command="ls").returns("c2")
    third.answers("all done")
    sessions = read(home)
    assert [*sessions] == ["s_3"]
    session = sessions["s_3"]
    paths = (first.path, second.path, third.path)
    assert session.path == third.path
    assert session.parts == paths[:2]
    assert session.part_ids == ("s", "s_2")
    assert session.paths == paths
    assert (session.events, session.uncertain, session.status) == (9, 0, "done")
    assert session.bytes == sum(path.stat().st_size for path in paths)
    assert session.started_at == AT + 1_000
    assert session.updated_at == AT + 123_000
    assert (session.title, session.title_from) == ("Mending", "ai-title")
    assert session.tools == {"Edit", "Bash"}
    assert session.asked == "mend it more"
    assert session.integrity.state == "ok"
    assert session.origin is None


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_links_do_not_depend_on_the_order_of_reading(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    home, folder = store(tmp_path)
    parts = [
        Part(folder, name, before, AT + number * 60_000).asks(f"ask {number}").answers("x")
        for number, (name, before) in enumerate([("b", None), ("c", "b"), ("a", "c")])
    ]
    with library(home) as found:
        for number in order:
            found.read(parts[number].path)
            found.sessions(LATER)
        sessions = by_id(found)
        assert [*sessions] == ["a"]
        assert sessions["a"].part_ids == ("b", "c")
        assert sessions["a"].asked == "ask 0 ask 2"


def test_parts_are_known_by_a_glance(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    names = ["s", "s_2", "s_3"]
    for number, name in enumerate(names):
        part = Part(folder, name, names[number - 1] if number else None, AT + number * 60_000)
        for turn in range(100):
            part.asks(f"ask {turn} of {name}").answers("x" * 2_000)
        assert part.path.stat().st_size > 2 * GLANCE
    with library(home) as found:
        for path in found.newest_first():
            found.glance(path)
        session = by_id(found)["s_3"]
        assert len(found.sessions(LATER)) == 1
        assert session.part_ids == ("s", "s_2")
        assert session.title == "ask 0 of s"
        assert session.events is None
        found.read_all()
        assert by_id(found)["s_3"].events == 600


def test_a_file_only_named_like_a_part_is_a_session_of_its_own(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("one").answers("x")
    Part(folder, "s_2").asks("two").answers("x")
    Part(folder, "s_3", "gone").asks("three").answers("x")
    Part(folder.with_name("src-other"), "s_4", "s").asks("elsewhere").answers("x")
    sessions = read(home)
    assert sorted(sessions) == ["s", "s_2", "s_3", "s_4"]
    assert not any(session.parts or session.origin for session in sessions.values())


def test_of_two_claimants_the_earlier_goes_on(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("one").answers("x")
    Part(folder, "a", "s", AT + 120_000).asks("late").answers("x")
    Part(folder, "z", "s", AT + 60_000).asks("early").answers("x")
    sessions = read(home)
    assert sorted(sessions) == ["a", "z"]
    assert sessions["z"].part_ids == ("s",)
    origin = sessions["a"].origin
    assert not sessions["a"].parts
    assert origin is not None
    assert (origin.kind, origin.session, origin.path) == (
        "continuation",
        "z",
        sessions["z"].path,
    )


def test_a_circle_is_no_session_of_parts(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "a", "b").asks("one").answers("x")
    Part(folder, "b", "a").asks("two").answers("x")
    Part(folder, "c", "c").asks("three").answers("x")
    Part(folder, "d", "a", AT + 60_000).asks("four").answers("x")
    sessions = read(home)
    assert sorted(sessions) == ["b", "c", "d"]
    assert sessions["d"].part_ids == ("a",)


def test_a_call_left_open_in_an_older_part_is_uncertain(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("mend it").calls("c1").calls("c2")
    with library(home) as found:
        found.read_all()
        session = by_id(found, AT + 5_000)["s"]
        assert (session.status, session.uncertain) == ("working", 0)
        Part(folder, "s_2", "s", AT + 4_000).returns("c2").asks("go on")
        found.rescan()
        found.read_all()
        session = by_id(found, AT + 7_000)["s_2"]
        assert (session.status, session.uncertain, session.needs_you) == ("working", 1, True)


def test_calls_of_one_response_are_waited_for_across_parts(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("mend it").calls("c1").calls("c2")
    second = Part(folder, "s_2", "s", AT + 4_000).returns("c2")
    with library(home) as found:
        found.read_all()
        session = by_id(found, AT + 6_000)["s_2"]
        assert (session.status, session.uncertain) == ("working", 0)
        assert session.doing.startswith("Edit")
        second.returns("c1").answers("done")
        found.rescan()
        found.read_all()
        session = by_id(found, AT + 60_000)["s_2"]
        assert (session.status, session.uncertain) == ("done", 0)


def test_a_torn_tail_of_an_older_part_is_no_fault(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("one").writes(b'{"schema_version": 1, "sequ')
    Part(folder, "s_2", "s", AT + 60_000).asks("two").answers("x")
    session = read(home)["s_2"]
    assert session.integrity.state == "ok"
    assert (session.events, session.status) == (3, "done")


def test_a_corrupt_older_part_is_the_sessions(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("one").writes(b"{broken}\n")
    Part(folder, "s_2", "s", AT + 60_000).asks("two").answers("x")
    session = read(home)["s_2"]
    assert (session.status, session.integrity.state) == ("corrupt", "corrupt")
    assert session.integrity.detail.startswith("in s.jsonl, ")


def test_decisions_on_any_part_are_of_the_session(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    first = Part(folder, "s").asks("one").answers("x")
    second = Part(folder, "s_2", "s", AT + 60_000).asks("two").answers("x")
    with closing(Decisions(tmp_path / "data")) as decisions:
        decisions.set_title("s", first.path, "Mine", LATER)
        decisions.set_pinned("s_2", second.path, True, LATER)
        decisions.set_hidden("s", first.path, True, LATER)
        with library(home, decisions=decisions) as found:
            found.read_all()
            session = by_id(found)["s_2"]
            told = (session.title, session.title_from, session.pinned, session.hidden_by)
            assert told == ("Mine", "user", True, "user")
            decisions.set_title("s_2", second.path, "Newer", LATER)
            assert by_id(found)["s_2"].title == "Newer"


def test_mycodeagents_parts_and_their_sub_agents(tmp_path: Path) -> None:
    first = Run(tmp_path, "s-1").asks("mend it").tool("requested", "c1").tool("started", "c1")
    first.tool("requested", "c2")
    second = Run(tmp_path, "s-1_2", "s-1", AT + 60_000).tool("completed", "c1")
    second.tool("started", "c2").tool("completed", "c2")
    second.says("terminal", {"reason": "completed", "details": {}})
    session = read(tmp_path)["s-1_2"]
    assert session.parts == (first.path,)
    assert session.part_ids == ("s-1",)
    assert (session.status, session.uncertain, session.events) == ("done", 0, 8)
    assert session.path == second.path


def test_sub_agents_of_any_part_work_for_the_session(tmp_path: Path) -> None:
    Run(tmp_path, "s-1").asks("mend it").says(
        "tool_lifecycle",
        {"tool_name": "Task", "tool_call_id": "t1", "status": "completed"}
        | {"result": {"status": "success", "data": {"child_trace_session_id": "k"}, "text": ""}},
    )
    Run(tmp_path, "s-1_2", "s-1", AT + 60_000).asks("more", "run-2")
    Run(tmp_path, "subagent-k", at=AT + 500).asks("part of it")
    Run(tmp_path, "subagent-k_2", "subagent-k", at=AT + 700).asks("rest of it")
    sessions = read(tmp_path)
    assert sorted(sessions) == ["s-1_2", "subagent-k_2"]
    assert sessions["subagent-k_2"].parent == "s-1_2"
    assert sessions["s-1_2"].children == 1


def test_a_rollover_does_not_read_older_parts_again(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    for number in range(100):
        before = f"s_{number - 1}" if number else None
        Part(folder, f"s_{number}", before, AT + number * 10_000).asks("one").answers("x")
    with library(home, tmp_path / "cache") as found:
        found.read_all()
        assert by_id(found)["s_99"].events == 200
        read, parsed = found.overviews.bytes_read, len(found.overviews.parsed)
        part = Part(folder, "s_100", "s_99", AT + 1_000_000).asks("two")
        found.rescan()
        found.read_all()
        session = by_id(found)["s_100"]
        assert len(found.sessions(LATER)) == 1
        assert (session.events, len(session.parts)) == (201, 100)
        assert len(found.overviews.parsed) == parsed + 1
        assert found.overviews.bytes_read == read + part.path.stat().st_size


def test_a_newest_part_that_goes_leaves_the_session_before(tmp_path: Path) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("one").answers("x")
    second = Part(folder, "s_2", "s", AT + 60_000).asks("two").answers("x")
    with library(home) as found:
        found.read_all()
        assert [*by_id(found)] == ["s_2"]
        second.path.unlink()
        found.rescan()
        assert [*by_id(found)] == ["s"]
