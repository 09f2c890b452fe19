"""A terminal that becomes too small to show anything, and large again."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from tests.app.sitting import Home, Person, Sit

pytestmark = pytest.mark.anyio


def cursor_is_seen(mei: Person) -> bool:
    """Whether the row under the cursor of the timeline lies in view."""
    timeline = mei.timeline
    return 0 <= timeline.cursor - timeline.scroll_offset.y < timeline.size.height


@pytest.mark.parametrize("place", ["", "f2", "f3", "f4", "f5", "question_mark"])
async def test_resized_and_back(home: Home, sit: Sit, place: str) -> None:
    agent = home.agent("s").does(Prompt("ask"), *(Answer(f"answer {n}") for n in range(50)))
    home.agent("other", 5).does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press(*("up", "up", "up", place)[: 4 if place else 3])
        await mei.until(lambda: mei.here() == "answer 46")
        await mei.pilot.resize_terminal(20, 5)
        await mei.until(lambda: mei.desk.size == (20, 5) and len(mei.lines()) == 5)
        assert all(len(line) <= 20 for line in mei.lines())
        if not place:  # the row under the cursor stays in view
            await mei.until(lambda: cursor_is_seen(mei))
        agent.does(Answer("while it was small"))
        await mei.until(lambda: mei.texts()[-1] == "while it was small")
        await mei.pilot.resize_terminal(140, 40)
        await mei.until(lambda: mei.desk.size == (140, 40) and len(mei.lines()) == 40)
        assert mei.here() == "answer 46"
        await mei.press("escape" if place == "question_mark" else "f1")
        await mei.until_sees("answer 46", "▼ 1 new")
        assert mei.texts() == ["ask", *(f"answer {n}" for n in range(50)), "while it was small"]
