"""Two processes in one file, as after a resume of a session that is still held."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from tests.app.sitting import Home, Sit

from .writing import append, line

pytestmark = pytest.mark.anyio

EACH = 150
"""Records that each of two writers appends."""

WRITER = """
import os, sys
path, lines = sys.argv[1], sys.stdin.buffer.read().splitlines(keepends=True)
for line in lines:
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.write(fd, line)
    os.close(fd)
"""


def start(path: Path, lines: list[bytes]) -> subprocess.Popen[bytes]:
    """A process that appends lines, one write each."""
    writer = subprocess.Popen([sys.executable, "-c", WRITER, path], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    writer.stdin.write(b"".join(lines))
    writer.stdin.close()
    return writer


async def test_whole_lines_are_each_shown_once_and_in_order(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    async with sit() as mei:
        await mei.opens("s")
        both = [[line(agent, f"{who} {n}") for n in range(EACH)] for who in ("mei", "lin")]
        writers = [start(agent.path, lines) for lines in both]
        await mei.until(lambda: len(mei.texts()) >= 2 * EACH + 1)
        assert [writer.wait(20) for writer in writers] == [0, 0]
        records = [json.loads(text) for text in agent.path.read_bytes().splitlines()]
        said = [r["content"][0]["text"] for r in records if r["type"] == "message"]
        assert mei.texts() == said
        assert len(set(said)) == 2 * EACH + 1
        await mei.until_listed("s", len(records))


async def test_a_line_within_a_line_spoils_no_other(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    async with sit() as mei:
        await mei.opens("s")
        mine, theirs = line(agent, "mine"), line(agent, "theirs")
        for piece in (mine[:200], theirs, mine[200:]):
            append(agent.path, piece)
        agent.does(Answer("mine again"))
        append(agent.path, line(agent, "theirs again"))
        await mei.until(lambda: mei.here() == "theirs again")
        ask, *damaged, again, last = mei.texts()
        assert (ask, again, last) == ("ask", "mine again", "theirs again")
        assert len(damaged) == 2
        assert all("not JSON" in row for row in damaged)
        await mei.until_listed("s", 4, "damaged")
