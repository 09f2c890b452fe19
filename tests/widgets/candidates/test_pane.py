"""The pane of memory candidates: what it shows, wide and narrow, of much and of hostile text."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App

from sessions_tui.storage.model.candidate import Sourced
from sessions_tui.widgets.candidates.list import CandidateList
from sessions_tui.widgets.candidates.pane import CandidatePane
from sessions_tui.widgets.candidates.view import CandidateView
from tests.widgets.candidate_host import EMPTY, Host
from tests.widgets.candidate_samples import NOW, SAID, beside, candidate, samples

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]


@pytest.mark.parametrize("size", [(140, 14), (140, 36), (60, 20)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(samples())
    async with app.run_test(size=size) as pilot:
        await pilot.press("j", "j", "space")
        await pilot.pause()
        snapshot(f"candidates-{size[0]}x{size[1]}", frame(app))


async def test_narrow_shows_one_at_a_time(frame: Frame, snapshot: Snapshot) -> None:
    app = Host(samples())
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert app.query_one(CandidateView).size.width == 0
        await pilot.press("j", "right")
        await pilot.pause()
        assert app.rows.size.width == 0
        snapshot("candidate-60x20", frame(app))
        assert app.pane.step_back()
        await pilot.pause()
        assert app.keys_are_with == "CandidateList"
        assert app.rows.size.width == 60
        assert not app.pane.step_back()
        await pilot.press("l")
        assert app.keys_are_with == "PageText"
        await pilot.press("h")
        assert app.keys_are_with == "CandidateList"


async def test_wide_the_same_keys_move_between_the_two() -> None:
    app = Host(samples())
    async with app.run_test(size=(120, 20)) as pilot:
        await pilot.press("right")
        assert app.keys_are_with == "PageText"
        await pilot.press("a")
        assert app.told == [("Settled", 45, "approved")]
        await pilot.press("left")
        assert app.keys_are_with == "CandidateList"
        await pilot.press("tab")
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert app.query_one(CandidateView).size.width == 60


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (45, "The transcript is gone: the reference and your words are kept."),
        (44, "The record has changed since; it will not be exported."),
        (52, "The transcript can no longer be trusted; this will not be exported."),
        (31, "Event ids in this format are line numbers; the content hash is verified before"),
        (12, SAID),
        (50, "◆ approved  2026-11-29 11:58 · proposed 2026-11-29 11:12"),
        (12, "◇ proposed  2026-11-29 10:34"),
        (12, "message of 2026-11-29 08:54:11, record 12 of inventory-api"),
        (12, "transcript:inventory-api:12 · 修复库存超卖并补测试"),
    ],
)
async def test_what_the_candidate_says(number: int, says: str, frame: Frame) -> None:
    app = Host(samples())
    async with app.run_test(size=(160, 30)) as pilot:
        app.rows.select_candidate(f"c-{number}")
        await pilot.pause()
        assert app.here == number
        assert says in frame(app)
        assert ("what the event says" in frame(app)) == (number != 45)


async def test_one_session_is_not_named_in_every_row(frame: Frame) -> None:
    items = [beside(candidate(n), title="Docs build") for n in (1, 2)]
    app = Host(items, several=False)
    async with app.run_test(size=(140, 14)) as pilot:
        await pilot.pause()
        assert frame(app).count("Docs build") == 1
        app.several = True
        app.show()
        await pilot.pause()
        assert frame(app).count("Docs build") == 3


async def test_nothing_to_show(frame: Frame) -> None:
    app = Host([])
    async with app.run_test(size=(140, 14)) as pilot:
        await pilot.press("a", "x", "enter", "backspace", "o", "y", "space", "right", "X")
        await pilot.pause()
        assert EMPTY in frame(app)
        assert app.told == [("ExportWanted",)]
        assert app.pane.current is None
        assert app.pane.chosen == ()
        app.items = samples()
        app.show()
        await pilot.press("right")
        assert "Docs are built" in frame(app)
        app.items = []
        app.show()
        await pilot.pause()
        assert EMPTY in frame(app)
        assert app.keys_are_with == "CandidateList"


async def test_it_can_be_told_before_it_is_mounted(frame: Frame) -> None:
    app = Host([])
    async with app.run_test(size=(140, 14)) as pilot:
        pane = CandidatePane()
        pane.show_candidates("one", samples(), NOW, several=True, empty=EMPTY)
        app.pane.remove()
        app.mount(pane)
        pane.focus()
        await pilot.pause()
        await pilot.press("j")
        await pilot.pause()
        assert "Docs are built" in frame(app)
        assert pane.current is not None
        assert pane.current.candidate.sequence == 44


async def test_of_ten_thousand_only_the_visible_ones_are_drawn() -> None:
    app = Host([beside(candidate(n)) for n in range(10_000)])
    drawn: list[int] = []
    draw = CandidateList.draw

    def counted(self: CandidateList, index: int, *rest: Any) -> Any:
        drawn.append(index)
        return draw(self, index, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CandidateList, "draw", counted)
        async with app.run_test(size=(140, 21)) as pilot:
            await pilot.pause()
            assert 0 < len(set(drawn)) <= 12
            drawn.clear()
            await pilot.press("G")
            await pilot.pause()
            assert 0 < len(set(drawn)) <= 12
            assert app.here == 0


@pytest.mark.parametrize("size", [(140, 20), (60, 20), (12, 5)])
async def test_hostile_candidates(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    def nasty(item: Sourced) -> Sourced:
        one = dataclasses.replace(
            item.candidate,
            source_id=hostile,
            session_id=hostile,
            event_type=hostile,
            captured_at=10**18,
            created_at=-(10**18),
            summary=hostile * 40,
            selection_reason=hostile,
        )
        return dataclasses.replace(item, candidate=one, title=hostile, text=hostile * 2_000)

    app = Host([nasty(item) for item in samples()])
    async with app.run_test(size=size) as pilot:
        for key in ("j", "space", "right", "G", "left", "G", "y", "a"):
            await pilot.press(key)
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
        assert app.clipboard.isprintable()
        for y in range(app.rows.size.height):
            width = app.rows.scrollable_content_region.width
            assert app.rows.render_line(y).cell_length == width
