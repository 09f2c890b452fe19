"""What is worth remembering: asked for beside the event, and refused where it is not enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.events import Paste
from textual.widgets import Button

from sessions_tui.app.forms.field import Field
from sessions_tui.app.forms.remember import Original, Remembered, RememberForm
from sessions_tui.storage.model.candidate import Candidate, Sourced
from sessions_tui.storage.model.event_detail import EventDetail
from sessions_tui.widgets.base.page_text import PageText

from .desk import Desk

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

SAID = (
    "修好了：reserve() 现在用一条带条件的 UPDATE，不会再超卖。\n\n"
    "The test starts two threads that both want the last item:\n\n"
    "    pytest -q tests/test_stock.py\n\n"
    + "It fails without the fix, and passes with it a thousand times in a row. "
    * 20
)


@pytest.fixture
def original(now: int) -> Original:
    """A long answer."""
    return Original("transcript:inventory-api:1284", now, "answer", SAID)


def box_of(app: App[Any]) -> str:
    """The field that has the keys."""
    assert app.focused is not None
    fields = [node.id for node in app.focused.ancestors if isinstance(node, Field)]
    return fields[0] or "" if fields else type(app.focused).__name__


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_frames(
    size: tuple[int, int], original: Original, frame: Frame, snapshot: Snapshot
) -> None:
    app = Desk()
    async with app.run_test(size=size) as pilot:
        form = RememberForm(original, place=(1, 3))
        await app.opens(form, pilot)
        form.query_one("#summary", Field).box.value = "reserve() uses one UPDATE"
        await pilot.press("enter", "enter")
        await pilot.pause()
        snapshot(f"form-remember-{size[0]}x{size[1]}", frame(app))


async def test_by_keys_alone(original: Original, frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(RememberForm(original), pilot)
        assert "0 / 2,000" in frame(app)
        await pilot.press(*"axqm? /[ ]", "backspace", "space", "space", "x", "enter")
        assert box_of(app) == "reason"
        assert "10 / 2,000" in frame(app)
        await pilot.press(*" why  not ", "enter")
        await pilot.pause()
        assert app.result == Remembered("axqm? /[ x", "why not")
        assert app.heard == []


async def test_escape_remembers_nothing(original: Original) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(RememberForm(original), pilot)
        await pilot.press("s", "enter", "r", "escape")
        await pilot.pause()
        assert app.result is None


@pytest.mark.parametrize("button", ["done", "cancel"])
async def test_by_mouse(button: str, original: Original) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(RememberForm(original, before=Remembered("s", "r")), pilot)
        await pilot.click(f"#{button}")
        await pilot.pause()
        assert app.result == (Remembered("s", "r") if button == "done" else None)


async def test_tab_goes_round(original: Original) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(RememberForm(original), pilot)
        visited = []
        for _ in range(5):
            visited.append(box_of(app))
            await pilot.press("tab")
        assert visited == ["summary", "reason", "Button", "Button", "PageText"]
        assert box_of(app) == "summary"


@pytest.mark.parametrize(
    ("summary", "reason", "refusal", "box"),
    [
        ("", "r", "The summary is blank.", "summary"),
        (" \u3000 ", "r", "The summary is blank.", "summary"),
        ("", "", "The summary is blank.", "summary"),
        ("s", " ", "The reason is blank.", "reason"),
        ("s" * 2_001, "r", "Too long: 2,001 of 2,000 characters.", "summary"),
        ("s", "修" * 1_001, "Too long: 1,001 of 1,000 characters.", "reason"),
        ("s" * 2_000, "r" * 1_000, "", ""),
        (" a  b ", "c\u3000d", "", ""),
    ],
)
async def test_refusals(
    summary: str, reason: str, refusal: str, box: str, original: Original, frame: Frame
) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        form = RememberForm(original)
        await app.opens(form, pilot)
        boxes = [field.box for field in form.query(Field)]
        for one, text in zip(boxes, (summary, reason), strict=True):
            one.value = text
        form.set_focus(boxes[1])
        await pilot.press("enter")
        await pilot.pause()
        assert app.closed == (not refusal)
        if refusal:
            assert refusal in frame(app)
            assert box_of(app) == box
            await pilot.press("z")
            await pilot.pause()
            assert refusal not in frame(app)  # another word takes it back
        else:
            expected = (" ".join(text.split()) for text in (summary, reason))
            assert app.result == Remembered(*expected)


async def test_an_existing_one_is_edited(original: Original, frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.opens(RememberForm(original, before=Remembered("old", "because")), pilot)
        assert "Edit the candidate" in frame(app)
        assert "3 / 2,000" in frame(app)
        await pilot.press("e", "r", "enter", "enter")
        await pilot.pause()
        assert app.result == Remembered("older", "because")


async def test_the_events_text_is_read_while_one_writes(original: Original, frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        form = RememberForm(original)
        await app.opens(form, pilot)
        assert all(not field.box.value for field in form.query(Field))
        text = form.query_one(PageText)
        await pilot.press("pagedown", "s")
        assert text.scroll_offset.y > 0
        await pilot.press("pageup")
        assert text.scroll_offset.y == 0
        assert form.query_one("#summary", Field).text == "s"


async def test_a_paste_of_several_lines_is_one_line(original: Original, hostile: str) -> None:
    app = Desk()
    async with app.run_test(size=(80, 24)) as pilot:
        form = RememberForm(original)
        await app.opens(form, pilot)
        box = form.query_one("#summary", Field).box
        await pilot.press("a", "b", "left")
        box.post_message(Paste("one\r\n\ttwo\x1b[31m\nthree "))
        await pilot.pause()
        assert box.value == "aone two three b"
        app.copy_to_clipboard("x\ny")
        await pilot.press("ctrl+v")
        assert box.value == "aone two three x yb"
        box.post_message(Paste(""))
        box.post_message(Paste(hostile * 100_000))
        await pilot.pause()
        assert len(box.value) <= 20_100
        assert box.value.isprintable()


@pytest.mark.parametrize("size", [(140, 40), (40, 12), (20, 5), (1, 1)])
async def test_hostile_words(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    app = Desk()
    async with app.run_test(size=size) as pilot:
        original = Original(hostile, 10**18, hostile, hostile * 100)
        await app.opens(RememberForm(original, before=Remembered(hostile, hostile)), pilot)
        assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert app.result.summary.isprintable()


async def test_little_room_shows_both_boxes_and_the_buttons(
    original: Original, frame: Frame
) -> None:
    app = Desk()
    async with app.run_test(size=(40, 12)) as pilot:
        await app.opens(RememberForm(original, place=(2, 3)), pilot)
        await pilot.press(*"sum", "enter", *"why")
        await pilot.pause()
        shown = frame(app)
        assert all(word in shown for word in ("Remember 2 of 3", "answer", "sum", "why", "修好了"))
        assert all(button.region.bottom <= 11 for button in app.screen.query(Button))
        assert "escape: cancel" in shown


def test_originals(now: int) -> None:
    event = EventDetail("prompt", 0, 3, "transcript:s:3", now, text="Fix it")
    assert Original.of_event(event) == Original("transcript:s:3", now, "you", "Fix it")
    candidate = Candidate(
        "c-1", "transcript:s:3", "s", 3, "message", now, "s", "r", "proposed", now, None,
        Path("/s.jsonl"), "0" * 64,
    )  # fmt: skip
    there = Original.of_candidate(Sourced(candidate, "there", text="Fix it"))
    assert there == Original("transcript:s:3", now, "message", "Fix it")
    assert Original.of_candidate(Sourced(candidate, "gone")).text == "The transcript is gone."
