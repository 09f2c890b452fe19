"""Beside a running agent: its death, its questions and its end are told, and shown at once."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from sessions_tui.app.demo.registry import register
from sessions_tui.app.demo.steps import Answer, Call, Prompt
from tests.app.sitting import Home, Sit

pytestmark = pytest.mark.anyio

EDIT = Call("Edit", {"file_path": "db.py", "old_string": "a", "new_string": "b"}, "db.py", None)
"""Without a result."""


def now() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


@pytest.fixture
def process(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds session `s`."""
    agent = subprocess.Popen(["sleep", "600"])
    (home.root / "sessions").mkdir()
    register(home.root / "sessions", agent.pid, "s", "/src/shop", now(), now())
    yield agent
    agent.kill()
    agent.wait()


async def test_a_killed_agent_shows_as_crashed(
    home: Home, sit: Sit, process: subprocess.Popen[bytes]
) -> None:
    home.agent("s", 0.2, now=now()).does(Prompt("Fix the db"), EDIT)
    home.agent("other", 5, now=now()).does(Prompt("Fix the docs"), Answer("Fixed."))
    async with sit(now=time.time) as mei:
        await mei.opens("other")
        await mei.until(lambda: "  s" in mei.entries() and "WORKING" in mei.entries())
        process.kill()
        process.wait()
        await mei.until(lambda: "NEEDS YOU" in mei.entries())
        session = mei.session("s")
        assert session is not None
        assert (session.status, session.uncertain) == ("crashed", 1)
        assert f"process {process.pid} is gone" in session.why
        await mei.until_sees("Fix the db (shop) crashed")
        await mei.press("f2")
        await mei.until_sees("db.py")


async def test_a_finished_turn_and_a_question_are_told(
    home: Home, sit: Sit, process: subprocess.Popen[bytes]
) -> None:
    agent = home.agent("s", 0.2, now=now()).does(
        Prompt("Fix the db"), replace(EDIT, output="edited")
    )
    home.agent("other", 5, now=now()).does(Prompt("Fix the docs"), Answer("Fixed."))
    async with sit(now=time.time) as mei:
        await mei.opens("other")
        await mei.until(lambda: "WORKING" in mei.entries())
        agent.does(Answer("Fixed."))
        await mei.until_sees("Fix the db (shop) has finished")
        agent.does(
            Prompt("And the port?"), Call("AskUserQuestion", {"question": "Which?"}, "?", None)
        )
        await mei.until_sees("Fix the db (shop) needs you")


async def test_what_happens_before_ones_eyes_is_not_told(
    home: Home, sit: Sit, process: subprocess.Popen[bytes]
) -> None:
    agent = home.agent("s", 0.2, now=now()).does(
        Prompt("Fix the db"), replace(EDIT, output="edited")
    )
    async with sit(now=time.time) as mei:
        await mei.opens("s")
        await mei.until(lambda: "WORKING" in mei.entries())
        agent.does(Answer("Fixed."))
        await mei.until(lambda: (one := mei.session("s")) is not None and one.status == "waiting")
        assert not mei.sees("has finished")
