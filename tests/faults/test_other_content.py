"""A transcript that is not what it was: cut, replaced, rewritten in place, deleted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt, Remark, run
from sessions_tui.app.feed import timetable
from tests.app.sitting import Agent, Home, Person, Sit

pytestmark = pytest.mark.anyio


def story(agent: Agent, *texts: str) -> bytes:
    """The bytes of a session in which these answers are given, not written yet."""
    lines = [line for text in texts for line in agent.lines(Answer(text))]
    return b"".join([*agent.lines(Prompt("ask")), *lines])


async def shows(mei: Person, *texts: str) -> None:
    """Wait until exactly these rows are shown."""
    await mei.until(lambda: mei.texts() == list(texts))


def titles(mei: Person) -> dict[str, str]:
    """The titles of the sessions in the list."""
    return {session.session: session.title for session in mei.all()}


async def test_truncated_and_regrown(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"), *(Answer(f"first {n}") for n in range(20)))
    async with sit() as mei:
        await mei.opens("s")
        await shows(mei, "ask", *(f"first {n}" for n in range(20)))
        whole = agent.path.read_bytes().splitlines(keepends=True)
        os.truncate(agent.path, sum(map(len, whole[:12])))
        await shows(mei, "ask", *(f"first {n}" for n in range(10)))
        agent.does(*(Answer(f"second {n}") for n in range(30)))
        kept = [f"first {n}" for n in range(10)]
        await shows(mei, "ask", *kept, *(f"second {n}" for n in range(30)))
        # Between two looks: what is seen is only that the file is longer.
        with agent.path.open("r+b") as file:
            file.truncate(sum(map(len, whole[:4])))
            file.seek(0, os.SEEK_END)
            file.write(b"".join(line for n in range(60) for line in agent.lines(Answer(f"3 {n}"))))
        await shows(mei, "ask", "first 0", "first 1", *(f"3 {n}" for n in range(60)))
        await mei.until_listed("s", 64)


async def test_replaced_by_rename(home: Home, sit: Sit, tmp_path: Path) -> None:
    agent = home.agent("s").does(Prompt("ask"), Answer("first"))
    async with sit() as mei:
        await mei.opens("s")
        await shows(mei, "ask", "first")
        new = tmp_path / "new"
        new.write_bytes(story(agent, "second", "third", "fourth"))
        new.replace(agent.path)
        await shows(mei, "ask", "second", "third", "fourth")
        # A writer that saves as a whole: the same records and one more.
        new.write_bytes(agent.path.read_bytes() + b"".join(agent.lines(Answer("fifth"))))
        new.replace(agent.path)
        await shows(mei, "ask", "second", "third", "fourth", "fifth")
        agent.does(Answer("sixth"))
        await shows(mei, "ask", "second", "third", "fourth", "fifth", "sixth")
        await mei.until_listed("s", 7)


@pytest.mark.parametrize("by", ["writing in place", "rename"])
async def test_same_size_and_same_time(home: Home, sit: Sit, tmp_path: Path, by: str) -> None:
    agents = [
        home.agent(name).does(Prompt("is it red"), Answer("it is red")) for name in ("s", "t")
    ]
    async with sit() as mei:
        await mei.opens("s")
        await shows(mei, "is it red", "it is red")
        await mei.until(lambda: not mei.sees("indexing"))
        for agent in agents:
            before = agent.path.stat()
            changed = agent.path.read_bytes().replace(b"red", b"tan")
            target = agent.path if by == "writing in place" else tmp_path / agent.path.name
            with target.open("r+b" if target == agent.path else "wb") as file:
                file.write(changed)
            os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
            target.replace(agent.path)
            after = agent.path.stat()
            assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        await shows(mei, "is it tan", "it is tan")
        await mei.until(lambda: titles(mei) == {"s": "is it tan", "t": "is it tan"})


async def test_deleted_and_back(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 1).does(Prompt("ask"), Remark("I look"), run("pytest", "failed"))
    home.agent("other").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("s")
        rows = mei.texts()
        kept = agent.path.read_bytes()
        agent.path.unlink()
        await mei.until_sees("No such file")
        await mei.until(lambda: mei.item("s") is None)
        agent.writes([kept]).does(Answer("it was the sign"))
        await shows(mei, *rows, "it was the sign")
        await mei.until(lambda: mei.session("s") is not None)
        await mei.until_listed("s", 6)
        agent.does(Answer("and more"))
        await shows(mei, *rows, "it was the sign", "and more")


async def test_deleted_and_back_while_another_is_open(
    home: Home, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timetable, "SCANNED_EVERY", 1e6)  # it is heard of, not looked for
    monkeypatch.setattr(timetable, "SCANNED_AFTER", 1e6)
    agent = home.agent("s", 5).does(Prompt("ask"), Answer("answer"))
    home.agent("other").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("other")
        await mei.until(lambda: mei.desk.feed._stores.alive)
        for events in (4, 5, 6):
            kept = agent.path.read_bytes()
            agent.path.unlink()
            await mei.until(lambda: mei.item("s") is None)
            agent.writes([kept]).does(Answer("and more"))
            await mei.until(lambda: mei.item("s") is not None)
            await mei.until_listed("s", events)
