"""The list of hits: what it shows at several sizes, what keys and wheel do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App

from sessions_tui.widgets.search.hit_list import HitList
from tests.widgets.hits import Host, samples

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]


@pytest.mark.parametrize("size", [(140, 14), (80, 14), (30, 14)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(samples())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"hits-{size[0]}x{size[1]}", frame(app))


def marked(app: Host, y: int) -> list[str]:
    """What is marked on a line."""
    paper = app.list.palette.whole("hits--match").bgcolor
    return [text for text, look, _ in app.list.render_line(y) if look and look.bgcolor == paper]


async def test_all_words_are_marked_on_any_paper() -> None:
    app = Host(samples())
    async with app.run_test(size=(80, 20)) as pilot:
        for _ in range(2):
            assert marked(app, 2) == ["reserve", "超卖"]
            assert marked(app, 3) == []
            await pilot.press("down")


async def test_enter_opens_and_up_leaves() -> None:
    app = Host(samples())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("down", "enter")
        opened = next(one for one in app.heard if isinstance(one, HitList.Opened))
        assert opened.row is app.hits[1]
        await pilot.press("up")
        assert not app.said(HitList.Left)
        await pilot.press("k", "up")
        assert app.said(HitList.Left) == 1
        await pilot.press("space")
        assert not app.list.marks


async def test_the_end_is_told_by_keys_and_wheel() -> None:
    app = Host([dataclasses.replace(samples()[0], offset=place) for place in range(50)])
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("down", "pagedown")
        assert not app.said(HitList.EndReached)
        await pilot.press("G")
        assert app.said(HitList.EndReached)
        await pilot.press("g")
        app.heard.clear()
        app.list.scroll_end(animate=False)
        await pilot.pause()
        assert app.said(HitList.EndReached)


async def test_the_cursor_stays_on_its_hit() -> None:
    app = Host(samples())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("down", "down")
        newer = dataclasses.replace(app.hits[0], offset=7_000)
        app.hits = [newer, *app.hits]
        app.show(keep=True)
        assert app.list.current is app.hits[3]
        app.show(keep=False)
        assert app.list.current is newer


async def test_hostile_text(hostile: str, frame: Frame) -> None:
    hit = dataclasses.replace(samples()[0], snippet=hostile, title=hostile, workspace=hostile)
    app = Host([hit, dataclasses.replace(hit, match=(90, 95), offset=3)])
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("down", "up")
        text = frame(app)
        assert "[b]bold[/x]" in text
        assert not [line for line in text.split("\n") if not line.isprintable()]
