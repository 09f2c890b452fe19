"""Effects without a record in `list`, `actions`, `recover` and `review`, which agree."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.review.effect_inspection import LATE
from sessions_tui.storage.review.effects import SEARCHED_FOR
from tests.storage.laid import laid_out
from tests.storage.responding import Responding

Sessions = Callable[..., Any]


@pytest.fixture
def agent(own_home: Path) -> Responding:
    """One that died an hour ago, with an Edit on record and two changes that are not."""
    agent = Responding(own_home, now=int(time.time() * 1000) - 3_600_000)
    for name in ("a.py", "b.py"):
        agent.file(name, "old\n", agent.at - 1_000)
    agent.prompt()
    agent.begin()
    agent.text()
    agent.edit("a.py")
    agent.track("a.py", "b.py")
    agent.file("b.py", "new\n", agent.at + 500)
    agent.file("made.txt", "new\n", agent.at + 700)
    return agent


def effect(agent: Responding, name: str) -> str:
    return f"effect:s1:{agent.project / name}"


def listed(sessions: Sessions, agent: Responding) -> dict[str, Any]:
    (session,) = sessions("list", "--json", "--root", agent.home).document["sessions"]
    return dict(session)


def test_list_actions_and_recover_agree(sessions: Sessions, agent: Responding) -> None:
    session = listed(sessions, agent)
    assert (session["status"], session["needs_you"], session["uncertain"]) == ("crashed", True, 3)
    actions = sessions("actions", "--json", "--root", agent.home).document
    by_found = {
        found: [a for a in actions if a["found"] == found]
        for found in (None, "snapshot", "directory")
    }
    assert [len(some) for some in by_found.values()] == [1, 1, 1]
    assert len(actions) == session["uncertain"]
    assert "2 files possibly changed by a call without a record" in session["why"]
    recovered = sessions("recover", "s1", "--json", "--root", agent.home).document
    assert [a["action"] for a in recovered["uncertain"]] == [a["action"] for a in by_found[None]]
    assert recovered["response_cut"] is True
    found = by_found["snapshot"] + by_found["directory"]
    assert {a["action"] for a in recovered["effects"]} == {a["action"] for a in found}
    assert all(a["evidence"]["reason"] for a in recovered["effects"])


def test_an_effect_as_json(sessions: Sessions, agent: Responding) -> None:
    actions = sessions("actions", "s1", "--json", "--root", agent.home).document
    (one,) = (a for a in actions if a["found"] == "snapshot")
    assert one["action"] == effect(agent, "b.py")
    assert {key: one[key] for key in ("session", "call_id", "tool", "state", "path", "args")} == {
        "session": "s1",
        "call_id": None,
        "tool": None,
        "state": "uncertain",
        "path": str(agent.project / "b.py"),
        "args": None,
    }
    assert one["evidence"]["suggests"] == "applied"
    assert one["evidence"]["reason"].startswith("A snapshot names it, but no recorded call does:")


def test_as_text(sessions: Sessions, agent: Responding) -> None:
    lines = sessions("actions", "--root", agent.home).out
    assert "change       b.py" in lines
    assert effect(agent, "made.txt") in lines
    assert "No recorded call accounts for it: the file was changed 0.7 s after" in lines
    page = sessions("recover", "s1", "--root", agent.home).out
    assert "the response was cut off while it was written; its calls may have run" in page
    assert "2 files changed without a record" in page
    why = sessions("list", "--why", "--root", agent.home).out
    assert "the response was cut off while it was written" in " ".join(why.split())


@pytest.mark.parametrize("name", ["b.py", "made.txt"])
def test_a_verdict_and_back(sessions: Sessions, agent: Responding, name: str) -> None:
    before = listed(sessions, agent)["uncertain"]
    root = ("--root", agent.home)
    given = sessions("review", effect(agent, name), "verified", "--note", "seen", "--json", *root)
    assert (given.code, given.document["verdict"], given.document["note"]) == (
        0,
        "verified",
        "seen",
    )
    sessions("index", "--rebuild", *root)
    (one,) = (
        a
        for a in sessions("actions", "--json", *root).document
        if a["action"] == effect(agent, name)
    )
    assert (one["verdict"], one["note"]) == ("verified", "seen")
    (told,) = (
        a
        for a in sessions("recover", "s1", "--json", *root).document["effects"]
        if a["action"] == effect(agent, name)
    )
    assert told["verdict"] == "verified"
    assert listed(sessions, agent)["uncertain"] == before - 1
    back = sessions("review", effect(agent, name), "--undo", "--json", *root)
    assert back.document["verdict"] is None
    assert listed(sessions, agent)["uncertain"] == before


def test_with_all_decided_nobody_is_needed(sessions: Sessions, agent: Responding) -> None:
    for action in sessions("actions", "--json", "--root", agent.home).document:
        sessions("review", action["action"], "dismissed", "--root", agent.home)
    session = listed(sessions, agent)
    assert (session["needs_you"], session["uncertain"]) == (False, 0)
    assert "the response was cut off" in session["why"]


def test_a_note_for_the_agent(sessions: Sessions, agent: Responding) -> None:
    sessions("review", effect(agent, "b.py"), "not-applied", "--root", agent.home)
    note = sessions("actions", "--for-agent", "--root", agent.home).out
    assert "Change of b.py without a recorded call was checked by the user: not applied" in note
    assert "Change of made.txt without a recorded call has not been checked" in note


@pytest.mark.parametrize("id", ["effect:s1:", "effect:other:/a", "effect:"])
def test_an_effect_that_is_not_there(sessions: Sessions, agent: Responding, id: str) -> None:
    ran = sessions("review", id, "verified", "--root", agent.home)
    assert ran.code == 2
    assert "There is no effect" in ran.err


def test_a_session_that_went_on_has_none(sessions: Sessions, agent: Responding) -> None:
    agent.prompt("Go on")
    agent.begin()
    agent.text("Done.", last=True)
    assert all(
        a["found"] is None for a in sessions("actions", "--json", "--root", agent.home).document
    )
    recovered = sessions("recover", "s1", "--json", "--root", agent.home).document
    assert (recovered["effects"], recovered["response_cut"]) == ([], False)
    ran = sessions("review", effect(agent, "b.py"), "verified", "--root", agent.home)
    assert ran.code == 2


@pytest.mark.parametrize(
    ("case", "names"),
    [
        ("cb02-text-without-usage", {"util.py"}),
        ("cb03-calls-without-record", {"two.py", "three.py"}),
    ],
)
def test_as_the_real_program_leaves_it(
    sessions: Sessions, own_home: Path, case: str, names: set[str]
) -> None:
    home = laid_out(case, own_home)
    (session,) = sessions("list", "--json", "--root", home).document["sessions"]
    assert session["status"] == "crashed"
    actions = sessions("actions", "--json", "--root", home).document
    effects = [a for a in actions if a["found"]]
    assert {Path(a["path"]).name for a in effects} == names
    assert {a["evidence"]["suggests"] for a in effects} == {"applied"}


def test_a_file_that_only_a_search_finds_needs_its_person(
    sessions: Sessions, own_home: Path
) -> None:
    agent = Responding(own_home, now=int(time.time() * 1000) - 3_600_000)
    agent.prompt()
    agent.begin()
    agent.text()
    agent.file("made.txt", "new\n", agent.at + 700)
    for verdict, needs_you, uncertain in (("", True, 1), ("applied", False, 0)):
        if verdict:
            sessions("review", effect(agent, "made.txt"), verdict, "--root", agent.home)
        session = listed(sessions, agent)
        assert (session["needs_you"], session["uncertain"]) == (needs_you, uncertain)


def test_a_file_that_was_changed_long_after_is_listed_and_needs_nobody(
    sessions: Sessions, own_home: Path
) -> None:
    agent = Responding(own_home, now=int(time.time() * 1000) - 3_600_000)
    agent.prompt()
    agent.begin()
    agent.text()
    agent.file("made.txt", "new\n", agent.at + LATE + 60_000)
    session = listed(sessions, agent)
    assert (session["needs_you"], session["uncertain"]) == (False, 1)
    assert len(sessions("actions", "--json", "--root", agent.home).document) == 1


def test_long_after_its_end_nothing_is_searched_for_a_session(
    sessions: Sessions, own_home: Path
) -> None:
    agent = Responding(own_home, now=int(time.time() * 1000) - SEARCHED_FOR - 3_600_000)
    agent.prompt()
    agent.begin()
    agent.text()
    agent.file("made.txt", "new\n", agent.at + 700)
    assert listed(sessions, agent)["uncertain"] == 0
    asked = sessions("actions", "s1", "--json", "--root", agent.home)
    assert asked.document == []
    assert "ended too long ago to search its directory" in asked.err
