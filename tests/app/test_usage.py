"""The usage of all sessions: what was used is there, it grows, and it leads to its sessions."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from sessions_tui.app.deciding import Deciding
from sessions_tui.app.demo.steps import Answer, Prompt, run
from sessions_tui.widgets.usage_card import UsageCard
from sessions_tui.widgets.virtual_rows import VirtualRows

from .sitting import Agent, Home, Person, Sit

pytestmark = pytest.mark.anyio


@pytest.fixture
def shop(home: Home) -> Agent:
    """An agent of today, and one of three days ago in another workspace."""
    old = home.agent("old", 3 * 24 * 60, "parser")
    old.does(Prompt("Rename the lexer"), run("make", "ok"), run("make test", "ok"), Answer("Done"))
    return home.agent("new").does(Prompt("Fix it"), run("pytest", "ok"), Answer("Fixed"))


def tells(person: Person, number: str) -> bool:
    """Whether the card of the day tells a number."""
    card = person.desk.screen.query_one(UsageCard)
    return number.split() in [card.render_line(y).text.split() for y in range(card.size.height)]


async def test_what_was_used_grows_and_leads_to_its_sessions(sit: Sit, shop: Agent) -> None:
    async with sit() as person:
        await person.until(lambda: len(person.entries()) == 4)
        await person.press("f5")
        await person.until_sees("2 sessions", "parser", "shop", "Bash", "Mon 11 May 2026")
        assert person.desk.place == "usage"
        await person.until(lambda: tells(person, "calls 1"))
        shop.does(run("pytest -q", "ok"), run("ruff check", "ok"))
        await person.until(lambda: tells(person, "calls 3"))
        await person.press("left", "left", "left", "enter")
        await person.until(lambda: person.entries()[1:] == ["  old"])
        assert person.desk.place == "browse"
        assert isinstance(person.desk.focused, VirtualRows)
        await person.press("escape")
        await person.until(lambda: len(person.entries()) == 4)


async def test_there_and_back(sit: Sit, shop: Agent) -> None:
    async with sit((80, 24)) as person:
        await person.press("f5", "f2", "f5", "f5", "q")
        assert person.desk.place == "browse"
        await person.press("f5", "question_mark")
        await person.until_sees("What the agents used")
        await person.press("escape", "tab", "tab", "enter")
        await person.until(lambda: person.desk.place in ("browse", "usage"))


async def test_a_store_without_sessions(sit: Sit) -> None:
    async with sit((80, 24)) as person:
        await person.press("f5")
        await person.until_sees("Nothing was used yet.")


async def test_what_is_not_counted_yet_is_said(
    sit: Sit, shop: Agent, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_tui.storage.index_file.WAIT_MS", 20)
    async with sit() as person:
        await person.press("f5")
        await person.until(lambda: tells(person, "calls 1"))
        index = sqlite3.connect(home.places.cache / "index.db", isolation_level=None)
        with closing(index):
            index.execute("begin immediate")
            shop.does(run("pytest -q", "ok"))
            await person.until_sees("1 transcript is not counted yet")
            assert tells(person, "calls 1")
        await person.until(lambda: tells(person, "calls 2"))
        await person.until(lambda: not person.sees("not counted yet"))


async def test_what_a_failing_index_lost_is_read_again(sit: Sit, shop: Agent, home: Home) -> None:
    def fail(deciding: Deciding) -> None:
        deciding._library.index._file.fail(sqlite3.DatabaseError("malformed"))

    async with sit(opened=home.path("new")) as person:
        await person.press("f5")
        await person.until_sees("2 sessions")
        await person.until(lambda: tells(person, "calls 1"))
        person.desk.feed.decide(fail)
        shop.does(run("pytest -q", "ok"))
        await person.until(lambda: tells(person, "calls 2"))
        await person.until(lambda: not person.sees("not counted yet"))
        assert person.sees("2 sessions", "parser")
        await person.press("f4", *"fixed")
        await person.until_sees("1 hit")
        await person.press("f2")
        await person.until(lambda: any("pytest -q" in text for text in person.texts()))
