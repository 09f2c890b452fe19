"""The course of a session in few cells: nothing lost, pauses cut short, any width."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.usage import Course, Moment
from sessions_tui.widgets.usage.course import BREAK, CourseLine, lines_of, slots

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

MINUTE, HOUR = 60_000, 3_600_000
START = 1_795_953_731_000 // MINUTE * MINUTE  # 2026-11-29 12:02 UTC


def course(*minutes: int, step: int = MINUTE, tokens: int = 8, calls: int = 2) -> Course:
    """A course that used the same in some minutes."""
    moments = (Moment(START + minute * MINUTE, Usage(tokens), calls) for minute in minutes)
    return Course(step, tuple(moments))


def drawn(course: Course, columns: int) -> str:
    tokens = [None if slot is None else slot.tokens for slot in slots(course, columns)]
    return lines_of(tokens, 1)[0]


@pytest.mark.parametrize(
    ("minutes", "columns", "line"),
    [
        ((), 10, ""),
        ((0,), 10, "█"),
        ((0, 1, 2, 3), 10, "████"),
        ((0, 3), 10, "█  █"),
        ((0, 1, 4, 5), 3, "█ █"),
        ((0, 60), 61, "█" + " " * 59 + "█"),
        ((0, 61), 10, f"█{BREAK}█"),
        ((0, 1, 500, 90_000), 12, f"██{BREAK}█{BREAK}█"),
        ((0, 100, 200, 300, 5_000), 8, f"██ █ █{BREAK}█"),
        ((0, 61), 0, ""),
        ((0, 61), 2, "██"),
    ],
)
def test_lines(minutes: tuple[int, ...], columns: int, line: str) -> None:
    assert drawn(course(*minutes), columns) == line


def test_hours_of_the_index_have_no_pauses_between_them() -> None:
    assert drawn(course(0, 60, 120, 300, step=HOUR), 10) == f"███{BREAK}█"


MOMENTS = st.lists(st.integers(0, 3_000_000), max_size=80, unique=True).map(sorted)


@given(minutes=MOMENTS, columns=st.integers(1, 120))
def test_any_course_at_any_width(minutes: list[int], columns: int) -> None:
    found = slots(course(*minutes), columns)
    assert len(found) <= columns
    if columns >= 2 and minutes:
        assert sum(slot.tokens for slot in found if slot) == 8 * len(minutes)
        assert sum(slot.calls for slot in found if slot) == 2 * len(minutes)
        assert found[0] is not None
        assert found[-1] is not None
        assert found[0].tokens > 0


class Host(App[None]):
    def __init__(self, course: Course) -> None:
        super().__init__()
        self.line = CourseLine()
        self.course = course

    def compose(self) -> ComposeResult:
        self.line.styles.height = self.size.height - 1
        yield self.line

    def on_mount(self) -> None:
        self.line.show(self.course)


def busy() -> Course:
    """A morning's work, a pause over night, and some more."""
    minutes = [*range(0, 90), *range(95, 130, 2), *range(1_200, 1_260)]
    moments = (
        Moment(START + minute * MINUTE, Usage(minute * 37 % 113 * 100), minute * 7 % 5)
        for minute in minutes
    )
    return Course(MINUTE, tuple(moments))


@pytest.mark.anyio
@pytest.mark.parametrize("size", [(100, 4), (40, 4), (100, 14)])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(busy())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"course-{size[0]}x{size[1]}", frame(app))


@pytest.mark.anyio
@pytest.mark.parametrize("size", [(40, 3), (12, 3), (1, 1)])
async def test_nothing_and_no_room(size: tuple[int, int], frame: Frame) -> None:
    for one in (Course(MINUTE), busy()):
        app = Host(one)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert bool(frame(app).strip()) == (one.moments != () and size[0] > 20)
