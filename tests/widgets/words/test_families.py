"""Families and origins on screen: list, header and timeline."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.family import Family, Origin
from sessions_tui.storage.model.session import Session
from sessions_tui.widgets.base.session_header import SessionHeader
from sessions_tui.widgets.sessions.grouping import Arrangement, entries
from sessions_tui.widgets.sessions.list import SessionList
from sessions_tui.widgets.words.families import (
    NARROW,
    family_tokens,
    family_words,
    origin_words,
    path_title,
)

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

AT_WORK = Family(3, Usage(1_000, 30_000, 3_000), 2, 2, 0, "Grep reserve")
WANTING = Family(1, None, 1, 0, 1)


class Host(App[None]):
    """A head above a list."""

    def __init__(self, sessions: list[Session], shown: Session, how: Arrangement, now: int) -> None:
        super().__init__()
        self.head = SessionHeader(shown, now=now)
        self.list = SessionList(entries(sessions, how, now), now=now)

    def compose(self) -> ComposeResult:
        yield self.head
        yield self.list


@pytest.fixture
def kin(sessions: list[Session]) -> list[Session]:
    """One with sub-agents at work, a fork whose sub-agent wants something, one that goes on."""
    of = {session.session: session for session in sessions}
    source = Origin("fork", "a", Path("/store/a.jsonl"), of["a"].title)
    before = Origin("continuation", "g", Path("/store/g.jsonl"), of["g"].title)
    lineage = (of["e"].title,)
    return [
        dataclasses.replace(of["e"], family=AT_WORK, tokens=Usage(2_000, 200_000, 10_000)),
        *(dataclasses.replace(of[name], lineage=lineage) for name in ("e1", "e2")),
        dataclasses.replace(of["d"], family=WANTING, children=1, origin=source),
        dataclasses.replace(of["g"], origin=before),
    ]


@pytest.mark.parametrize(("width", "shown"), [(120, 0), (120, 1), (120, 3), (60, 0), (60, 1)])
async def test_frames(
    kin: list[Session], now: int, frame: Frame, snapshot: Snapshot, width: int, shown: int
) -> None:
    how = Arrangement(unfolded=frozenset({Path("/store/e.jsonl")} if shown == 1 else ()))
    app = Host(kin, kin[shown], how, now)
    async with app.run_test(size=(width, 18)) as pilot:
        await pilot.pause()
        snapshot(f"kin-{shown}-{width}x18", frame(app))


@pytest.mark.parametrize(
    ("family", "words"),
    [
        (None, ""),
        (Family(2), ""),
        (Family(1, working=1), "sub-agent working"),
        (Family(4, working=3), "3 sub-agents working"),
        (Family(2, needing=1), "sub-agent needs you"),
        (Family(5, working=1, needing=2), "2 sub-agents need you, sub-agent working"),
    ],
)
def test_what_sub_agents_do(family: Family | None, words: str) -> None:
    assert family_words(family) == words


def test_tokens_of_the_family(kin: list[Session]) -> None:
    assert family_tokens(kin[0]) == "246k tokens, 34k by 3 sub-agents"
    assert family_tokens(dataclasses.replace(kin[0], tokens=None)).startswith("34k tokens, 34k by")
    assert family_tokens(dataclasses.replace(kin[0], family=None)) == "212k tokens"
    assert family_tokens(kin[1]) == ""


@pytest.mark.parametrize("width", [10, 20, 30, 60, 200])
def test_the_path_fits_where_there_is_room_for_one(kin: list[Session], width: int) -> None:
    child = dataclasses.replace(kin[1], lineage=("a very long name of a parent", "middle"))
    title = path_title(child, width)
    if width < NARROW:
        assert title == "Explore the log"
    else:
        assert cell_len(title) <= width
        assert " › Explore the log" in title or title.endswith("…")
        assert title.startswith("a very")


def test_foreign_words_are_made_safe(kin: list[Session], hostile: str) -> None:
    session = dataclasses.replace(
        kin[1], lineage=(hostile, hostile), origin=Origin("fork", hostile, None, hostile)
    )
    for text in (path_title(session, 60), origin_words(session.origin)):
        assert not any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 for sign in text)
        assert "\u202e" not in text
