"""Records that stand in a file twice, as after a compaction or a resume."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sessions_tui.app.demo.steps import Answer, Compaction, Prompt, Title, edit, run
from sessions_tui.storage.model.event import Usage
from tests.app.sitting import Home, Person, Sit

pytestmark = pytest.mark.anyio

ROWS = ["ask", "a.py", "pytest", "done"]


def told(mei: Person) -> tuple[str, int, bool, Usage | None, Sequence[str]]:
    """What the list says, the times and the number of records apart."""
    session = mei["s"]
    return session.status, session.uncertain, session.needs_you, session.tokens, mei.texts()


@pytest.mark.parametrize("summary", [True, False], ids=["compaction", "resume"])
async def test_what_was_there_before_is_shown_and_counted_once(
    home: Home, sit: Sit, summary: bool
) -> None:
    agent = home.agent("s", 30)
    typed, said = agent.lines(Prompt("ask")), agent.lines(Answer("done"))
    edited, called = agent.lines(edit("a.py", "red", "tan")), agent.lines(run("pytest"))
    agent.writes([*typed, *edited, *called, *said])
    between = agent.lines(Compaction("They ask.")) if summary else []
    more = agent.lines(Answer("and more"))
    seen = agent.lines(Title("Told again"))
    again = [*between, edited[0], *called, *said, *typed, *seen]
    async with sit() as mei:
        await mei.opens("s")
        await mei.until_listed("s", 8)
        before = told(mei)
        assert before[-1] == ROWS
        agent.writes(again)
        await mei.until_listed("s", 8 + len(between) + len(seen))
        assert told(mei)[:-1] == before[:-1]
        assert [row for row in mei.texts() if "They ask" not in row] == ROWS
    async with sit() as mei:  # out of the index
        await mei.opens("s")
        agent.writes([*called, *more])
        await mei.until_listed("s", 8 + len(between) + len(seen) + 1)
        assert [row for row in mei.texts() if "They ask" not in row] == [*ROWS, "and more"]
        assert mei["s"].uncertain == 0


async def test_a_call_that_is_delivered_again_is_open_once(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 30)
    call, result = agent.lines(run("pytest"))
    agent.does(Prompt("ask")).writes([call, call])
    async with sit() as mei:
        await mei.opens("s")
        await mei.until_listed("s", 3)
        assert mei.texts() == ["ask", "pytest"]
        assert mei["s"].uncertain == 1
        agent.writes([result])
        await mei.until_listed("s", 4)
        assert mei["s"].uncertain == 0
