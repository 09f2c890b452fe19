"""The list's order, groups and folding."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.session import Session
from sessions_tui.widgets.sessions.grouping import (
    Arrangement,
    Entry,
    GroupBy,
    Header,
    entries,
    top_level,
)
from sessions_tui.widgets.words.session_filter import parse

NOW = 1_795_953_731_000
HOUR = 3_600_000


def session(name: str, hours: float = 1, **changes: Any) -> Session:
    known: dict[str, Any] = {
        "session": name,
        "path": Path(f"/store/{name}.jsonl"),
        "agent": AGENTS["product"],
        "workspace": "/src/shop",
        "title": name,
        "title_from": "prompt",
        "status": "done",
        "why": "",
        "updated_at": round(NOW - hours * HOUR),
    }
    return Session(**{**known, **changes})


def path(name: str) -> Path:
    return Path(f"/store/{name}.jsonl")


def outline(found: Iterable[Entry]) -> list[str]:
    """Headings, and titles with their depth as blanks."""
    return [
        f"{one.title} {one.count}"
        if isinstance(one, Header)
        else " " * one.depth + one.session.title
        for one in found
    ]


def test_the_neediest_stand_first_then_the_newest() -> None:
    found = entries(
        [
            session("old", 40),
            session("new", 1),
            session("busy", 0, status="working"),
            session("asks", 3, status="asking", needs_you=True),
            session("broke", 2, status="crashed", needs_you=True, uncertain=1),
            session("kept", 90),
            session("undated", updated_at=None),
        ],
        Arrangement(pinned=frozenset({path("kept")})),
        NOW,
    )
    assert outline(found) == [
        "NEEDS YOU 2",
        "broke",
        "asks",
        "PINNED 1",
        "kept",
        "WORKING 1",
        "busy",
        "TODAY 1",
        "new",
        "FRIDAY 27 NOV 1",
        "old",
        "NO DATE 1",
        "undated",
    ]


def test_by_workspace() -> None:
    found = entries(
        [
            session("b", 1, workspace="/src/b"),
            session("a", 2, workspace="/src/a"),
            session("needy", 3, workspace="/src/a", needs_you=True),
        ],
        Arrangement(group_by="workspace"),
        NOW,
    )
    assert outline(found) == ["/src/a 2", "needy", "a", "/src/b 1", "b"]


def test_workspaces_stand_in_the_order_of_their_names() -> None:
    found = entries(
        [session("b", workspace="/a/zoo"), session("a", workspace="/z/Apple")],
        Arrangement(group_by="workspace"),
        NOW,
    )
    assert outline(found) == ["/z/Apple 1", "a", "/a/zoo 1", "b"]


@pytest.mark.parametrize("group_by", ["day", "workspace"])
def test_those_at_work_keep_their_places(group_by: GroupBy) -> None:
    def listed(hours: tuple[float, float]) -> list[str]:
        at_work = [
            session("early", hours[0], status="working", started_at=1),
            session("late", hours[1], status="working", started_at=2),
        ]
        return outline(entries(at_work, Arrangement(group_by=group_by), NOW))[1:]

    assert listed((0, 0.01)) == listed((0.01, 0)) == ["late", "early"]


def family() -> list[Session]:
    return [
        session("parent"),
        session("late", parent="parent", parent_path=path("parent"), started_at=2),
        session("early", parent="parent", parent_path=path("parent"), started_at=1),
        session("grandchild", parent="early", parent_path=path("early")),
        session("orphan", 50, parent="gone", parent_path=path("gone")),
    ]


def test_sub_agents_fold_below_their_parent() -> None:
    assert outline(entries(family(), Arrangement(), NOW)) == [
        "TODAY 1",
        "parent",
        "FRIDAY 27 NOV 1",
        "orphan",
    ]
    unfolded = Arrangement(unfolded=frozenset({path("parent"), path("early")}))
    assert outline(entries(family(), unfolded, NOW))[:5] == [
        "TODAY 1",
        "parent",
        " early",
        "  grandchild",
        " late",
    ]
    assert top_level(family()) == 1


def test_a_sub_agent_that_is_found_shows_below_its_parent() -> None:
    found = entries(family(), Arrangement(filter=parse("grandchild", NOW)), NOW)
    assert outline(found) == ["TODAY 1", "parent", " early", "  grandchild", " late"]


def test_sub_agents_that_name_each_other_are_not_lost() -> None:
    circle = [
        session("self", parent="self", parent_path=path("self")),
        session("one", parent="other", parent_path=path("other")),
        session("other", parent="one", parent_path=path("one")),
    ]
    assert outline(entries(circle, Arrangement(), NOW)) == ["TODAY 3", "one", "other", "self"]


def test_hidden_sessions() -> None:
    sessions = [session("seen"), session("hidden", hidden_by="app")]
    assert outline(entries(sessions, Arrangement(), NOW)) == ["TODAY 1", "seen"]
    asked = Arrangement(filter=parse("status:hidden", NOW))
    assert outline(entries(sessions, asked, NOW)) == ["TODAY 1", "hidden"]


def test_a_session_stays_unfolded_when_it_goes_on_in_a_new_part() -> None:
    parent = session("s_2", parts=(path("s"),))
    child = session("child", parent="s_2", parent_path=parent.path)
    shown = entries([parent, child], Arrangement(unfolded=frozenset({path("s")})), NOW)
    names = [one.session.session for one in shown if not isinstance(one, Header)]
    assert names == ["s_2", "child"]
