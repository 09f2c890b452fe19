"""A title of one's own, or the agent's again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App

from sessions_tui.app.forms.title import TitleForm

from .desk import Desk

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

AGENTS = "修复库存超卖并补测试"


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Desk()
    async with app.run_test(size=size) as pilot:
        await app.opens(TitleForm("Overselling fixed", AGENTS), pilot)
        snapshot(f"form-title-{size[0]}x{size[1]}", frame(app))


@pytest.mark.parametrize(
    ("title", "keys", "result"),
    [
        ("Old", ["enter"], "Old"),
        ("Old", ["e", "r", "enter"], "Older"),
        ("", [*" qa  x? ", "enter"], "qa x?"),
        ("Old", ["ctrl+u", "enter"], ""),
        ("", ["enter"], ""),
        ("Old", ["x", "escape"], None),
        ("Old", ["tab", "enter"], "Old"),
        ("Old", ["tab", "tab", "enter"], None),
        ("x" * 200, ["enter"], "x" * 200),
        (" two  words ", ["enter"], "two words"),
    ],
)
async def test_by_keys_alone(title: str, keys: list[str], result: str | None) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(TitleForm(title, AGENTS), pilot)
        await pilot.press(*keys)
        await pilot.pause()
        assert app.result == result
        assert app.heard == []


@pytest.mark.parametrize(("button", "result"), [("done", "Old"), ("cancel", None)])
async def test_by_mouse(button: str, result: str | None) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(TitleForm("Old", AGENTS), pilot)
        await pilot.click(f"#{button}")
        await pilot.pause()
        assert app.result == result


async def test_too_long_is_said_and_can_be_mended(frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(TitleForm("x" * 201, AGENTS), pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "Too long: 201 of 200 characters." in frame(app)
        assert not app.closed
        await pilot.press("backspace", "enter")
        await pilot.pause()
        assert app.result == "x" * 200


async def test_what_an_empty_one_means_is_said(frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(TitleForm("", AGENTS), pilot)
        assert "leave empty to restore the agent's title" in frame(app)
        assert f"the agent calls it {AGENTS}" in frame(app)


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 5), (1, 1)])
async def test_hostile_titles(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=size) as pilot:
        await app.opens(TitleForm(hostile[:150], hostile), pilot)
        assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
        await pilot.press("enter")
        await pilot.pause()
        assert app.result.isprintable()


async def test_an_agent_that_gave_no_title(frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(TitleForm("", ""), pilot)
        assert "the agent gave it no title" in frame(app)
