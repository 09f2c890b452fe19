"""The open transcript while its file changes: growing, answered, cut, replaced, gone and back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Call, Prompt
from tests.app.sitting import Agent, Home, Person, Sit

pytestmark = pytest.mark.anyio

SLOW = Call("Bash", {"command": "make all"}, "make all", "built", exit_code=0)
LONG = 20_000_000


def talk(agent: Agent, first: int, last: int) -> None:
    for number in range(first, last + 1):
        agent.does(Prompt(f"ask {number}"), Answer(f"answer {number}"))


@pytest.fixture
def grown(home: Home) -> Path:
    """A transcript of 20 MB whose prompts are numbered."""
    agent = home.agent("long", 300)
    lines = [
        line
        for number in range(1, 1001)
        for line in (*agent.lines(Prompt(f"ask {number}")), *agent.lines(Answer("x" * 20_000)))
    ]
    agent.writes(lines)
    assert agent.path.stat().st_size > LONG
    return agent.path


async def test_follows_while_it_grows(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 1)
    talk(agent, 1, 30)
    async with sit() as mei:
        await mei.opens("s")
        for number in (31, 32, 33):
            talk(agent, number, number)
            await mei.until_at(f"answer {number}")
            assert mei.timeline.scroll_offset.y == mei.timeline.max_scroll_y
        await mei.until_sees("99 events")


async def test_rests_while_one_reads_above_and_takes_up_again(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 1)
    talk(agent, 1, 30)
    async with sit() as mei:
        await mei.opens("s")
        await mei.press("K", "K")
        assert mei.here() == "ask 29"
        talk(agent, 31, 40)
        await mei.until_sees("▼ 20 new")
        assert mei.here() == "ask 29"
        await mei.press("G")
        await mei.until(lambda: mei.here() == "answer 40")
        assert not mei.sees("new — End")
        talk(agent, 41, 41)
        await mei.until(lambda: mei.here() == "answer 41")


async def test_a_call_changes_when_its_result_comes(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 0.2).does(Prompt("build it"))
    lines = agent.lines(SLOW)
    cut = next(n for n, line in enumerate(lines) if b'"function_call_result"' in line)
    agent.writes(lines[:cut])
    async with sit() as mei:
        await mei.opens("s")
        await mei.until_sees("● working: Bash make all", "running")
        rows = len(mei.texts())
        agent.writes(lines[cut:])
        await mei.until_sees("✓ ", "completed")
        assert len(mei.texts()) == rows
        await mei.until(lambda: not mei.sees("● running"))


async def test_a_line_shows_once_it_is_whole(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 1)
    talk(agent, 1, 2)
    line = b"".join(agent.lines(Answer("torn apart")))
    async with sit() as mei:
        await mei.opens("s")
        agent.writes([line[:40]])
        talk_of_others = home.agent("other", 1)
        talk(talk_of_others, 1, 1)
        await mei.until(lambda: mei.item("other") is not None)
        assert mei.here() == "answer 2"
        agent.writes([line[40:]])
        await mei.until(lambda: mei.here() == "torn apart")


Change = Callable[[Path, bytes], None]


def cut(path: Path, _data: bytes) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    os.truncate(path, sum(map(len, lines[:9])))


def rewrite(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def replace(path: Path, data: bytes) -> None:
    fresh = path.with_suffix(".tmp")
    fresh.write_bytes(data)
    fresh.replace(path)


@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize(("change", "last"), [(cut, 3), (rewrite, 12), (replace, 12)])
async def test_shows_a_file_as_it_is_now(
    home: Home, sit: Sit, change: Change, last: int, up: bool
) -> None:
    agent, other = home.agent("s", 200), Agent(home.folder / "s.jsonl", 100, "/src/shop")
    talk(agent, 1, 10)
    for number in range(3, 13):
        other.does(Prompt(f"ask {number}"), Answer(f"answer {number}"))
    async with sit() as mei:
        await mei.opens("s")
        if up:
            await mei.press("K", "K")
        change(agent.path, other.path.read_bytes())
        await mei.until(lambda: mei.texts()[-1:] == [f"answer {last}"])
        await mei.press("G")
        assert mei.here() == f"answer {last}"
        await mei.until(lambda: mei.panel.event is not None and mei.panel.event.text == mei.here())
        assert not any("not read" in text for text in mei.texts())


async def test_a_deleted_file_is_said_to_be_gone_and_comes_back(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 200)
    talk(agent, 1, 10)
    data = agent.path.read_bytes()
    async with sit() as mei:
        await mei.opens("s")
        agent.path.unlink()
        await mei.until_sees("The transcript cannot be read: No such file or directory")
        await mei.until(lambda: mei.item("s") is None)
        await mei.press("k", "k", "enter", "4", "escape")
        agent.path.write_bytes(data)
        await mei.until(lambda: mei.item("s") is not None)
        await mei.until(lambda: "cannot be read" not in mei.lines()[3])
        await mei.press("G")
        await mei.until(lambda: mei.here() == "answer 10")


async def test_a_long_transcript_opens_at_its_end_and_is_read_behind_that(
    grown: Path, sit: Sit
) -> None:
    async with sit(opened=grown) as mei:
        await mei.until(lambda: len(mei.texts()) > 0)
        first = len(mei.texts())
        assert mei.timeline.current
        assert first < 2000
        assert mei.timeline.current.number is None
        await mei.until(lambda: len(mei.timeline.source) == 2000)
        assert mei.timeline.current.number == 3000
        assert mei.timeline.follow
        await mei.press("K", "K")
        assert mei.here() == "ask 999"


async def test_scrolling_up_does_not_stop_where_reading_began(grown: Path, sit: Sit) -> None:
    async with sit(opened=grown) as mei:
        await mei.until(lambda: len(mei.timeline.source) > 0)
        await mei.press("K")
        before = mei.here()
        await mei.press(*["pageup"] * 12)
        await mei.until(lambda: len(mei.timeline.source) == 2000)
        assert before == "ask 1000"
        await mei.press("J")
        number = int(mei.here().split()[1])
        await mei.press("K")
        assert mei.here() == f"ask {number - 1}"


async def test_g_waits_for_the_beginning(grown: Path, sit: Sit) -> None:
    async with sit(opened=grown) as mei:
        await mei.until(lambda: len(mei.timeline.source) > 0)
        await mei.press("g")
        await mei.until_sees("Loading earlier events")
        await mei.until(lambda: mei.here() == "ask 1")
        assert mei.timeline.current
        assert mei.timeline.current.number == 1


async def test_keys_answer_while_much_is_read(grown: Path, sit: Sit) -> None:
    async def at(mei: Person, text: str) -> None:
        await mei.until(lambda: mei.here() == text)

    async with sit(opened=grown) as mei:
        await mei.until(lambda: len(mei.timeline.source) > 0)
        await mei.press("K")
        await at(mei, "ask 1000")
        await mei.press("slash", *"ask 997", "enter", "N")
        await mei.until(lambda: len(mei.timeline.source) == 2000)
