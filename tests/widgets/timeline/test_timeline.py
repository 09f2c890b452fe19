"""The timeline: what its rows say, what gives way, where its keys lead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.message import Message

from sessions_tui.storage.model.event import Kind
from sessions_tui.storage.model.timeline import ASKS_YOU, Row
from sessions_tui.widgets.timeline.timeline import Jump, Step, Timeline

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]


class Loaded:
    """Rows in a list."""

    def __init__(self, rows: list[Row], complete: bool = True) -> None:
        self.rows = rows
        self.complete = complete

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int, /) -> Row:
        return self.rows[index]

    def place_of(self, offset: int) -> int | None:
        return next((i for i, row in enumerate(self.rows) if row.offset >= offset), None)

    def next_of(self, jump: Jump, start: int, step: Step) -> int | None:
        places = range(start + 1, len(self.rows)) if step == 1 else range(start - 1, -1, -1)
        wanted = {"prompt": "prompt", "uncertain": "uncertain", "match": "none"}[jump]
        return next((i for i in places if wanted in (self.rows[i].kind, self.rows[i].state)), None)


class Endless:
    """A million rows made when asked for."""

    complete = True

    def __init__(self, count: int = 1_000_000) -> None:
        self.count = count
        self.asked: set[int] = set()

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int, /) -> Row:
        self.asked.add(index)
        kind: Kind = "prompt" if index % 1_000 == 0 else "answer"
        return Row(index * 100, index, f"e{index}", kind, index * 1_000, f"event {index}")

    def place_of(self, offset: int) -> int | None:
        place = -(-offset // 100)
        return place if place < self.count else None

    def next_of(self, jump: Jump, start: int, step: Step) -> int | None:
        place = (start // 1_000 + step) * 1_000
        return place if jump == "prompt" and 0 <= place < self.count else None


class Host(App[None]):
    """Nothing but the timeline."""

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self.timeline = timeline
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.timeline

    @on(Timeline.DepthChanged)
    @on(Timeline.JumpFailed)
    @on(Timeline.EarlierWanted)
    @on(Timeline.Opened)
    @on(Timeline.Highlighted)
    def hear(self, message: Message) -> None:
        self.heard.append(message)

    def last(self, kind: type[Any]) -> Any:
        """The last message of a kind."""
        return [message for message in self.heard if isinstance(message, kind)][-1]


@pytest.mark.parametrize("size", [(140, 40), (80, 24), (40, 20), (20, 18)])
async def test_frames(
    size: tuple[int, int], rows: list[Row], frame: Frame, snapshot: Snapshot
) -> None:
    app = Host(Timeline(Loaded(rows), read_to=700))
    async with app.run_test(size=size) as pilot:
        app.timeline.set_candidates({"e11"})
        app.timeline.select(5)
        await pilot.pause()
        snapshot(f"timeline-{size[0]}x{size[1]}", frame(app))


async def test_every_row_is_as_wide_as_the_view(rows: list[Row]) -> None:
    for width in range(20, 130, 3):
        app = Host(Timeline(Loaded(rows), read_to=700))
        async with app.run_test(size=(width, 20)):
            widths = {app.timeline.render_line(y).cell_length for y in range(20)}
            assert widths == {app.timeline.scrollable_content_region.width}


async def test_a_million_rows_cost_what_is_visible(frame: Frame) -> None:
    source = Endless()
    app = Host(Timeline(source, read_to=99_999_500))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        assert len(source.asked) < 60
        assert "event 999999" in frame(app)
        assert "last read" in frame(app)
        source.asked.clear()
        await pilot.press("g", "J")
        await pilot.pause()
        assert app.timeline.cursor == 1_000
        assert len(source.asked) < 100


async def test_new_rows_are_counted_in_the_corner(frame: Frame) -> None:
    source = Endless(100)
    app = Host(Timeline(source))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("k")
        source.count = 1_514
        app.timeline.grew()
        await pilot.pause()
        assert frame(app).splitlines()[-1][:79].endswith(" ▼ 1,414 new — End")
        await pilot.press("f")
        await pilot.pause()
        assert "new — End" not in frame(app)
        assert app.timeline.cursor == 1_513


async def test_depth_is_asked_for(rows: list[Row]) -> None:
    app = Host(Timeline(Loaded(rows), depth=3))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("plus")
        await pilot.pause()
        assert app.last(Timeline.DepthChanged).depth == 4
        await pilot.press("plus", "minus", "minus")
        await pilot.pause()
        assert app.last(Timeline.DepthChanged).depth == 2
        assert app.timeline.depth == 2


async def test_another_depth_keeps_the_event(rows: list[Row]) -> None:
    app = Host(Timeline(Loaded(rows)))
    async with app.run_test(size=(80, 20)) as pilot:
        app.timeline.select(10)
        app.timeline.show(Loaded([row for row in rows if row.kind in ("prompt", "answer")]))
        await pilot.pause()
        assert app.timeline.current == rows[10]


async def test_jumps(rows: list[Row]) -> None:
    app = Host(Timeline(Loaded(rows)))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("g", "J")
        assert app.timeline.cursor == 2
        await pilot.press("u")
        assert app.timeline.cursor == 8
        await pilot.press("K")
        assert app.timeline.cursor == 2
        await pilot.press("U")
        await pilot.pause()
        failed = app.last(Timeline.JumpFailed)
        assert (failed.jump, failed.step, failed.complete) == ("uncertain", -1, True)


async def test_earlier_rows_are_asked_for_once(rows: list[Row]) -> None:
    source = Loaded(rows[8:], complete=False)
    app = Host(Timeline(source))
    async with app.run_test(size=(80, 6)) as pilot:
        await pilot.press("k", "k", "k")
        await pilot.pause()
        wanted = [one for one in app.heard if isinstance(one, Timeline.EarlierWanted)]
        assert len(wanted) == 1
        before = app.timeline.current
        source.rows, source.complete = rows, True
        app.timeline.grew(before=8)
        await pilot.pause()
        assert app.timeline.current == before
        await pilot.press("K", "K", "K")
        await pilot.pause()
        assert app.last(Timeline.JumpFailed).complete


async def test_jumping_beyond_what_is_loaded_says_so(rows: list[Row]) -> None:
    app = Host(Timeline(Loaded(rows[8:], complete=False)))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("K")
        await pilot.pause()
        assert not app.last(Timeline.JumpFailed).complete


async def test_an_open_question_has_a_sign_of_its_own(frame: Frame) -> None:
    row = Row(0, 1, "e1", "call", None, "Which?", "AskUserQuestion", "running", ASKS_YOU)
    app = Host(Timeline(Loaded([row])))
    async with app.run_test(size=(80, 5)) as pilot:
        await pilot.pause()
        assert "AskUserQ… Which?" in frame(app)
        assert "? asks you" in frame(app)


async def test_a_row_that_changed_is_drawn_again(rows: list[Row], frame: Frame) -> None:
    source = Loaded(list(rows))
    app = Host(Timeline(source))
    async with app.run_test(size=(80, 20)) as pilot:
        source.rows[13] = rows[6]
        app.timeline.changed(13)
        await pilot.pause()
        assert frame(app).count("exit 1") == 2


async def test_hostile_rows(hostile: str, frame: Frame) -> None:
    hostile_rows = [
        Row(0, 1, hostile, "call", None, hostile, hostile, "failed", hostile, -1, -1, -1, -1),
        Row(1, 2, None, "reasoning", 10**18, hostile * 10_000, size=10**18),
        Row(2, 3, None, "prompt", -(10**18), hostile),
    ]
    app = Host(Timeline(Loaded(hostile_rows)))
    async with app.run_test(size=(100, 10)) as pilot:
        await pilot.pause()
        text = frame(app)
        assert not [c for c in text if c != "\n" and not c.isprintable()]
        assert "[b]bold[/x]" in text
        for y in range(3):
            assert (
                app.timeline.render_line(y).cell_length
                == app.timeline.scrollable_content_region.width
            )
