"""Folders as people have them: full, renamed, linked, made while one looks."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt, run
from sessions_tui.app.feed import timetable
from sessions_tui.app.feed.tasks import Pin, SetTitle
from sessions_tui.storage.stores.roots import find_roots
from tests.app.sitting import Home, Sit

from .hearing import listening
from .writing import append, line, run_of

pytestmark = pytest.mark.anyio

MANY = 3_000


@pytest.fixture
def no_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is seen was heard of: files are not looked for after so many seconds."""
    monkeypatch.setattr(timetable, "SCANNED_EVERY", 1e6)
    monkeypatch.setattr(timetable, "SCANNED_AFTER", 1e6)


def test_thousands_of_files_in_one_folder(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = home.agent("s", 5000).does(Prompt("ask"), Answer("answer"))
    old = agent.path.read_bytes()
    for number in range(MANY):
        home.path(f"s{number}").write_bytes(old)
    opened: Counter[str] = Counter()
    system_open = os.open

    def counted(path: Any, *rest: Any, **more: Any) -> int:
        if str(path).endswith(".jsonl"):
            opened[Path(path).name] += 1
        return system_open(path, *rest, **more)

    monkeypatch.setattr(os, "open", counted)
    with listening(home.roots(), home.places) as heard:
        heard.until(lambda: len(heard.sessions) == MANY + 1, 120)
        heard.until(heard.is_settled, 120)
        assert max(opened.values()) == 1  # each was read once
        opened.clear()
        with home.path("s77").open("ab") as file:
            file.write(line(agent, "answer"))
        heard.until(lambda: heard.sessions["s77"].events == 4)
        home.agent("new", 1).does(Prompt("ask"))
        heard.until(lambda: "new" in heard.sessions)
        home.path("s78").unlink()
        heard.until(lambda: "s78" not in heard.sessions)
        assert opened.keys() <= {"s77.jsonl", "s78.jsonl", "new.jsonl"}


async def test_a_new_workspace_and_a_new_root(home: Home, sit: Sit, tmp_path: Path) -> None:
    tree = tmp_path / "src"
    first = tree / "shop" / "memory" / "transcripts" / "transcript-first.jsonl"
    second = tree / "old" / "site" / "memory" / "transcripts" / "transcript-second.jsonl"
    first.parent.mkdir(parents=True)
    first.write_bytes(b"".join(run_of("first", [Prompt("ask"), Answer("answer")])))
    home.agent("s").does(Prompt("ask"))
    async with sit(roots=home.roots(tree)) as mei:
        await mei.until(lambda: {s.session for s in mei.all()} == {"s", "first"})
        home.agent("t", 5, "parser").does(Prompt("ask"))
        await mei.until(lambda: mei.item("t") is not None)
        second.parent.mkdir(parents=True)
        lines = run_of("second", [Prompt("ask"), Answer("answer")], minutes=3)
        append(second, b"".join(lines[:2]))
        await mei.opens("second")
        append(second, b"".join(lines[2:]))
        await mei.until(lambda: "answer" in mei.texts())


@pytest.mark.usefixtures("no_sweeps")
async def test_a_renamed_workspace_keeps_what_was_decided(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"), run("pytest"))
    call = agent.lines(run("make"))[0]
    agent.writes([call])
    async with sit() as mei:
        await mei.opens("s")
        mei.desk.feed.carry_out(SetTitle(agent.path, "My own title"))
        mei.desk.feed.carry_out(Pin(agent.path, True))
        await mei.until(lambda: mei["s"].pinned and mei["s"].title == "My own title")
        moved = home.path("s", "store")
        agent.path.parent.rename(moved.parent)
        await mei.until(lambda: [s.path for s in mei.all()] == [moved])
        assert (mei["s"].pinned, mei["s"].title, mei["s"].events) == (True, "My own title", 5)
        agent.path = moved
        await mei.press("escape")
        await mei.opens("s")
        agent.does(Answer("answer"))
        await mei.until(lambda: mei.here() == "answer")
        await mei.until_listed("s", 6)


@pytest.mark.usefixtures("no_sweeps")
async def test_a_linked_root_with_a_loop(home: Home, sit: Sit, tmp_path: Path) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    home.path("s").with_name("loop").symlink_to(home.root / "projects")
    (home.root / "projects" / "again").symlink_to(home.path("s").parent)
    link = tmp_path / "link"
    link.symlink_to(home.root)
    roots = find_roots([link], {}, tmp_path, tmp_path)
    async with sit(roots=roots) as mei:
        await mei.opens("s")
        assert mei.entries() == ["MAYBE CRASHED", "  s"]
        await mei.until(lambda: mei.desk.feed._stores.alive)
        agent.does(Answer("answer"))
        await mei.until(lambda: mei.here() == "answer")
        await mei.until_listed("s", 3)
        home.agent("t", 5, "parser").does(Prompt("ask"))
        await mei.until(lambda: mei.item("t") is not None)
        assert len(mei.all()) == 2


async def test_what_is_open_in_a_renamed_workspace_stays_open(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("s")
        old = agent.path.parent
        old.rename(old.with_name("src-store"))
        moved = old.with_name("src-store") / agent.path.name
        await mei.until(lambda: mei.reading.path == moved and mei.texts() == ["ask", "answer"])
        with moved.open("ab") as file:
            file.write(line(agent, "and more"))
        await mei.until(lambda: mei.texts()[-1:] == ["and more"])
