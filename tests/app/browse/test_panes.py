"""The tabs below the timeline: memory and recovery follow the session and lead to its records."""

from __future__ import annotations

import pytest

from sessions_tui.app.browse.panes import Panes
from sessions_tui.app.demo.steps import Answer, Prompt, run
from sessions_tui.storage.timeline.detail import detail_of
from tests.app.sitting import Home, Person, Sit

pytestmark = pytest.mark.anyio


def keys_go_to(person: Person) -> str | None:
    focused = person.desk.browse.focused
    return focused.id if focused else None


async def test_memory_follows_the_session_and_leads_back(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 1).does(Prompt("Port the parser"), Answer("It is ported"))
    async with sit() as mei:
        await mei.opens("s")
        await mei.pilot.press("right_square_bracket")
        await mei.until_sees("goal", "Port the parser", "done")
        agent.does(Prompt("Now the lexer"))
        await mei.until(lambda: any("goal" in line and "lexer" in line for line in mei.lines()))
        await mei.pilot.press("tab")
        await mei.until(lambda: keys_go_to(mei) == "memory")
        await mei.pilot.press("enter")
        await mei.until(lambda: keys_go_to(mei) == "timeline" and mei.here() == "Now the lexer")


async def test_recovery_says_whether_the_evidence_can_be_trusted(home: Home, sit: Sit) -> None:
    path = home.path("broken").with_name("evidence.jsonl")
    path.parent.mkdir(parents=True, exist_ok=True)
    record = '{"type":"message","role":"user","content":"%s","sequence":%d,"schema_version":1}\n'
    path.write_text(record % ("hello", 1) + record % ("gap", 3))
    async with sit() as mei:
        await mei.opens("evidence")
        await mei.pilot.press("left_square_bracket")
        await mei.until_sees("Recovery ✗", "corrupt, line 2", "the transcript is corrupt")
        assert "gap" in mei.here()
        assert mei.sees("damaged")


async def test_recovery_tells_a_call_that_runs_as_running(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 0.2).does(Prompt("Build it"))
    lines = agent.lines(run("make all", "ok"))
    cut = next(n for n, line in enumerate(lines) if b'"function_call_result"' in line)
    agent.writes(lines[:cut])
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("left_square_bracket")
        await mei.until_sees("running    Bash make all")
        assert not mei.sees("uncertain")
        agent.writes(lines[cut:])
        await mei.until_sees("1 completed")
        await mei.until(lambda: not mei.sees("running"))


async def test_tabs_at_eighty_columns(home: Home, sit: Sit) -> None:
    home.agent("s", 1).does(Prompt("Port the parser"), Answer("It is ported"))
    async with sit(size=(80, 24)) as mei:
        await mei.until(lambda: mei.item("s") is not None)
        await mei.pilot.press("enter", "enter", "right_square_bracket")
        await mei.until_sees("Memory", "goal", "Port the parser")
        await mei.pilot.press("escape")
        await mei.until(lambda: keys_go_to(mei) == "timeline")


async def test_an_event_that_comes_too_late_is_not_shown(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("s")
        await mei.until(lambda: mei.panel.event is not None and mei.panel.event.text == "answer")
        panes, rows = mei.reading.panes, mei.reading.rows
        assert rows is not None
        first = rows.where(0)
        detail = detail_of(first.transcript, first.number, False)
        panes.post_message(Panes.Detailed(first, detail))
        await mei.pilot.pause()
        assert mei.panel.event is not None
        assert mei.panel.event.text == "answer"


async def test_enter_opens_the_event_whichever_tab_was_left(home: Home, sit: Sit) -> None:
    home.agent("s", 1).does(Prompt("Port the parser"), Answer("It is ported"))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("right_square_bracket", "right_square_bracket")
        await mei.until_sees("No open cases in this session")
        await mei.press("enter")
        await mei.until_sees("transcript:s:", "It is ported", "Copy id")
        assert not mei.sees("No open cases in this session")
