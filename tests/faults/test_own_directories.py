"""Directories of our own that may not be looked into: everything works but what is kept there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt
from tests.app.conftest import own_home as own_home
from tests.app.conftest import sessions as sessions
from tests.app.sitting import Home, Sit

from ..app.conftest import Sessions
from .privileges import bound

pytestmark = pytest.mark.anyio

COMMANDS = (
    ("list", 0),
    ("show s", 0),
    ("check", 0),
    ("actions", 0),
    ("search ask", 0),
    ("recover s", 0),
    ("memory s", 0),
    ("index", 6),
)
"""Without their options, with their exit codes where no index can be saved."""


@pytest.fixture(autouse=True)
def binding() -> Iterator[None]:
    with bound():
        yield


@pytest.fixture(params=[0o000, 0o400, 0o100], ids=["000", "400", "100"])
def closed(request: pytest.FixtureRequest, home: Home) -> Iterator[Path]:
    """The cache directory, which may not be written and perhaps not read or entered."""
    home.places.cache.mkdir()
    home.places.cache.chmod(request.param)
    yield home.places.cache
    home.places.cache.chmod(0o700)


@pytest.mark.parametrize(("words", "code"), COMMANDS)
def test_every_command_works_without_an_index(
    home: Home, closed: Path, sessions: Sessions, words: str, code: int
) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    ran = sessions("--root", home.root, "--cache-dir", closed, *words.split())
    told = f"the index cannot be saved in {closed}: Permission denied"
    assert (ran.code, ran.err.count(told)) == (code, 1)
    assert "Traceback" not in ran.err
    assert ran.out or words == "actions"


async def test_the_screen_shows_the_sessions_without_an_index(
    home: Home, closed: Path, sit: Sit
) -> None:
    home.agent("s").does(Prompt("ask"))
    async with sit() as mei:
        await mei.opens("s")
        await mei.until(lambda: mei.texts() == ["ask"])
        told = f"the index cannot be saved in {closed}: Permission denied"
        await mei.until(lambda: mei.desk.feed._library.notice == told)


async def test_the_screen_shows_the_sessions_without_decisions(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"))
    home.places.data.mkdir(mode=0)
    try:
        async with sit() as mei:
            await mei.opens("s")
            await mei.until(lambda: mei.texts() == ["ask"])
            await mei.until_sees("Permission denied")
    finally:
        home.places.data.chmod(0o700)
