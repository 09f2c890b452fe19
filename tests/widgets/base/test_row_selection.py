"""A drag of the mouse selects the rows that were seen under it, whatever comes meanwhile."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from sessions_tui.widgets.base.page_text import PageText
from sessions_tui.widgets.base.passages import Passage
from tests.widgets.base.test_virtual_rows import Host, Numbers, Plain, Uneven, host

pytestmark = pytest.mark.anyio


def chosen(app: Host) -> str | None:
    """What a copy would hold."""
    text = app.screen.get_selected_text()
    return None if text is None else text.replace(" ", "")


async def drag(
    pilot: Pilot[None], kind: type[Plain], start: tuple[int, int], end: tuple[int, int]
) -> None:
    """Press the button, and move to another cell."""
    await pilot.mouse_down(kind, offset=start)
    await pilot.hover(kind, offset=end)
    await pilot.pause()


async def test_rows_put_in_front_take_nothing_from_it() -> None:
    source = Numbers(30)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("g")
        await drag(pilot, Plain, (0, 2), (30, 3))
        assert chosen(app) == "row2\nrow3"
        source.first, source.count = -500, 530
        app.rows.grew(before=500)
        await pilot.pause()
        assert chosen(app) == "row2\nrow3"
        await pilot.hover(Plain, offset=(31, 4))
        await pilot.pause()
        assert (chosen(app) or "").startswith("row2\nrow3")
        await pilot.mouse_up(Plain, offset=(31, 4))
        await pilot.pause()
        assert (chosen(app) or "").startswith("row2\nrow3")


async def test_it_stays_after_the_button_is_released() -> None:
    source = Numbers(8)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("g")
        await drag(pilot, Plain, (0, 5), (30, 2))  # upwards
        await pilot.mouse_up(Plain, offset=(30, 2))
        before = chosen(app)
        source.first, source.count = -3, 11
        app.rows.grew(before=3)
        await pilot.pause()
        assert chosen(app) == before
        await pilot.hover(Plain, offset=(3, 8))  # the button is up: nothing more is selected
        await pilot.pause()
        assert chosen(app) == before


async def test_rows_below_change_nothing() -> None:
    source = Numbers(8)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("g")
        await drag(pilot, Plain, (0, 1), (30, 2))
        source.count = 800
        app.rows.grew()
        await pilot.pause()
        assert chosen(app) == "row1\nrow2"


@pytest.mark.parametrize("count", [8, 0])
async def test_another_session_is_not_selected(count: int) -> None:
    app = host(Numbers(count))
    async with app.run_test(size=(40, 10)) as pilot:
        await drag(pilot, Plain, (0, 2), (30, 3))
        app.rows.show(Numbers(20, first=100), keep=False)
        await pilot.pause()
        assert not chosen(app)
        await pilot.hover(Plain, offset=(30, 4))
        await pilot.mouse_up(Plain, offset=(30, 4))
        await pilot.pause()
        assert not chosen(app)


async def test_rows_that_move_are_followed_and_those_that_go_are_let_go() -> None:
    app = host(Numbers(30), Uneven)
    async with app.run_test(size=(40, 20)) as pilot:
        await pilot.press("g")
        await drag(pilot, Uneven, (0, 3), (39, 5))
        before = chosen(app)
        assert before
        app.rows.show(Numbers(36, first=-6))
        await pilot.pause()
        assert chosen(app) == before
        app.rows.show(Numbers(36, first=60))
        await pilot.pause()
        assert not chosen(app)


class Reader(App[None]):
    """A page."""

    def compose(self) -> ComposeResult:
        yield PageText()


async def test_another_text_is_not_selected() -> None:
    app = Reader()
    async with app.run_test(size=(40, 10)) as pilot:
        page = app.query_one(PageText)
        page.show([Passage("one\ntwo\nthree")])
        await pilot.pause()
        await pilot.mouse_down(PageText, offset=(0, 0))
        await pilot.hover(PageText, offset=(30, 1))
        await pilot.pause()
        assert (app.screen.get_selected_text() or "").split() == ["one", "two"]
        page.show([Passage("one\ntwo\nthree")])
        await pilot.pause()
        assert (app.screen.get_selected_text() or "").split() == ["one", "two"]
        page.show([Passage("four\nfive\nsix")])
        await pilot.pause()
        assert not app.screen.get_selected_text()
