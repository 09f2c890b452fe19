"""What is shown before a session is resumed, and what one answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.app import App

from sessions_tui.app.forms.resume import ResumeForm
from sessions_tui.storage.resume.resumption import Resumption

from .desk import Desk

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

TITLE = "修复库存超卖并补测试"
ID = "0198a7c2-1111-4222-8333-444455556666"
HELD = "Process 4711 has this session open: two processes would write to the same transcript."
WANTED = Resumption(
    ("/usr/local/bin/codebuddy", f"--resume={ID}"),
    "/home/mei/src/my shop",
    {"CODEBUDDY_CONFIG_DIR": "/home/mei/.workbuddy", "OTHER": None},
    (HELD,),
)
REFUSED = Resumption(refusal="Its directory /home/mei/src/shop is gone, and that is it.")


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Desk()
    async with app.run_test(size=size) as pilot:
        await app.opens(ResumeForm(WANTED, TITLE), pilot)
        snapshot(f"form-resume-{size[0]}x{size[1]}", frame(app))


async def test_a_refusal(frame: Frame, snapshot: Snapshot) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ResumeForm(REFUSED, TITLE), pilot)
        snapshot("form-resume-refused-80x24", frame(app))


@pytest.mark.parametrize(
    ("wanted", "key", "result"),
    [
        (WANTED, "enter", True),
        (WANTED, "escape", False),
        (WANTED, "q", False),
        (REFUSED, "enter", False),
        (REFUSED, "escape", False),
    ],
)
async def test_by_keys(wanted: Resumption, key: str, result: bool) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ResumeForm(wanted, TITLE), pilot)
        await pilot.press(key)
        await pilot.pause()
        assert app.result is result
        assert app.heard == []


@pytest.mark.parametrize(("button", "result"), [("done", True), ("cancel", False)])
async def test_by_mouse(button: str, result: bool) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ResumeForm(WANTED, TITLE), pilot)
        await pilot.click(f"#{button}")
        await pilot.pause()
        assert app.result is result


async def test_what_is_refused_is_not_offered() -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(ResumeForm(REFUSED, TITLE), pilot)
        assert not app.screen.query_one("#done").display


async def test_a_warning_below_the_edge_can_be_scrolled_to(frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(40, 9)) as pilot:
        await app.opens(ResumeForm(WANTED, TITLE), pilot)
        assert "would write" not in frame(app)
        await pilot.press("end")
        await pilot.pause()
        assert "would write" in frame(app)


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 5), (1, 1)])
async def test_hostile_words(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    app = Desk()
    words = Resumption((hostile, hostile), hostile, {"NAME": hostile}, (hostile,))
    async with app.run_test(size=size) as pilot:
        for wanted in (words, Resumption(refusal=hostile)):
            await app.opens(ResumeForm(wanted, hostile), pilot)
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]


OPEN = replace(WANTED, open_calls=2)


async def test_the_note_for_the_agent_is_offered_first(frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(120, 30)) as pilot:
        await app.opens(ResumeForm(OPEN, TITLE, "Bash is not checked yet"), pilot)
        assert "c copies the note" in frame(app)
        await pilot.press("c")
        assert app.clipboard == "Bash is not checked yet"
        assert not app.closed


async def test_without_a_note_there_is_none_to_copy(frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(120, 30)) as pilot:
        await app.opens(ResumeForm(WANTED, TITLE), pilot)
        assert "the note" not in frame(app)
        await pilot.press("c")
        assert app.clipboard == ""
