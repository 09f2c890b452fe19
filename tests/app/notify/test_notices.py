"""What is told of sessions while one looks elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.app.notify.notices import LONG_CALL, REST, Lookout, Notice, sentence
from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.family import Family
from sessions_tui.storage.model.session import Session

NOW = 1_778_508_131_000


def session(name: str = "s", **changes: Any) -> Session:
    """A session that works."""
    one = Session(
        name,
        Path(f"/{name}.jsonl"),
        AGENTS["product"],
        "/src/shop",
        f"Session {name}",
        "prompt",
        "working",
        "Process 1 is alive.",
        events=10,
        updated_at=NOW - 1000,
    )
    return replace(one, **changes)


def told(*moments: list[Session], every: int = 0) -> list[list[str]]:
    """What was told at each look, one `every` so many milliseconds."""
    lookout = Lookout()
    return [
        [f"{one.path.stem} {one.kind}" for one in lookout.look(sessions, NOW + number * every)]
        for number, sessions in enumerate(moments)
    ]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"status": "asking", "needs_you": True}, "needs you"),
        ({"status": "crashed"}, "died"),
        ({"status": "crashed", "needs_you": True}, "died"),
        ({"status": "interrupted"}, None),
        ({"status": "unknown"}, None),
        ({"updated_at": NOW}, None),
        ({"status": "done", "parent_path": Path("/p.jsonl")}, None),
        ({"status": "done", "hidden_by": "user"}, None),
    ],
)
def test_a_change_is_told_once(changes: dict[str, Any], kind: str | None) -> None:
    now = session(**changes)
    told_first, told_then, told_later = told([session()], [now], [replace(now)])
    assert told_first == []
    assert told_then == ([f"s {kind}"] if kind else [])
    assert told_later == []


@pytest.mark.parametrize("status", ["waiting", "done"])
def test_a_turn_has_ended_once_it_rests(status: str) -> None:
    ended = session(status=status)
    looks = told([session()], [ended], [ended], [replace(ended)], every=REST)
    assert looks == [[], [], ["s finished"], []]
    assert told([session()], [ended], [session()], [session()], every=REST) == [[], [], [], []]
    assert told([session()], [ended], [], every=REST) == [[], [], []]


def test_what_was_so_at_first_is_no_news() -> None:
    assert told([session(status="crashed", needs_you=True)], []) == [[], []]
    assert told([], [session("new", status="asking", needs_you=True)]) == [[], []]


def test_what_reading_on_shows_in_an_old_file_is_no_news() -> None:
    glanced = session(events=None, status="unknown")
    assert told([glanced], [session(status="crashed", needs_you=True)]) == [[], []]


def test_a_verdict_that_is_taken_back_is_no_news() -> None:
    crashed = session(status="crashed")
    assert told([crashed], [replace(crashed, needs_you=True)]) == [[], []]


def test_a_session_finishes_with_the_last_of_its_sub_agents() -> None:
    done = session(status="done")
    at_work = replace(done, family=Family(1, working=1, updated_at=NOW))
    at_rest = replace(done, family=Family(1, updated_at=NOW + 9))
    looks = told([session()], [at_work], [at_rest], [at_rest], every=REST)
    assert looks == [[], [], [], ["s finished"]]


@pytest.mark.parametrize("how", [{"updated_at": NOW}, {"crashed": 1}])
def test_a_sub_agent_that_needs_its_person_is_told_of_its_session(how: dict[str, Any]) -> None:
    before = session(status="done", family=Family(1))
    after = replace(before, family=Family(1, needing=1, why="No answer yet.", **how))
    lookout = Lookout()
    assert lookout.look([before], NOW) == []
    told_of = [Notice(before.path, "needs you", "Session s (shop)", "No answer yet.")]
    assert lookout.look([after], NOW) == told_of
    undecided = replace(after, family=Family(1, needing=1))
    assert told([before], [undecided]) == [[], []]  # a verdict of the person's was taken back


def test_a_long_call_is_told_once_each() -> None:
    first, second = NOW - LONG_CALL - 1, NOW - LONG_CALL
    short = session(call_since=NOW - LONG_CALL + 1)
    moments = [[short], [session(call_since=first)], [session(call_since=first)]]
    assert told(*moments, [session(call_since=second)]) == [
        [],
        ["s long call"],
        [],
        ["s long call"],
    ]
    assert told([session(call_since=first)], [session(call_since=first)]) == [[], []]


def test_many_are_told_in_one_sentence() -> None:
    notices = [Notice(Path(f"/{n}.jsonl"), "finished", "T", "") for n in range(2)]
    notices.append(Notice(Path("/c.jsonl"), "needs you", "T", ""))
    assert sentence(notices) == "2 sessions finished, 1 session needs you."
    assert sentence(notices[-1:]) == "T needs you."


def test_a_session_that_goes_on_in_a_new_part_is_the_same() -> None:
    before = session("s", call_since=NOW - LONG_CALL)
    on = session("s_2", parts=(before.path,), call_since=before.call_since)
    done = replace(on, status="done")
    assert told([before], [on], [done], [done], every=REST)[-2:] == [[], ["s_2 finished"]]
    assert told([before], [before], [on])[2] == []
    asks = session("s_2", parts=(before.path,), status="asking", needs_you=True)
    assert told([session("s")], [asks]) == [[], ["s_2 needs you"]]
