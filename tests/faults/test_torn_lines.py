"""Lines that are not whole, or not alone: what is complete is shown once, and only that."""

from __future__ import annotations

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from tests.app.sitting import Home, Sit

from .writing import append, has_seen, line, run_of, transcript_of

pytestmark = pytest.mark.anyio


async def test_torn_inside_a_character(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    async with sit() as mei:
        await mei.opens("s")
        whole = line(agent, "修好了")
        cut = whole.index("好".encode()) + 1
        for piece in (whole[:cut], whole[cut : cut + 1], whole[cut + 1 : -1]):
            append(agent.path, piece)
            await has_seen(mei, agent.path)
            assert mei.texts() == ["ask"]
            assert transcript_of(mei).facts.damaged == 0
        append(agent.path, b"\n")
        await mei.until(lambda: mei.texts() == ["ask", "修好了"])
        await mei.until_listed("s", 3)


async def test_torn_inside_a_character_where_bytes_are_strict(home: Home, sit: Sit) -> None:
    lines = run_of("s", [Prompt("ask"), Answer("修好了"), Prompt("thanks"), Answer("好")])
    at = next(number for number, text in enumerate(lines) if not text.isascii())
    cut = lines[at].index("修".encode()) + 2
    path = home.folder / "shop" / "memory" / "transcripts" / "transcript-s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(lines[:at]) + lines[at][:cut])
    async with sit(roots=home.roots(home.folder / "shop")) as mei:
        await mei.opens("s")
        await mei.until_listed("s", at, "partial-tail")
        assert mei.texts() == ["ask"]
        append(path, lines[at][cut:] + b"".join(lines[at + 1 :]))
        await mei.until(
            lambda: mei.texts() == ["ask", "修好了", "completed", "thanks", "好", "completed"]
        )
        await mei.until_listed("s", len(lines))


async def test_a_torn_line_that_its_writer_takes_back(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    async with sit() as mei:
        await mei.opens("s")
        size, generation = agent.path.stat().st_size, transcript_of(mei).generation
        append(agent.path, line(agent, "never whole")[:-20])
        await has_seen(mei, agent.path)
        with agent.path.open("r+b") as file:
            file.truncate(size)
        agent.does(Answer("whole"))
        await mei.until(lambda: mei.texts() == ["ask", "whole"])
        assert transcript_of(mei).generation == generation  # nothing had to be read again
        await mei.until_listed("s", 3)


async def test_appended_after_a_torn_line(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    async with sit() as mei:
        await mei.opens("s")
        append(agent.path, line(agent, "torn")[:-30])
        await has_seen(mei, agent.path)
        agent.does(Answer("on the same line"), Answer("after it"))
        await mei.until(lambda: mei.here() == "after it")
        ask, damaged, after = mei.texts()
        assert (ask, after) == ("ask", "after it")
        assert "not JSON" in damaged
        await mei.until_listed("s", 3, "damaged")
