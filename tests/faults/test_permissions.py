"""What may not be read or written, and may again: the rest goes on, and it is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from sessions_tui.app.feed.tasks import Pin, SetTitle
from tests.app.sitting import Home, Sit

from .privileges import bound
from .writing import line

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def binding() -> Iterator[None]:
    with bound():
        yield


async def test_a_file_that_may_not_be_read_for_a_while(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    other = home.agent("other", 5).does(Prompt("ask"))
    async with sit() as mei:
        await mei.opens("s")
        with agent.path.open("ab", buffering=0) as held:
            agent.path.chmod(0)
            await mei.until_sees("cannot be read: Permission denied")
            other.does(Answer("meanwhile"))
            await mei.until_listed("other", 3)
            held.write(line(agent, "unseen"))
            agent.path.chmod(0o600)
            await mei.until(lambda: mei.texts() == ["ask", "unseen"])
            held.write(line(agent, "seen"))
        await mei.until(lambda: mei.texts() == ["ask", "unseen", "seen"])
        await mei.until_listed("s", 4)
        await mei.until(lambda: not mei.sees("Permission denied"))


@pytest.mark.parametrize("above", [0, 1], ids=["workspace", "projects"])
async def test_a_folder_that_may_not_be_read_for_a_while(home: Home, sit: Sit, above: int) -> None:
    agent = home.agent("s").does(Prompt("ask"), Answer("answer"))
    folder = agent.path.parents[above]
    async with sit() as mei:
        await mei.opens("s")
        mei.desk.feed.carry_out(SetTitle(agent.path, "My own title"))
        await mei.until(lambda: mei["s"].title == "My own title")
        folder.chmod(0)
        try:
            await mei.until_sees("Permission denied")
            await mei.until(lambda: folder in mei.desk.feed._library.unreadable)
        finally:
            folder.chmod(0o700)
        agent.does(Answer("and more"))
        await mei.until(lambda: mei.texts() == ["ask", "answer", "and more"])
        await mei.until(lambda: mei.item("s") is not None)
        await mei.until_listed("s", 4)
        assert mei["s"].title == "My own title"
        await mei.until(lambda: not mei.desk.feed._library.unreadable)


async def test_a_home_that_may_not_be_written(home: Home, sit: Sit) -> None:
    agent = home.agent("s").does(Prompt("ask"))
    before = everything(home.folder)
    with agent.path.open("ab", buffering=0) as held:
        for folder in (home.folder, home.root, *home.root.rglob("*")):
            folder.chmod(0o500)
        try:
            async with sit() as mei:
                await mei.opens("s")
                await mei.until_sees("not remembered")
                held.write(line(agent, "answer"))
                await mei.until(lambda: mei.texts() == ["ask", "answer"])
                await mei.until_listed("s", 3)
                mei.desk.feed.carry_out(Pin(agent.path, True))
                await mei.until_sees("Could not save")
                assert not mei["s"].pinned
        finally:
            for folder in (home.folder, home.root, *home.root.rglob("*")):
                folder.chmod(0o700)
    assert everything(home.folder) == before


def everything(folder: Path) -> list[Path]:
    """All there is below a folder."""
    return sorted(folder.rglob("*"))
