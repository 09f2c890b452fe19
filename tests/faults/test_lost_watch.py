"""Where the system tells nothing, or stops telling: files are looked at all the same."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import watchfiles

from sessions_tui.app.demo.steps import Answer, Prompt
from sessions_tui.app.feed import timetable
from tests.app.sitting import Agent, Home, Sit

from .hearing import listening
from .starved import LIMIT

pytestmark = pytest.mark.anyio

TOP = Path(__file__).parents[2]


def may_starve() -> bool:
    """Whether a process can be given a user namespace with limits of its own."""
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    words = ["unshare", "--user", "--map-root-user", "test", "-w", str(LIMIT)]
    return LIMIT.exists() and not subprocess.run(words, capture_output=True).returncode


@pytest.mark.skipif(not may_starve(), reason="needs a user namespace")
def test_exhausted_inotify(tmp_path: Path) -> None:
    words = ["unshare", "--user", "--map-root-user", sys.executable, "-m", "tests.faults.starved"]
    ran = subprocess.run([*words, tmp_path], cwd=TOP, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_refused_watch(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = True
    watch = watchfiles.watch

    def watch_or_not(*paths: str, **options: Any) -> Iterator[Any]:
        if refused:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return watch(*paths, **options)

    monkeypatch.setattr(watchfiles, "watch", watch_or_not)
    agent = home.agent("s").does(Prompt("ask"))
    with listening(home.roots(), home.places, agent.path) as heard:
        heard.until(lambda: "No space left" in heard.problems and heard.records() == 2)
        agent.does(Answer("answer"))
        heard.until(lambda: heard.records() == 3)
        home.agent("t").does(Prompt("ask"))
        heard.until(lambda: "t" in heard.sessions)
        refused = False
        heard.until(lambda: not heard.problems)


@pytest.mark.skipif(sys.platform != "linux", reason="names are UTF-8 there")
async def test_a_name_that_ends_the_watch(
    home: Home, sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timetable, "SCANNED_EVERY", 1e6)
    monkeypatch.setattr(timetable, "SCANNED_AFTER", 1e6)
    agent, aside = home.agent("s").does(Prompt("ask")), tmp_path / "aside.jsonl"
    async with sit() as mei:
        await mei.opens("s")
        watching = mei.desk.feed._stores
        for number in range(2):
            await mei.until(lambda: watching.alive and not mei.sees("polled"))
            Agent(aside, 1, "/src/shop").does(Prompt(f"odd name {number}"))
            aside.rename(home.path(os.fsdecode(b"\xff%d" % number)))
            home.agent(f"t{number}", 1, f"parser{number}").does(Prompt(f"as usual {number}"))
            agent.does(Answer(f"answer {number}"))
            await mei.until(lambda number=number: mei.here() == f"answer {number}")  # type: ignore[misc]
            await mei.until_sees(f"odd name {number}", f"as usual {number}")
        assert mei.texts() == ["ask", *(f"answer {number}" for number in range(2))]


async def test_a_file_system_that_tells_nothing(home: Home, sit: Sit, tmp_path: Path) -> None:
    """As a network's does of what others write: a change by another name goes unnoticed."""
    agent, other = home.agent("s").does(Prompt("ask")), home.agent("t", 5).does(Prompt("ask"))
    names = tmp_path / "s", tmp_path / "t"
    names[0].hardlink_to(agent.path)
    names[1].hardlink_to(other.path)
    async with sit() as mei:
        await mei.opens("s")
        await mei.until(lambda: mei.desk.feed._stores.alive)
        agent.path, other.path = names
        for number in range(3):
            other.does(Answer("unheard"))
            agent.does(Answer(f"answer {number}"))
            await mei.until(lambda number=number: mei.here() == f"answer {number}")  # type: ignore[misc]
            await mei.until_listed("t", number + 3)
        await mei.until_listed("s", 5)
