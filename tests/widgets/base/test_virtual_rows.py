"""The virtual-row base: what it asks for, where the cursor goes, when it follows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import pytest
from rich.segment import Segment
from textual import on
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.message import Message
from textual.pilot import Pilot
from textual.selection import Selection
from textual.strip import Strip

from sessions_tui.widgets.base.row_layout import Layout, Mixed
from sessions_tui.widgets.base.rows import Look, Rows
from sessions_tui.widgets.base.virtual_rows import VirtualRows
from sessions_tui.widgets.words.safe import fit

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
MILLION = 1_000_000


class Numbers:
    """Rows that are their own numbers, noting which were asked for."""

    def __init__(self, count: int, first: int = 0) -> None:
        self.count = count
        self.first = first
        self.asked: set[int] = set()

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int, /) -> int:
        assert 0 <= index < self.count
        self.asked.add(index)
        return self.first + index


class Plain(VirtualRows[int]):
    """Numbers, one a line."""

    FOLLOWS = True
    draws = 0

    def draw(self, index: int, row: int, width: int, look: Look) -> Sequence[Strip]:
        self.draws += 1
        return [Strip([self.drawn.bar(look), Segment(fit(f"row {row}", width - 1))], width)]

    def identity(self, row: int) -> Hashable:
        return row

    def place_of(self, identity: Hashable) -> int | None:
        assert isinstance(self.source, Numbers)
        assert isinstance(identity, int)
        place = identity - self.source.first
        return place if 0 <= place < len(self.source) else None


class Uneven(Plain):
    """Every third row is a heading that the cursor passes by; the others take two lines."""

    FOLLOWS = False

    def lay_out(self) -> Layout:
        return Mixed(1 if index % 3 == 0 else 2 for index in range(len(self.source)))

    def can_rest_on(self, index: int) -> bool:
        return index % 3 != 0

    def draw(self, index: int, row: int, width: int, look: Look) -> Sequence[Strip]:
        first = super().draw(index, row, width, look)
        if index % 3 == 0:
            return first
        return [*first, Strip([Segment(fit(f"  about {row}", width))], width)]


class Host(App[None]):
    """Nothing but the rows."""

    def __init__(self, rows: Plain) -> None:
        super().__init__()
        self.rows = rows
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.rows

    @on(VirtualRows.Highlighted)
    @on(VirtualRows.Opened)
    @on(VirtualRows.FollowChanged)
    @on(VirtualRows.MarksChanged)
    def hear(self, message: Message) -> None:
        self.heard.append(message)


def host(source: Rows[int], kind: type[Plain] = Plain) -> Host:
    return Host(kind(source, empty="Nothing yet.\nLooked everywhere."))


async def press(pilot: Pilot[None], keys: Iterable[str]) -> None:
    await pilot.press(*keys)
    await pilot.pause()


def shown(frame: str) -> list[str]:
    """The lines without the scroll bar."""
    return [line[:39].rstrip() for line in frame.splitlines()]


@pytest.mark.parametrize("count", [1_000, MILLION])
async def test_only_visible_rows_are_asked_for(count: int) -> None:
    source = Numbers(count)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert app.rows.cursor == count - 1
        # Which rows are shown is known only once the size is, so the first ones may be asked for.
        assert source.asked <= {*range(10), *range(count - 10, count)}
        source.asked.clear()
        await press(pilot, ["g"])
        assert source.asked <= {*range(10), count - 1}


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        (["j"], 1),
        (["down", "j", "k", "up", "up"], 0),
        (["pagedown"], 9),
        (["pagedown", "ctrl+f", "pageup"], 9),
        (["ctrl+d", "ctrl+d", "ctrl+u"], 4),
        (["G"], MILLION - 1),
        (["end", "home"], 0),
        (["end", "g", "j"], 1),
    ],
)
async def test_keys_move_the_cursor(keys: list[str], cursor: int, frame: Frame) -> None:
    app = host(Numbers(MILLION))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g", *keys])
        assert app.rows.cursor == cursor
        assert f"▌row {cursor}\n" in frame(app) + "\n"


async def test_a_step_draws_two_rows() -> None:
    app = host(Numbers(MILLION))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g", "j"])
        before = app.rows.draws
        await press(pilot, ["j"])
        assert app.rows.draws - before <= 2


async def test_growth_stays_at_the_end_while_following(frame: Frame) -> None:
    source = Numbers(3)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        for count in (4, 10, 11, 500):
            source.count = count
            app.rows.grew()
            await pilot.pause()
            assert app.rows.cursor == count - 1
            assert shown(frame(app))[min(count, 10) - 1] == f"▌row {count - 1}"
        assert app.rows.new == 0


async def test_moving_up_rests_the_following_and_counts(frame: Frame) -> None:
    source = Numbers(100)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["k"])
        assert not app.rows.follow
        before = shown(frame(app))
        for count in (101, 107, 114):
            source.count = count
            app.rows.grew()
            await pilot.pause()
        assert app.rows.new == 14
        assert shown(frame(app)) == before
        last = [message for message in app.heard if isinstance(message, Plain.FollowChanged)][-1]
        assert (last.follow, last.new) == (False, 14)
        await press(pilot, ["G"])
        assert app.rows.follow
        assert app.rows.new == 0
        assert app.rows.cursor == 113


async def test_reaching_the_last_row_follows_again() -> None:
    app = host(Numbers(20))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["k"])
        await press(pilot, ["j"])
        assert app.rows.follow


async def test_the_wheel_rests_and_follows() -> None:
    app = host(Numbers(20))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        app.rows._scroll_up_for_pointer(animate=False)
        await pilot.pause()
        assert not app.rows.follow
        while app.rows._scroll_down_for_pointer(animate=False):
            await pilot.pause()
        assert app.rows.follow
        assert app.rows.cursor == 19


async def test_rows_in_front_leave_the_view_where_it_is(frame: Frame) -> None:
    source = Numbers(100, first=1_000)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g", *["j"] * 5])
        before = shown(frame(app))
        source.first, source.count = 500, 600
        app.rows.grew(before=500)
        await pilot.pause()
        assert shown(frame(app)) == before
        assert app.rows.cursor == 505


async def test_rows_in_front_do_not_fetch_a_cursor_that_is_out_of_view(frame: Frame) -> None:
    source = Numbers(100, first=1_000)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        app.rows.scroll_to(y=0, animate=False)
        await pilot.pause()
        before = shown(frame(app))
        source.first, source.count = 500, 600
        app.rows.grew(before=500)
        await pilot.pause()
        assert shown(frame(app)) == before
        assert app.rows.current == 1_099


async def test_a_source_may_shrink_before_it_says_so(frame: Frame) -> None:
    source = Numbers(20)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        source.count = 2
        app.rows.refresh()
        await press(pilot, ["enter", "space", "k"])
        app.rows.grew()
        await pilot.pause()
        assert "row 1" in frame(app)


async def test_another_source_keeps_the_row(frame: Frame) -> None:
    app = host(Numbers(100))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g"])
        app.rows.select(50)
        await pilot.pause()
        before = shown(frame(app))
        app.rows.show(Numbers(200, first=-100))
        await pilot.pause()
        assert shown(frame(app)) == before
        assert app.rows.cursor == 150
        assert not [m for m in app.heard[-1:] if isinstance(m, Plain.Highlighted) and m.row != 50]


async def test_another_thing_begins_anew() -> None:
    app = host(Numbers(100))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["k", "k", "space", "k"])
        app.heard.clear()
        app.rows.show(Numbers(100), keep=False)
        await pilot.pause()
        assert app.rows.cursor == 99
        assert app.rows.follow
        assert not app.rows.marks
        highlighted = [m.row for m in app.heard if isinstance(m, Plain.Highlighted)]
        assert highlighted == [99]


async def test_a_source_may_shrink_and_vanish(frame: Frame) -> None:
    source = Numbers(100)
    app = host(source)
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["k"])
        source.count = 5
        app.rows.grew()
        await pilot.pause()
        assert app.rows.cursor == 4
        source.count = 0
        app.rows.grew()
        await pilot.pause()
        assert "Nothing yet." in frame(app)
        assert app.rows.current is None
        await press(pilot, ["j", "k", "G", "g", "pageup", "pagedown", "enter", "space"])
        source.count = 3
        app.rows.grew()
        await pilot.pause()
        assert "row 2" in frame(app)


async def test_empty_says_so(frame: Frame) -> None:
    app = host(Numbers(0))
    async with app.run_test(size=(40, 10)):
        assert "  Nothing yet.\n  Looked everywhere." in frame(app)


async def test_mouse_selects_and_opens() -> None:
    app = host(Numbers(20))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g"])
        await pilot.click(Plain, offset=(5, 3))
        assert app.rows.cursor == 3
        await pilot.click(Plain, offset=(5, 3))
        await pilot.pause()
        opened = [message for message in app.heard if isinstance(message, Plain.Opened)]
        assert [message.row for message in opened] == [3]
        assert app.rows.text_selection is None


async def test_marks_belong_to_rows_not_to_places() -> None:
    app = host(Numbers(20))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g", "space", "j", "space"])
        assert app.rows.marks == {0, 2}
        app.rows.show(Numbers(22, first=-2))
        await press(pilot, ["g", "j", "j", "space"])
        assert app.rows.marks == {2}
        app.rows.clear_marks()
        assert not app.rows.marks


async def test_selected_text_is_what_is_shown() -> None:
    app = host(Numbers(MILLION))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g"])
        selection = Selection.from_offsets(Offset(5, 1), Offset(3, 3))
        assert app.rows.get_selection(selection) == ("1\n row 2\n ro", "\n")
        app.screen.selections = {app.rows: selection}
        await pilot.pause()
        whole = app.rows.get_selection(Selection(None, None))
        assert whole is not None
        assert whole[0].count("\n") == 10_000


async def test_uneven_rows(frame: Frame) -> None:
    app = host(Numbers(9), Uneven)
    async with app.run_test(size=(40, 7)) as pilot:
        await pilot.pause()
        assert app.rows.cursor == 1
        assert shown(frame(app))[:4] == [" row 0", "▌row 1", "  about 1", " row 2"]
        await press(pilot, ["j", "j"])
        assert app.rows.cursor == 4
        await press(pilot, ["G"])
        assert app.rows.cursor == 8
        assert shown(frame(app))[-2:] == ["▌row 8", "  about 8"]
        await press(pilot, ["g"])
        assert shown(frame(app))[:2] == [" row 0", "▌row 1"]


@pytest.mark.parametrize("width", [20, 21, 40, 200])
async def test_lines_are_as_wide_as_the_view(width: int) -> None:
    app = host(Numbers(50))
    async with app.run_test(size=(width, 10)) as pilot:
        await pilot.pause()
        for y in range(10):
            assert app.rows.render_line(y).cell_length == app.rows.scrollable_content_region.width


async def test_a_theme_change_redraws() -> None:
    app = host(Numbers(50))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        before = app.rows.render_line(0)
        app.theme = "textual-light"
        await pilot.pause()
        assert app.rows.render_line(0) != before


async def test_storm_of_highlights_is_heard_once_a_turn() -> None:
    app = host(Numbers(1_000))
    async with app.run_test(size=(40, 10)) as pilot:
        await press(pilot, ["g"])
        app.heard.clear()
        for index in range(500):
            app.rows.select(index)
        await pilot.pause()
        assert len([m for m in app.heard if isinstance(m, Plain.Highlighted)]) < 50
