"""The commands on sessions that go on in further files: any part means the whole."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.app.commands.scope import UsageError, find_path
from tests.app.commands.test_tail_command import following, next_text
from tests.app.conftest import Sessions
from tests.storage.parts import AT, Part, Run, store


@pytest.fixture
def parts(tmp_path: Path) -> list[Part]:
    """A session of three parts: one call goes on in the next, one is left open."""
    _, folder = store(tmp_path)
    first = Part(folder, "s").asks("mend the parser").says("ai-title", title="Mending").calls("c1")
    first.calls("c0").calls("c2").returns("c0")
    second = Part(folder, "s_2", "s", AT + 60_000).returns("c1", "mended it").answers("half of it")
    third = Part(folder, "s_3", "s_2", AT + 120_000).asks("and the lexer").answers("all of it")
    return [first, second, third]


@pytest.fixture
def home(parts: list[Part]) -> Path:
    """Their store."""
    return parts[0].path.parents[2]


IDS = ["s", "s_2", "s_3"]


def test_the_list_tells_the_older_parts(sessions: Sessions, home: Path) -> None:
    (told,) = sessions("list", "--root", home, "--json").document["sessions"]
    assert (told["session"], told["parts"]) == ("s_3", ["s", "s_2"])
    assert (told["title"], told["events"], told["uncertain"]) == ("Mending", 10, 1)


@pytest.mark.parametrize("id", IDS)
def test_show_tells_all_parts(sessions: Sessions, home: Path, id: str) -> None:
    ran = sessions("show", id, "--root", home, "--json")
    assert ran.code == 0
    told = [(event["event_id"], event["state"], event["action"]) for event in ran.objects]
    assert [event_id for event_id, _, _ in told] == [
        *(f"transcript:s:{number}" for number in range(1, 7)),
        *(f"transcript:s_2:{number}" for number in (1, 2)),
        *(f"transcript:s_3:{number}" for number in (1, 2)),
    ]
    assert [state for _, state, _ in told[2:5]] == ["completed", "completed", "uncertain"]
    assert told[6] == ("transcript:s_2:1", None, "transcript:s:3")


@pytest.mark.parametrize("named", range(3))
def test_a_path_of_any_part_means_the_session(
    sessions: Sessions, own_home: Path, parts: list[Part], named: int
) -> None:
    ran = sessions("show", parts[named].path, "--json")
    assert len(ran.objects) == 10


@pytest.mark.parametrize(("last", "first"), [(1, "s_3:2"), (3, "s_2:2"), (5, "s:6"), (99, "s:1")])
def test_the_last_events_reach_into_older_parts(
    sessions: Sessions, home: Path, last: int, first: str
) -> None:
    ran = sessions("show", "s", "--root", home, "--last", last, "--json")
    assert len(ran.objects) == min(last, 10)
    assert ran.objects[0]["event_id"] == f"transcript:{first}"
    lines = sessions("show", "s", "--root", home, "--last", 4).out.splitlines()
    wanted = ("mended", "half", "lexer", "all of")
    assert all(words in line for words, line in zip(wanted, lines, strict=True))


def test_one_event_with_its_late_result(sessions: Sessions, home: Path) -> None:
    ran = sessions("show", "s_3", "--root", home, "--event", "transcript:s:3")
    assert "mended it" in ran.out
    by_number = ["candidate", "add", "2", "--summary", "x", "--reason", "y", "--root", home]
    added = sessions(*by_number, "--session", "s_2", "--json")
    assert added.document["source_id"] == "transcript:s_2:2"
    added = sessions(*by_number, "--session", "s_3", "--json")
    assert added.document["source_id"] == "transcript:s_3:2"
    listed = sessions("candidate", "list", "--session", "s", "--root", home, "--json").document
    assert [one["session_id"] for one in listed] == ["s_2", "s_3"]
    (told,) = sessions("list", "--root", home, "--json").document["sessions"]
    assert told["candidates"] == 2


@pytest.mark.parametrize("id", IDS)
def test_recover_restores_the_whole(sessions: Sessions, home: Path, id: str) -> None:
    ran = sessions("recover", id, "--root", home, "--json")
    told = ran.document
    assert ran.code == 0
    assert (told["session"], told["total_events"], told["next_sequence"]) == ("s_3", 10, 3)
    assert told["title"] == "Mending"
    assert [action["action"] for action in told["uncertain"]] == ["transcript:s:5"]
    assert sorted(told["completed"]) == ["c0", "c1"]
    assert len(told["messages"]) == 9
    few = sessions("recover", id, "--root", home, "--json", "--max-items", 3).document
    assert [message["content"] for message in few["messages"]] == [
        "half of it",
        "and the lexer",
        "all of it",
    ]


def test_recover_of_a_corrupt_older_part_fails_closed(
    sessions: Sessions, home: Path, parts: list[Part]
) -> None:
    parts[1].writes(b"{}}\n")
    ran = sessions("recover", "s", "--root", home, "--json")
    assert ran.code == 1
    assert ran.document["integrity"]["state"] == "corrupt"
    assert "s_2.jsonl" in ran.document["integrity"]["detail"]
    assert ran.document["messages"] is None


@pytest.mark.parametrize("id", IDS)
def test_check_of_an_id_is_of_all_parts_and_of_a_path_of_one(
    sessions: Sessions, home: Path, parts: list[Part], id: str
) -> None:
    parts[1].writes(b"{}}\n")
    ran = sessions("check", id, "--root", home, "--json")
    assert ran.code == 1
    states = [(one["session"], one["integrity"]["state"]) for one in ran.document]
    assert states == [("s", "ok"), ("s_2", "corrupt"), ("s_3", "ok")]
    (one,) = sessions("check", parts[0].path, "--json").document
    assert one["session"] == "s"


def test_show_of_a_number_is_of_the_part_that_is_named(sessions: Sessions, home: Path) -> None:
    ran = sessions("show", "s_2", "--event", "2", "--root", home, "--json")
    assert [one["event_id"] for one in ran.objects] == ["transcript:s_2:2"]
    assert sessions("show", "s", "--event", "99", "--root", home).code == 2


def test_memory_is_of_all_parts(sessions: Sessions, home: Path) -> None:
    told = sessions("memory", "s_2", "--root", home, "--json").document
    assert (told["session"], told["event_count"]) == ("s_3", 10)
    assert told["current_goal"]["source"]["start_event_id"] == "transcript:s_3:1"
    assert told["last_event_id"] == "transcript:s_3:2"
    assert [item["source"]["start_event_id"] for item in told["todo_items"]] == ["transcript:s:5"]


def actions(sessions: Sessions, home: Path, *words: object) -> list[Any]:
    document = sessions("actions", *words, "--root", home, "--json").document
    assert isinstance(document, list)
    return document


def test_actions_and_verdicts(sessions: Sessions, home: Path) -> None:
    for words in [(), ("s",), ("s_3",)]:
        (told,) = actions(sessions, home, *words)
        assert (told["action"], told["state"]) == ("transcript:s:5", "uncertain")
    states = {one["call_id"]: one["state"] for one in actions(sessions, home, "s", "--all")}
    assert states == {"c0": "completed", "c1": "completed", "c2": "uncertain"}
    refused = sessions("review", "transcript:s:3", "verified", "--root", home)
    assert refused.code == 1
    assert "needs no verdict" in refused.err
    kept = sessions("review", "transcript:s:5", "verified", "--root", home, "--json")
    assert kept.document["verdict"] == "verified"
    (told,) = sessions("list", "--root", home, "--json").document["sessions"]
    assert told["uncertain"] == 0


def test_search_finds_in_all_parts(sessions: Sessions, home: Path) -> None:
    ran = sessions("search", "of it", "--session", "s_2", "--root", home, "--json")
    assert [hit["session"] for hit in ran.objects] == ["s_3", "s_2"]
    ran = sessions("search", "parser has:uncertain", "--root", home, "--json")
    assert [hit["event_id"] for hit in ran.objects] == ["transcript:s:1"]


def test_titles_and_pins_of_parts_can_be_taken_back(sessions: Sessions, home: Path) -> None:
    def told(*words: object) -> dict[str, Any]:
        return dict(sessions(*words, "--root", home, "--json").document)

    assert told("title", "s", "Mine")["title"] == "Mine"
    pinned = told("pin", "s_2")
    assert (pinned["session"], pinned["pinned"]) == ("s_3", True)
    assert told("pin", "s", "--undo")["pinned"] is False
    assert told("title", "s_3")["title"] == "Mending"


def test_a_decision_made_before_it_went_on_can_be_taken_back(
    sessions: Sessions, tmp_path: Path
) -> None:
    home, folder = store(tmp_path)
    Part(folder, "s").asks("one").answers("x")
    sessions("pin", "s", "--root", home)
    sessions("title", "s", "Mine", "--root", home)
    Part(folder, "s_2", "s", AT + 60_000).asks("two").answers("x")
    (told,) = sessions("list", "--root", home, "--json").document["sessions"]
    assert (told["pinned"], told["title"]) == (True, "Mine")
    sessions("pin", "s_2", "--undo", "--root", home)
    sessions("title", "s_2", "--root", home)
    (told,) = sessions("list", "--root", home, "--json").document["sessions"]
    assert (told["pinned"], told["title"]) == (False, "one")


def test_a_prefix_that_only_parts_share_is_not_ambiguous(sessions: Sessions, home: Path) -> None:
    assert len(sessions("show", "s_", "--root", home, "--json").objects) == 10


def test_the_screen_is_told_any_part_by_such_a_prefix(parts: list[Part]) -> None:
    known = [(part.session, part.path) for part in parts]
    assert find_path("s_", known) in [part.path for part in parts]
    other = Part(parts[0].path.parent, "s_x").asks("no part")
    with pytest.raises(UsageError, match="matches 3"):
        find_path("s_", [*known, (other.session, other.path)])


def test_mycodeagents_calls_across_parts(sessions: Sessions, tmp_path: Path) -> None:
    Run(tmp_path, "s").asks("mend it").tool("requested", "c1").tool("started", "c1").tool(
        "requested", "c2"
    )
    Run(tmp_path, "s_2", "s", AT + 60_000).tool("completed", "c1").tool("started", "c2")
    told = sessions("recover", "s", "--root", tmp_path, "--json").document
    assert told["completed"] == ["c1"]
    assert [action["call_id"] for action in told["uncertain"]] == ["c2"]
    assert (told["total_events"], told["next_sequence"]) == (6, None)
    assert [one["call_id"] for one in actions(sessions, tmp_path, "s_2")] == ["c2"]
    states = {one["call_id"]: one["state"] for one in actions(sessions, tmp_path, "s_2", "--all")}
    assert states == {"c1": "completed", "c2": "uncertain"}


def test_tail_goes_on_in_a_new_part(program: str, parts: list[Part]) -> None:
    third = parts[2]
    with following(program, third.path, "--last", "4", "--json") as process:
        seen = [next_text(process) for _ in range(4)]
        assert seen == ["mended it", "half of it", "and the lexer", "all of it"]
        third.asks("one more")
        assert next_text(process) == "one more"
        Part(third.path.parent, "other").asks("elsewhere")
        fourth = Part(third.path.parent, "s_4", "s_3", AT + 180_000)
        third.answers("the last of it")
        fourth.asks("here now")
        assert next_text(process) == "the last of it"
        assert next_text(process) == "here now"
        fourth.answers("and on")
        assert next_text(process) == "and on"
        Part(third.path.parent, "s_5", "s_4", AT + 240_000).asks("and on again")
        assert next_text(process) == "and on again"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "")
