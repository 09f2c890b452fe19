"""Memory candidates, titles, pins and hides, decided on screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt, Thought, run
from sessions_tui.app.forms.export import ExportForm
from sessions_tui.app.forms.remember import RememberForm
from sessions_tui.app.forms.title import TitleForm
from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.model.candidate import Candidate
from tests.app.sitting import Home, Person, Sit

pytestmark = pytest.mark.anyio


def candidates(home: Home) -> list[Candidate]:
    """The candidates as another program finds them."""
    kept = Decisions(home.places.data)
    try:
        return kept.candidates()
    finally:
        kept.close()


def talk(home: Home) -> Path:
    agent = home.agent("talk", 10).does(
        Prompt("Which database?"),
        Thought("SQLite is enough"),
        run("sqlite3 --version", "3.46"),
        Answer("We use SQLite."),
    )
    return agent.path


async def fill(mei: Person, summary: str, reason: str) -> None:
    await mei.until(lambda: isinstance(mei.desk.screen, RememberForm))
    await mei.types(summary)
    await mei.press("enter")
    await mei.types(reason)
    await mei.press("enter")


async def remember(mei: Person, home: Home, summary: str, reason: str, count: int = 1) -> None:
    """Remember the last answer."""
    await mei.opens("talk")
    await mei.until_at("We use SQLite.")
    await mei.press("m")
    await fill(mei, summary, reason)
    await mei.until(lambda: len(candidates(home)) == count)


async def test_an_answer_is_remembered(home: Home, sit: Sit) -> None:
    talk(home)
    async with sit() as mei:
        await remember(mei, home, "mjx uses SQLite", "because ?!tq*H")
        (kept,) = candidates(home)
        assert (kept.summary, kept.selection_reason) == ("mjx uses SQLite", "because ?!tq*H")
        assert kept.status == "proposed"
        await mei.until(lambda: any("We use SQLite" in li and "◆" in li for li in mei.lines()))
        await mei.until_sees("Candidates ◆1")
        session = mei.session("talk")
        assert session is not None
        assert session.candidates == 1


async def test_what_may_not_be_remembered_says_why(home: Home, sit: Sit) -> None:
    talk(home)
    async with sit() as mei:
        await mei.opens("talk")
        await mei.until_at("We use SQLite.")
        await mei.press("k", "m")
        await mei.until_sees("Can't be remembered: a tool call")
        await mei.press("k", "m")
        await mei.until_sees("Can't be remembered: a thought")
        assert candidates(home) == []


async def test_several_events_one_after_the_other(home: Home, sit: Sit) -> None:
    talk(home)
    async with sit() as mei:
        await mei.opens("talk")
        await mei.until_at("We use SQLite.")
        await mei.press("space", "g", "space", "m")
        await mei.until_sees("Remember 1 of 2")
        await fill(mei, "first", "why")
        await mei.until_sees("Remember 2 of 2")
        await fill(mei, "second", "why")
        await mei.until(lambda: len(candidates(home)) == 2)
        assert {one.summary: one.sequence for one in candidates(home)}["first"] == 1
        await mei.until(lambda: not mei.timeline.marks)


async def test_escape_remembers_nothing(home: Home, sit: Sit) -> None:
    talk(home)
    async with sit() as mei:
        await mei.opens("talk")
        await mei.until_at("We use SQLite.")
        await mei.press("m")
        await mei.until(lambda: isinstance(mei.desk.screen, RememberForm))
        await mei.press("enter", "enter")
        await mei.until_sees("blank")
        await mei.press("escape")
        await mei.until(lambda: mei.desk.screen is mei.desk.browse)
        assert candidates(home) == []


async def test_from_proposed_to_exported(home: Home, sit: Sit, tmp_path: Path) -> None:
    talk(home)
    async with sit() as mei:
        await remember(mei, home, "SQLite it is", "the choice was made")
        await mei.press("f3")
        await mei.until_sees("PROPOSED", "SQLite it is", "1 proposed")
        await mei.press("a")
        await mei.until_sees("1 approved")
        await mei.press("backspace")
        await mei.until_sees("1 proposed")
        await mei.press("a")
        await mei.until_sees("1 approved")
        await mei.press("X")
        await mei.until(lambda: isinstance(mei.desk.screen, ExportForm))
        await mei.press("2")
        await mei.until(lambda: mei.desk.clipboard.startswith("{"))
        (told,) = mei.desk.clipboard.splitlines()
        assert json.loads(told)["summary"] == "SQLite it is"
        await mei.press("x")
        await mei.until_sees("1 rejected")
        assert candidates(home)[0].status == "rejected"


async def test_other_words(home: Home, sit: Sit) -> None:
    talk(home)
    async with sit() as mei:
        await remember(mei, home, "SQLite", "chosen")
        await mei.press("f3")
        await mei.until_sees("PROPOSED", "SQLite")
        await mei.press("enter")
        await mei.until(lambda: isinstance(mei.desk.screen, RememberForm))
        await mei.types(" 3")
        await mei.press("enter", "enter")
        await mei.until(lambda: candidates(home)[0].summary == "SQLite 3")
        await mei.until_sees("SQLite 3")


async def test_the_tab_and_the_way_back_to_the_event(home: Home, sit: Sit) -> None:
    path = talk(home)
    home.agent("calm", 5).does(Prompt("Hello"), Answer("Hi"))
    async with sit() as mei:
        await remember(mei, home, "SQLite", "chosen")
        await mei.press("g", *["right_square_bracket"] * 3)
        await mei.until_sees("PROPOSED", "because" if mei.sees("because") else "chosen")
        await mei.press("tab", "o")
        await mei.until_at("We use SQLite.")
        await mei.press("escape")
        await mei.opens("calm")
        await mei.until_sees("No memory candidates in this session yet")
        await mei.press("f3")
        await mei.until_sees("PROPOSED")
        await mei.press("o")
        await mei.until(lambda: mei.reading.path == path)
        await mei.until_at("We use SQLite.")


async def test_a_transcript_that_is_gone(home: Home, sit: Sit) -> None:
    path = talk(home)
    async with sit() as mei:
        await remember(mei, home, "SQLite", "chosen")
        path.unlink()
        await mei.press("f3")
        await mei.until_sees("source gone")
        await mei.press("o")
        await mei.until_sees("Its transcript is gone")


async def test_a_title_of_ones_own(home: Home, sit: Sit) -> None:
    talk(home)
    async with sit() as mei:
        await mei.until(lambda: mei.item("talk") is not None)
        await mei.press("t")
        await mei.until(lambda: isinstance(mei.desk.screen, TitleForm))
        await mei.types("Data q*H")
        await mei.press("enter")
        await mei.until(lambda: bool((s := mei.session("talk")) and s.title == "Data q*H"))
        await mei.press("t")
        await mei.until(lambda: isinstance(mei.desk.screen, TitleForm))
        await mei.press("ctrl+u", "enter")
        await mei.until(lambda: bool((s := mei.session("talk")) and s.title == "Which database?"))


async def test_pinned_and_hidden(home: Home, sit: Sit) -> None:
    talk(home)
    home.agent("newer", 1).does(Prompt("Hello"), Answer("Hi"))
    async with sit() as mei:
        await mei.until(lambda: mei.entries()[1:3] == ["  newer", "  talk"])
        await mei.press("j", "asterisk")
        await mei.until(lambda: "  talk" in mei.entries()[:2])
        await mei.until_sees("★")
        await mei.press("H")
        await mei.until(lambda: mei.item("talk") is None)
        await mei.press("slash")
        await mei.types("status:hidden")
        await mei.until(lambda: mei.item("talk") is not None)
        await mei.press("enter", "H", "escape")
        await mei.until(lambda: len([e for e in mei.entries() if e.startswith(" ")]) == 2)
