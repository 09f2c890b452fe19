"""The usage of all sessions: what was used is there, it grows, and it leads to its sessions."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt, run
from sessions_tui.app.feed.feed import Feed
from sessions_tui.app.feed.tasks import PauseReading
from sessions_tui.widgets.base.virtual_rows import VirtualRows
from sessions_tui.widgets.usage.card import UsageCard
from sessions_tui.widgets.usage.course import CourseLine
from sessions_tui.widgets.usage.share_list import ShareList
from tests.app.sitting import Agent, Home, Person, Sit

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


def course_of(person: Person) -> str:
    """The calls that the course of the session comes to."""
    course = person.desk.screen.query_one(CourseLine)
    lines = [course.render_line(y).text for y in range(course.size.height)]
    return next((line.split()[-1] for line in lines if "calls" in line), "")


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
        await person.until_sees("Tokens, tool calls, file edits")
        await person.press("escape", "tab", "tab", "enter")
        await person.until(lambda: person.desk.place in ("browse", "usage"))


async def test_what_one_looked_at_is_kept_while_one_is_elsewhere(sit: Sit, shop: Agent) -> None:
    async with sit() as person:
        await person.press("f5")
        await person.until_sees("2 sessions · 2 workspaces", "in the last 30 days")
        await person.press("m", "d", "d", "d", "tab", "j")
        last = "in the last 7 days"
        await person.until_sees(f"calls {last}", f"2 workspaces · 1 model · 1 tool · {last}")
        for keys in (["q", "f5"], ["f1", "f5"], ["f2", "f5"]):
            await person.press(*keys)
            await person.until_sees(f"calls {last}")
            assert isinstance(shares := person.desk.focused, ShareList)
            assert (shares.kind, shares.cursor) == ("workspaces", 1)


async def test_a_share_leads_to_its_sessions_of_the_period(
    sit: Sit, home: Home, shop: Agent
) -> None:
    home.agent("ancient", 60 * 24 * 60).does(Prompt("Begin"), run("make", "ok"))
    async with sit() as person:
        await person.press("f5")
        await person.until_sees("2 sessions", "parser", "Bash")
        await person.press("tab", "tab", "tab")
        await person.until(lambda: tells(person, "sessions 2"))
        await person.press("enter")
        await person.until(lambda: person.entries()[1::2] == ["  new", "  old"])
        assert person.sees('tool:"Bash" since:2026-04-12')
        await person.press("f5", "d", "d", "enter")
        await person.until(lambda: person.entries()[1::2] == ["  new", "  old", "  ancient"])


async def test_a_day_without_sessions_says_so(sit: Sit, shop: Agent) -> None:
    async with sit() as person:
        await person.press("f5")
        await person.until_sees("2 sessions", "Mon 11 May 2026")
        await person.press("left", "enter")
        await person.until_sees("No sessions that day")
        assert person.desk.place == "usage"


async def test_hidden_sessions_count_as_little_as_in_the_list(sit: Sit, shop: Agent) -> None:
    async with sit() as person:
        await person.opens("old")
        await person.press("q", "H")
        await person.until_sees("1 session ", "Hidden")
        await person.press("f5")
        await person.until_sees("1 session · 1 workspace")
        assert not person.sees("parser")


async def test_all_counts_are_of_the_period(sit: Sit, home: Home, shop: Agent) -> None:
    home.agent("ancient", 60 * 24 * 60, "lexer").does(Prompt("Begin"), run("make", "ok"))
    async with sit() as person:
        await person.press("f5")
        await person.until_sees("2 sessions · 2 workspaces", "· in the last 30 days")
        await person.press("d", "d")
        await person.until_sees("3 sessions · 3 workspaces", "· since 12 March 2026")


async def test_the_open_session_in_its_course(sit: Sit, shop: Agent) -> None:
    async with sit() as person:
        await person.opens("new")
        await person.press("f5")
        await person.until_sees("2 sessions", "s This session")
        await person.press("s")
        await person.until_sees("this session", "Fix it", "over time", "hy3", "s All sessions")
        await person.until(lambda: course_of(person) == "1")
        assert not person.sees("parser")
        shop.does(run("pytest -q", "ok"), run("ruff check", "ok"))
        await person.until(lambda: course_of(person) == "3")
        await person.press("question_mark")
        await person.until_sees("Usage of one session")
        await person.press("escape")
        await person.until_sees("over time")
        await person.press("s")
        await person.until_sees("2 sessions", "tokens in the last 30 days", "parser")
        await person.press("s", "q")
        await person.until_sees("tokens in the last 30 days")
        await person.press("q")
        assert person.desk.place == "browse"


async def test_the_session_under_the_cursor_in_its_course(sit: Sit, shop: Agent) -> None:
    async with sit((80, 24)) as person:
        await person.until(lambda: len(person.entries()) == 4)
        await person.press("j", "f5", "s")
        await person.until_sees("Rename the lexer", "over time", "Bash")
        await person.until(lambda: course_of(person) == "2")
        await person.press("f2", "f5")
        await person.until_sees("2 sessions", "tokens in the last 30 days")


async def test_the_palette_names_the_session(sit: Sit, shop: Agent) -> None:
    async with sit() as person:
        await person.until(lambda: len(person.entries()) == 4)
        await person.press("f5")
        commands = [one.title for one in person.desk.get_system_commands(person.desk.screen)]
        assert "This session" in commands
        assert "All sessions" not in commands


async def test_a_store_without_sessions(sit: Sit) -> None:
    async with sit((80, 24)) as person:
        await person.press("f5")
        await person.until_sees("Nothing was used yet.")
        await person.press("s")
        assert person.sees("Nothing was used yet.")
        assert not person.sees("This session")


async def test_what_is_not_counted_yet_is_said(
    sit: Sit, shop: Agent, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_tui.storage.index.file.WAIT_MS", 20)
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


class Failing(threading.Event):
    """Has the index fail in the feed's thread, which alone may use it, once that waits for this."""

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self._feed = feed

    def wait(self, timeout: float | None = None) -> bool:
        self._feed._library.index._file.fail(sqlite3.DatabaseError("malformed"))
        return True


async def test_what_a_failing_index_lost_is_read_again(sit: Sit, shop: Agent, home: Home) -> None:
    async with sit(opened=home.path("new")) as person:
        await person.press("f5")
        await person.until_sees("2 sessions")
        await person.until(lambda: tells(person, "calls 1"))
        person.desk.feed.carry_out(PauseReading(Failing(person.desk.feed)))
        shop.does(run("pytest -q", "ok"))
        await person.until(lambda: tells(person, "calls 2"))
        await person.until(lambda: not person.sees("not counted yet"))
        await person.until_sees("2 sessions", "parser")
        await person.press("f4", *"fixed")
        await person.until_sees("1 hit")
        await person.press("f2")
        await person.until(lambda: any("pytest -q" in text for text in person.texts()))
