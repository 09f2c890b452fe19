"""The thread that reads: it goes on past what it cannot read, and ends when the program does."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from threading import Event

import pytest
from textual.message import Message

from sessions_tui.app.demo.steps import Answer, Prompt
from sessions_tui.app.feed.feed import Feed
from sessions_tui.app.feed.messages import SessionsChanged
from sessions_tui.app.startup.early import Early
from sessions_tui.storage.index.index import Index
from sessions_tui.storage.library import update as indexing
from tests.app.sitting import NOW, PATIENCE, Home, Sit

pytestmark = pytest.mark.anyio

RECORD = b'{"type":"message","role":"assistant","timestamp":%d,"content":[{"text":"%s"}]}\n'


def big(path: Path, size: int) -> None:
    line = RECORD % (1_778_400_000_000, b"x" * 900)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(line * (size // len(line)))


async def test_leaving_ends_the_reading_at_once(
    home: Home, sit: Sit, threads: Callable[[], set[str]]
) -> None:
    big(home.path("huge"), 100_000_000)
    async with sit() as mei:
        await mei.until_sees("indexing")
    deadline = time.monotonic() + PATIENCE
    while threads() and time.monotonic() < deadline:
        time.sleep(0.01)  # a watcher ends within the step that it is in
    assert not threads()
    with closing(Index(home.places.cache)) as index:  # the rest is left for the next time
        assert index.known(home.path("huge")) is None


@pytest.mark.parametrize("waits", [0, 1, 5])
async def test_leaving_while_it_looks_around_is_quiet(home: Home, sit: Sit, waits: int) -> None:
    for number in range(400):
        big(home.path(f"s{number}"), 2_000)
    async with sit() as mei:
        for _ in range(waits):
            await mei.pilot.pause()
        mei.desk.exit()


async def test_what_was_read_is_not_read_again(home: Home, sit: Sit) -> None:
    for number in range(5):
        home.agent(f"s{number}", number + 10).does(Prompt("ask"), Answer("answer"))
    for read in (5, 0):
        async with sit() as mei:
            await mei.until(lambda: len(mei.entries()) == 6 and not mei.sees("indexing"))
            assert len(mei.desk.feed._library.overviews.parsed) == read


async def test_older_ones_of_very_many_sub_agents_come_last(
    home: Home, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE", 2)
    home.agent("s", 10).does(Prompt("ask"), Answer("answer"))
    folder = home.path("s").with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    for number in range(9):
        record = RECORD % (1_778_400_000_000 + number, b"done")
        (folder / f"agent-{number}.jsonl").write_bytes(record)
    counts: list[int] = []
    tell = Feed._tell

    def told(self: Feed) -> None:
        tell(self)
        counts.append(sum(1 for one in self._library.sessions() if one.parent_path))

    monkeypatch.setattr(Feed, "_tell", told)
    async with sit() as mei:
        await mei.until(lambda: bool(counts) and counts[-1] == 9)
        assert counts[0] <= 2
        await mei.until(lambda: not mei.sees("indexing"))
        assert len(mei.desk.feed._library.overviews.parsed) == 10


async def test_two_programs_share_one_cache(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 1).does(Prompt("ask"), Answer("answer"))
    async with sit() as mei, sit() as li:
        await mei.opens("s")
        await li.opens("s")
        agent.does(Prompt("more"), Answer("all of it"))
        await mei.until(lambda: mei.here() == "all of it")
        await li.until(lambda: li.here() == "all of it")
        assert not mei.sees("not remembered")
        assert not li.sees("not remembered")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
async def test_an_unreadable_file_is_said_and_the_rest_is_read(home: Home, sit: Sit) -> None:
    home.agent("secret").does(Prompt("ask")).path.chmod(0)
    home.agent("open").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.until_sees("Permission denied")
        assert mei.item("open")


async def test_a_directory_named_like_a_transcript_is_no_harm(home: Home, sit: Sit) -> None:
    home.agent("open").does(Prompt("ask"), Answer("answer"))
    home.path("folder").mkdir()
    home.path("dangling").symlink_to("nowhere.jsonl")
    async with sit() as mei:
        await mei.opens("open")
        assert mei.entries() == ["TODAY", "  open"]


async def test_a_broken_database_of_the_app_is_said(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    (home.root / "workbuddy.db").write_bytes(b"not a database " * 500)
    async with sit() as mei:
        await mei.until(lambda: bool(mei.item("s") and mei.desk._notifications))
        (notice,) = mei.desk._notifications
        assert "workbuddy.db: file is not a database; " in notice.message


async def test_a_cache_that_cannot_be_written_is_said_once(home: Home, sit: Sit) -> None:
    home.places.cache.write_text("not a directory")
    home.places.data.write_text("neither")
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.opens("s")
        await mei.until_sees("not remembered")
        assert mei.here() == "answer"


def test_a_machine_that_is_busy_has_lists_come_no_more_rarely(home: Home) -> None:
    agent = home.agent("s").does(Prompt("ask"), Answer("answer"))
    told: SimpleQueue[int | None] = SimpleQueue()

    def post(message: Message) -> None:
        if isinstance(message, SessionsChanged) and message.sessions:
            Event().wait(1)  # others have the processor
            told.put(message.sessions[0].events)

    feed = Feed(Early(home.roots(), home.places, 7), post, lambda: NOW)
    feed.start()
    feed.go_on()
    try:
        before = told.get(timeout=PATIENCE) or 0
        agent.does(Prompt("more"))
        while (
            told.get(timeout=PATIENCE) == before
        ):  # twenty times what the last list took is too much
            pass
    finally:
        feed.stop()
        feed.join()
