"""What comes while the program runs: sessions, projects, whole stores."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessions_tui.app.demo.steps import Answer, Prompt, Title
from sessions_tui.app.feed.watched_stores import WatchedStores
from sessions_tui.storage.stores.roots import find_roots
from tests.app.sitting import Agent, Home, Sit

pytestmark = pytest.mark.anyio


async def test_a_new_session_appears_in_a_new_project(home: Home, sit: Sit) -> None:
    home.agent("first").does(Prompt("ask"), Answer("answer"))
    async with sit() as mei:
        await mei.until(lambda: mei.item("first") is not None)
        home.agent("second", 1, "parser").does(Prompt("Port it"), Title("Port it"))
        await mei.until_sees("Port it", "2 sessions")
        home.path("first").unlink()
        await mei.until(lambda: mei.item("first") is None)


async def test_a_default_store_may_appear_later(
    home: Home, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = Path(os.environ["HOME"])
    home.root.joinpath("projects").rmdir()
    home.root.rmdir()
    monkeypatch.chdir(user)
    roots = find_roots(None, os.environ, user, user)
    assert not roots.found
    async with sit(roots=roots) as mei:
        await mei.until_sees("No sessions yet", ".codebuddy", "demo with sample data")
        path = user / ".codebuddy" / "projects" / "src-shop" / "s.jsonl"
        path.parent.mkdir(parents=True)
        agent = Agent(path, 1, "/src/shop").does(Prompt("ask"), Answer("answer"))
        await mei.opens("s")
        agent.does(Answer("and more"))
        await mei.until(lambda: mei.here() == "and more")


async def test_a_store_may_go_and_come_back(home: Home, sit: Sit) -> None:
    home.agent("s").does(Prompt("ask"), Answer("answer"))
    projects, aside = home.root / "projects", home.root / "aside"
    async with sit() as mei:
        await mei.opens("s")
        projects.rename(aside)
        await mei.until_sees("No sessions yet")
        aside.rename(projects)
        await mei.until(lambda: mei.item("s") is not None)


def test_a_folder_in_a_tree_is_watched_once_unless_a_link_leads_there(home: Home) -> None:
    home.agent("s")
    path = home.path("s")
    watching = WatchedStores(home.roots(path), lambda paths: None)
    try:
        watching.start()
        assert watched(watching) == [True]
        aside = path.parent.rename(home.folder / "aside")
        path.parent.symlink_to(aside)
        watching.cover()
        assert watched(watching) == [False, True]
    finally:
        watching.stop()


def watched(watching: WatchedStores) -> list[bool]:
    """What is watched: trees with all below them, and folders by themselves."""
    return sorted(recursive for recursive, _ in watching._watchers)


async def test_one_file_is_watched_as_a_root(home: Home, sit: Sit) -> None:
    agent = home.agent("s", 1).does(Prompt("ask"), Answer("answer"))
    home.agent("other").does(Prompt("ask"), Answer("answer"))
    async with sit(roots=find_roots([agent.path], {}, home.folder, home.folder)) as mei:
        await mei.opens("s")
        agent.does(Answer("and more"))
        await mei.until(lambda: mei.here() == "and more")
        assert mei.item("other") is None
