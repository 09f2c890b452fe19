"""The review: a crash's queue is cleared with keys alone, on real files beside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Call, Prompt, cut, edit, run, write
from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.widgets.review.pane import ReviewPane
from tests.app.sitting import NOW, Agent, Home, Person, Sit

pytestmark = pytest.mark.anyio

OLD = "total = sum(prices)\n"
NEW = "total = sum(prices) - discount\n"


class Crash:
    """An agent that died in calls, and the project as it left it."""

    def __init__(self, home: Home, name: str = "crash", minutes: float = 30) -> None:
        self.project = home.folder / "code" / name
        self.project.mkdir(parents=True)
        path = home.path(name)
        path.parent.mkdir(exist_ok=True)
        self.agent = Agent(path, minutes, str(self.project)).does(Prompt("Give a discount"))
        self.path = path

    def dies_in(self, call: Call) -> Crash:
        self.agent.does(cut(call))
        return self

    def leaves(self, name: str, text: str, minutes: float = 1) -> Crash:
        path = self.project / name
        path.write_text(text)
        at = NOW / 1000 - minutes * 60
        os.utime(path, (at, at))
        return self


@pytest.fixture
def decided(home: Home) -> Callable[[], dict[str, str]]:
    """The verdicts as another program finds them, by the last part of the event id."""

    def verdicts() -> dict[str, str]:
        kept = Decisions(home.places.data)
        try:
            return {
                decision.subject.rpartition(":")[2]: decision.value["verdict"]
                for decision in kept.history()
                if decision.kind == "verdict" and decision.value
            }
        finally:
            kept.close()

    return verdicts


def clipboard(person: Person) -> str:
    return person.desk.clipboard


async def to_review(mei: Person) -> ReviewPane:
    await mei.press("f2")
    await mei.until(lambda: bool(mei.desk.screen.query(ReviewPane)))
    return mei.desk.screen.query_one(ReviewPane)


async def test_from_the_crash_to_the_note(
    home: Home, sit: Sit, decided: Callable[[], dict[str, str]]
) -> None:
    crash = Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", NEW)
    async with sit() as mei:
        await mei.until_sees("NEEDS YOU", "1 needs you")
        await to_review(mei)
        await mei.until_sees("Edit", "shop.py", "applied?", "The new text is there")
        await mei.press("v")
        await mei.types("ran the tests: q z x")
        await mei.press("enter")
        await mei.until_sees("✓ applied", "ran the tests: q z x")
        assert list(decided().values()) == ["verified"]
        await mei.press("c")
        await mei.until(lambda: "was checked by the user: applied" in clipboard(mei))
        assert "Edit of shop.py at" in clipboard(mei)
        await mei.press("f1")
        await mei.until(lambda: "NEEDS YOU" not in mei.entries())
        session = mei.session("crash")
        assert session is not None
        assert (session.uncertain, session.needs_you) == (0, False)
    assert crash.project.joinpath("shop.py").read_text() == NEW


async def test_a_verdict_can_be_taken_back(
    home: Home, sit: Sit, decided: Callable[[], dict[str, str]]
) -> None:
    Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", OLD)
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("not applied?")
        await mei.press("x", "enter")
        await mei.until_sees("1 decided")
        await mei.press("backspace")
        await mei.until_sees("1 to decide")
        await mei.press("z", "enter")
        await mei.until(lambda: list(decided().values()) == ["dismissed"])


async def test_a_contradiction_is_asked_once(
    home: Home, sit: Sit, decided: Callable[[], dict[str, str]]
) -> None:
    Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", OLD)
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("not applied?")
        await mei.press("v", "enter")
        assert decided() == {}
        await mei.press("escape", "v", "v", "enter")
        await mei.until(lambda: list(decided().values()) == ["verified"])


async def test_what_is_typed_after_a_question_is_no_key(
    home: Home, sit: Sit, decided: Callable[[], dict[str, str]]
) -> None:
    Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", OLD)
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("not applied?")
        await mei.press("v")
        await mei.types("zoe c q")
        await mei.until_sees("v again: ")
        await mei.press("escape")
        assert mei.desk.screen is not mei.desk.browse
        assert decided() == {}


async def test_what_was_just_decided_is_taken_back(home: Home, sit: Sit) -> None:
    crash = Crash(home)
    for number in range(4):
        crash.dies_in(edit(f"{number}.py", OLD, NEW)).leaves(f"{number}.py", NEW)
    async with sit() as mei:
        pane = await to_review(mei)
        await mei.until_sees("4 to decide")
        await mei.press("space", "space", "v", "enter")
        await mei.until_sees("2 to decide", "2 decided")
        await mei.press("v", "enter")
        await mei.until_sees("1 to decide", "3 decided")
        await mei.press("backspace")
        await mei.until_sees("2 to decide", "2 decided")
        await mei.press("v", "enter")
        await mei.until_sees("1 to decide")
        await mei.press("G", "backspace")
        await mei.until_sees("2 to decide")
        assert pane.current is not None
        assert pane.current.action.verdict is None


async def test_several_at_once(home: Home, sit: Sit, decided: Callable[[], dict[str, str]]) -> None:
    crash = Crash(home)
    for number in range(3):
        crash.dies_in(edit(f"{number}.py", OLD, NEW)).leaves(f"{number}.py", NEW)
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("3 to decide")
        await mei.press("space", "space", "space", "v", "enter")
        await mei.until_sees("all settled", "3 decided")
        assert list(decided().values()) == ["verified"] * 3


async def test_a_late_result_closes_the_case_by_itself(home: Home, sit: Sit) -> None:
    crash = Crash(home)
    call = edit("shop.py", OLD, NEW)
    asked, *_, result = crash.agent.lines(call)
    crash.agent.writes([asked])
    crash.leaves("shop.py", NEW)
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("1 to decide")
        crash.agent.writes([result])
        await mei.until_sees("all settled")
        await mei.until_sees("its result arrived after all")


async def test_a_command_is_shown_and_never_run(home: Home, sit: Sit) -> None:
    crash = Crash(home)
    crash.dies_in(run(f"touch {crash.project}/ran"))
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("Bash", "touch", "never run")
        await mei.press("z", "enter")
        await mei.until_sees("all settled")
    assert list(crash.project.iterdir()) == []


async def test_newest_crash_first_and_old_ones_below(home: Home, sit: Sit) -> None:
    for name, minutes in (("older", 12 * 24 * 60), ("first", 20), ("second", 60)):
        crash = Crash(home, name, minutes).dies_in(edit(f"{name}.py", OLD, NEW))
        crash.leaves(f"{name}.py", NEW)
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("2 to decide", "1 low priority")
        places = [
            next(number for number, line in enumerate(mei.lines()) if f"{name}.py" in line[:44])
            for name in ("first", "second", "older")
        ]
        assert places == sorted(places)


async def test_the_tab_of_one_session(home: Home, sit: Sit) -> None:
    Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", OLD)
    home.agent("calm", 5).does(Prompt("Hello"), Answer("Hi"))
    async with sit() as mei:
        await mei.opens("crash")
        await mei.until_sees("Review ⚠1")
        await mei.press("right_square_bracket", "right_square_bracket")
        await mei.until_sees("not applied?")
        await mei.press("tab", "x", "enter")
        await mei.until(lambda: not mei.sees("Review ⚠1"))
        await mei.until_sees("not applied", "✗ not applied")
        await mei.press("escape", "escape")
        await mei.opens("calm")
        await mei.until_sees("No open cases in this session")


async def test_to_the_call_in_its_session(home: Home, sit: Sit) -> None:
    Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", OLD)
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("not applied?")
        await mei.press("o")
        await mei.until(lambda: mei.desk.screen is mei.desk.browse)
        await mei.until(lambda: "shop.py" in mei.here())


async def test_nothing_to_review(home: Home, sit: Sit) -> None:
    home.agent("calm", 5).does(Prompt("Hello"), Answer("Hi"))
    async with sit() as mei:
        await mei.until(lambda: mei.item("calm") is not None)
        await to_review(mei)
        await mei.until_sees("No open cases")
        await mei.press("q")
        await mei.until(lambda: mei.desk.screen is mei.desk.browse)


async def test_a_full_disk_loses_nothing_and_says_so(home: Home, sit: Sit) -> None:
    Crash(home).dies_in(write("new.py", "x\n"))
    home.places.data.parent.mkdir(exist_ok=True)
    home.places.data.write_text("in the way")
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("not applied?")
        await mei.press("x", "enter")
        await mei.until_sees("Could not save")
        assert mei.sees("1 to decide")
        home.places.data.unlink()
        await mei.press("x", "enter")
        await mei.until_sees("all settled")


async def test_at_eighty_columns(home: Home, sit: Sit) -> None:
    Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", NEW)
    async with sit(size=(80, 24)) as mei:
        await to_review(mei)
        await mei.until_sees("applied?")
        await mei.press("enter", "v", "enter")
        await mei.until_sees("all settled")


async def test_other_programs_decide_too(home: Home, sit: Sit) -> None:
    Crash(home).dies_in(edit("shop.py", OLD, NEW)).leaves("shop.py", NEW)
    async with sit() as mei:
        pane = await to_review(mei)
        await mei.until_sees("1 to decide")
        case = pane.current
        assert case is not None
        from sessions_tui.storage.decisions.decisions import RecordKey

        kept = Decisions(home.places.data)
        key = RecordKey("crash", case.action.action or "", case.sha256)
        kept.judge(key, Path(case.path), "partial", "half of it", None, NOW)
        kept.close()
        await mei.until_sees("all settled", "half of it")
