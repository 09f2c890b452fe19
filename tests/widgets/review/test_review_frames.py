"""The review on screen: what it says of each case, at any size and of any text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App

from sessions_tui.storage.model.evidence import Excerpt
from sessions_tui.widgets.base.page_text import PageText
from sessions_tui.widgets.base.rows import Look
from sessions_tui.widgets.review.case_list import CaseList
from sessions_tui.widgets.review.case_rows import Entry
from tests.widgets.review_cases import HOME, bash, case, edit, evidence, samples
from tests.widgets.review_host import Host

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

WIDE = (140, 36)


@pytest.mark.parametrize(
    ("size", "several"), [((140, 14), False), ((140, 36), True), ((60, 20), True)]
)
async def test_frames(
    size: tuple[int, int], several: bool, frame: Frame, snapshot: Snapshot
) -> None:
    app = Host(samples(), several=several)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"review-{size[0]}x{size[1]}", frame(app))


async def test_frame_of_a_case_alone(frame: Frame, snapshot: Snapshot) -> None:
    app = Host(samples(), several=True)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("enter", "x")
        await pilot.pause()
        snapshot("review-case-60x20", frame(app))


async def test_frame_when_all_is_settled(frame: Frame, snapshot: Snapshot) -> None:
    app = Host([case for case in samples() if not case.is_open])
    async with app.run_test(size=(100, 14)) as pilot:
        await pilot.pause()
        snapshot("review-settled-100x14", frame(app))


async def test_nothing_to_review(frame: Frame, snapshot: Snapshot) -> None:
    app = Host([])
    async with app.run_test(size=(100, 14)) as pilot:
        await pilot.press(*"vxpzceo", "backspace", "enter", "space", "escape")
        await pilot.pause()
        assert not app.heard
        assert app.pane.current is None
        assert app.pane.chosen == ()
        snapshot("review-empty-100x14", frame(app))
        app.cases = samples()
        app.show()
        await pilot.pause()
        assert "TO DECIDE" in frame(app)
        assert app.list.cursor == 1


async def test_what_each_case_says(frame: Frame) -> None:
    app = Host(samples())
    said = [
        ("not applied?", "The text to be replaced"),
        ("applied?", "The file holds exactly"),
        ("unknown", "What a command has done"),
        ("unclear", "Old and new text"),
        ("changed", "Neither the old nor the new"),
        ("⚠ was marked applied, but the record has changed since", "There is no such file."),
        ("unknown", "no file was looked at"),
        ("unknown", "no file was looked at"),
        ("✓ applied  12:01 — looked at it", "not applied?"),
        ("✗ not applied  12:01", "make migrate"),
        ("◐ partial  12:00", "not applied?"),
        ("· dismissed  12:01", "rm -rf build"),
        ("↩ its result arrived after all: completed", "Edit app/stock.py"),
    ]
    async with app.run_test(size=WIDE) as pilot:
        for words in said:
            await pilot.pause()
            for word in words:
                assert word in frame(app)
            await pilot.press("j")


async def test_call_and_file_stand_beside_each_other_where_there_is_room(frame: Frame) -> None:
    app = Host(samples())
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        heads = [line for line in frame(app).split("\n") if "The file now" in line]
        assert "The call" in heads[0]
        await pilot.resize_terminal(110, 36)
        await pilot.pause()
        heads = [line for line in frame(app).split("\n") if "The file now" in line]
        assert "The call" not in heads[0]
        assert "38   import sqlite3" in frame(app)
        await pilot.press("j", "j")
        await pilot.pause()
        assert "never re-run from here" in frame(app)
        assert "The file now" not in frame(app)


async def test_only_visible_rows_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = set()
    draw = CaseList.draw

    def note(self: CaseList, index: int, row: Entry, width: int, look: Look) -> Any:
        drawn.add(index)
        return draw(self, index, row, width, look)

    monkeypatch.setattr(CaseList, "draw", note)
    app = Host([edit(number, f"app/{number}.py") for number in range(10_000)])
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("G", "k", "g")
        await pilot.pause()
        assert len(drawn) < 4 * WIDE[1]
        assert 10_000 in drawn


async def test_a_giant_opens_by_pages(frame: Frame) -> None:
    giant = case(1, "Write", {"file_path": "/a", "content": "x\n" * 15_000_000})
    app = Host([dataclasses.replace(giant, excerpts=edit(1).excerpts)])
    async with app.run_test(size=(110, 36)) as pilot:
        await pilot.pause()
        text = app.query_one("#case-call", PageText)
        assert text.page_count > 900
        # What the file holds would not be found behind it.
        assert frame(app).index("The file now") < frame(app).index("The call")


@pytest.mark.parametrize("size", [(140, 36), (60, 20), (16, 6)])
async def test_hostile_cases(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    args = {"file_path": f"{HOME}/{hostile}", "old_string": hostile, "new_string": hostile * 2}
    excerpt = Excerpt(1, (hostile, hostile), (1, 1), "new")
    nasty = case(
        1,
        "Edit",
        args,
        title=hostile,
        workspace=hostile,
        directory=hostile,
        excerpts=(excerpt,),
        evidence=evidence("applied", hostile, path=hostile, modified_at=10**18, size=10**18),
    )
    cases = [
        nasty,
        bash(2, hostile * 50, title=hostile, directory=hostile, at=-(10**18)),
        case(3, hostile, {hostile: [hostile, {hostile: hostile}]}, title=hostile),
        edit(4, hostile, verdict="verified", note=hostile * 20, decided_at=10**18, title=hostile),
    ]
    app = Host(cases, several=True)
    async with app.run_test(size=size) as pilot:
        for keys in (["j"], ["j"], ["j"], ["g", "x"], ["x"], ["escape", "enter"]):
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
            assert "right" in frame(app) or size[0] < 60
            await pilot.press(*keys)
        for text in (*app.query(PageText), app.list):
            for y in range(text.size.height):
                assert text.render_line(y).cell_length == text.size.width or not text.display
