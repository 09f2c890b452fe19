"""Reading one session: where it opens, what is shown, how a place is found and remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

import pytest

from sessions_tui.app.demo.steps import Answer, Call, Prompt, Step, Thought
from tests.app.sitting import Home, Sit

pytestmark = pytest.mark.anyio

LOST = Call("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}, "a.py", None)


def ran(command: str, output: str = "ok", exit_code: int = 0) -> Call:
    return Call("Bash", {"command": command}, command, output, exit_code=exit_code)


def turns(count: int, first: int = 1) -> Iterator[Step]:
    for number in range(first, first + count):
        yield Prompt(f"ask {number}")
        yield Thought(f"thought {number}")
        yield ran(f"run {number}")
        yield Answer(f"answer {number}")


async def test_a_session_opens_at_its_end_and_follows(home: Home, sit: Sit) -> None:
    home.agent("s").does(*turns(30))
    async with sit() as mei:
        await mei.opens("s")
        assert mei.here() == "answer 30"
        assert mei.timeline.follow
        await mei.until(lambda: mei.panel.event is not None and mei.panel.event.number is not None)
        assert mei.panel.event
        assert mei.panel.event.text == "answer 30"


async def test_depths_show_more_and_less_around_the_same_event(home: Home, sit: Sit) -> None:
    home.agent("s").does(*turns(3))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("K", "j", "j", "j")
        assert mei.here() == "answer 3"
        seen = []
        for key in ("minus", "minus", "minus", "plus", "plus", "plus"):
            await mei.press(key)
            seen.append(len(mei.texts()))
            assert mei.here() == "answer 3"
        assert seen[:3] == [9, 6, 6]
        assert seen[3:5] == [9, 12]
        assert seen[5] > 12
        await mei.until_sees("Showing everything")


async def test_jumps_to_prompts_and_uncertain_actions(home: Home, sit: Sit) -> None:
    home.agent("s", 300).does(*turns(3), Prompt("ask 4"), LOST)
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("K")
        assert mei.here() == "ask 4"
        await mei.press("K", "K", "K")
        assert mei.here() == "ask 1"
        await mei.press("K")
        await mei.until_sees("No prompt above")
        await mei.press("u")
        assert mei.timeline.current
        assert mei.timeline.current.tool == "Edit"
        await mei.until_sees("⚠ no result")
        await mei.press("K", "K", "J")
        assert mei.here() == "ask 4"


@pytest.mark.parametrize(
    ("words", "matches"),
    [
        ("ASK 2", ["ask 2"]),
        ("超卖", ["reserve() 会超卖", "不再超卖"]),
        ('say "hi"', ['say "hi"']),
        ("pytest -q", ["pytest -q"]),
        ("[/b]", ["[/b]"]),
    ],
)
async def test_finds_words_in_the_session(
    home: Home, sit: Sit, words: str, matches: list[str]
) -> None:
    home.agent("s").does(*turns(3), Prompt("reserve() 会超卖"), Prompt('say "hi"'))
    agent = home.path("s")
    data = agent.read_bytes()
    home.agent("t").does(Prompt("[/b]"), ran("pytest -q"), Answer("不再超卖"))
    agent.write_bytes(data + home.path("t").read_bytes().replace(b'"t"', b'"s"'))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("slash")
        await mei.types(words)
        await mei.press("enter")
        await mei.until_sees(f"of {len(matches)} · {words} · n and N go on")
        assert mei.timeline.has_focus
        assert mei.here() == matches[-1]
        for match in [*reversed(matches[:-1]), matches[-1]]:
            await mei.press("N")
            assert mei.here() == match
        for match in matches:
            await mei.press("n")
            assert mei.here() == match


async def test_escape_ends_finding(home: Home, sit: Sit) -> None:
    home.agent("s").does(*turns(3))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("slash", "x")
        await mei.until_sees("⏎ Find", "esc Leave")
        await mei.press("escape")
        assert mei.timeline.has_focus
        await mei.press("slash", *"nothing like it", "enter")
        await mei.until_sees("No match for “nothing like it”")
        await mei.press("n")
        await mei.until_sees("No match")


async def test_the_place_is_remembered_and_a_rule_shows_what_is_new(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(*turns(5))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("K", "K")
        assert mei.here() == "ask 4"
    agent.does(*turns(2, first=6))
    async with sit() as mei:
        await mei.opens("s")
        await mei.until(lambda: mei.here() == "ask 4")
        await mei.until_sees("last read")
        lines = [line for line in mei.lines() if "last read" in line or "ask " in line]
        assert "last read" in next(b for a, b in pairwise(lines) if "ask 5" in a)


async def test_who_was_at_the_end_comes_back_to_the_end(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(*turns(5))
    async with sit() as mei:
        await mei.opens("s")
    agent.does(*turns(30, first=6))
    async with sit() as mei:
        await mei.opens("s")
        assert mei.here() == "answer 35"
        assert mei.timeline.follow


async def test_the_panel_shows_all_of_an_event(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("run it"), ran("make all", "built\nall", 0), Answer("Done."))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("k")
        await mei.until(lambda: mei.panel.event is not None and mei.panel.event.tool == "Bash")
        await mei.press("enter", "2")
        await mei.until_sees("make all")
        await mei.press("3")
        await mei.until_sees("built", "all")
        await mei.press("4")
        await mei.until_sees('"function_call"')
        raw = mei.panel.event.raw if mei.panel.event else ""
        assert [json.loads(line)["type"] for line in raw.splitlines()] == [
            "function_call",
            "function_call_result",
        ]


async def test_an_empty_session_shows_what_comes(home: Home, sit: Sit) -> None:
    agent = home.agent("s")
    async with sit() as mei:
        await mei.until(lambda: mei.item("s") is not None)
        await mei.press("enter")
        await mei.until_sees("No events yet.")
        agent.does(Prompt("begin"), Answer("begun"))
        await mei.until(lambda: mei.here() == "begun")
        await mei.until_sees("begun")


async def test_an_open_question_is_not_called_uncertain(home: Home, sit: Sit) -> None:
    question = Call("AskUserQuestion", {"questions": [{"question": "Which?"}]}, "Which?", None)
    home.agent("s", 5).does(Prompt("set it up"), question)
    async with sit() as mei:
        await mei.opens("s")
        await mei.until_sees("? asking", "asks you")
        assert not mei.sees("no result")


async def test_escape_ends_what_was_looked_for(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("slash", *"answer", "enter")
        await mei.until_sees("1 of 1 · answer")
        await mei.press("escape")
        await mei.until(lambda: not mei.sees("1 of 1"))
        assert mei.desk.focused is mei.timeline
        await mei.press("escape")
        await mei.until(lambda: mei.desk.focused is mei.sessions)
