"""Effects without a record on screen: in the review, the Recovery tab and the note."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions_tui.storage.decisions.decisions import Decisions
from tests.app.places.test_review import clipboard, to_review
from tests.app.sitting import NOW, Home, Person, Sit
from tests.storage.responding import Responding

pytestmark = pytest.mark.anyio


@pytest.fixture
def agent(home: Home) -> Responding:
    """One that died an hour ago: one change that a snapshot names, one only on disk."""
    agent = Responding(home.folder / "code", now=NOW - 3_600_000, home=home.root)
    agent.file("three.py", "one\n", agent.at - 1_000)
    agent.prompt()
    agent.begin()
    agent.text()
    agent.track("three.py")
    agent.file("three.py", "two\n", agent.at + 500)
    agent.file("out/made.txt", "new\n", agent.at + 700)
    return agent


def uncertain(mei: Person) -> int:
    """What the list counts for the session, which crashed."""
    session = mei.session("s1")
    assert session is not None
    assert session.status == "crashed"
    return session.uncertain


async def test_each_is_a_case_with_a_verdict(home: Home, agent: Responding, sit: Sit) -> None:
    async with sit() as mei:
        await mei.until_sees("NEEDS YOU", "1 needs you")
        await mei.until(lambda: uncertain(mei) == 2)
        await to_review(mei)
        await mei.until_sees("2 to decide")
        await mei.until_sees("three.py", "changed, no call recorded", "applied?")
        await mei.until_sees("CHANGED ON DISK", "made.txt")
        await mei.until_sees("Changed since its backup", "The file now")
        await mei.press("v", "enter")
        await mei.until_sees("1 decided", "1 to decide")
        await mei.until_sees("No recorded call accounts for it")
        await mei.press("x")
        await mei.types("a test made it")
        await mei.press("enter")
        await mei.until_sees("All settled: 1 applied, 1 not applied.")
        await mei.press("c")
        await mei.until(lambda: "without a recorded call" in clipboard(mei))
        assert clipboard(mei).split("\n") == [
            "Change of three.py without a recorded call was checked by the user: applied",
            "Change of out/made.txt without a recorded call was checked by the user: not applied"
            " — a test made it",
        ]
        await mei.press("f1")
        await mei.until(lambda: "NEEDS YOU" not in mei.entries())
    kept = Decisions(home.places.data)
    subjects = {Path(one.subject.partition(":")[2]).name for one in kept.history()}
    kept.close()
    assert subjects == {"three.py", "made.txt"}


async def test_it_can_be_taken_back(agent: Responding, sit: Sit) -> None:
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("2 to decide")
        await mei.press("z", "enter")
        await mei.until_sees("1 decided")
        await mei.press("backspace")
        await mei.until_sees("2 to decide")


async def test_recovery_says_so(agent: Responding, sit: Sit) -> None:
    async with sit() as mei:
        await mei.opens("s1")
        mei.desk.browse.query_one("Panes").show("recovery")  # type: ignore[attr-defined]
        await mei.until_sees("the response was cut off while it was written")
        await mei.until_sees(
            "project/three.py — no call recorded", "out/made.txt — no call recorded"
        )


async def test_a_session_that_goes_on_has_no_such_cases(agent: Responding, sit: Sit) -> None:
    async with sit() as mei:
        await to_review(mei)
        await mei.until_sees("2 to decide")
        agent.prompt("Go on")
        agent.begin()
        agent.text("Done.", last=True)
        await mei.until(lambda: not mei.sees("three.py"))
