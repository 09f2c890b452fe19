"""Lines as they are painted: as Textual paints them, and not again until they change."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.strip import Strip

from sessions_tui.widgets.base.rows import Look
from sessions_tui.widgets.base.virtual_rows import VirtualRows
from sessions_tui.widgets.words.safe import fit

pytestmark = pytest.mark.anyio


class Numbers:
    """Rows that are their own numbers, noting which were asked for."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.asked: set[int] = set()

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int, /) -> int:
        self.asked.add(index)
        return index


class Plain(VirtualRows[int]):
    """Numbers, one a line."""

    def draw(self, index: int, row: int, width: int, look: Look) -> Sequence[Strip]:
        return [Strip([self.drawn.bar(look), Segment(fit(f"row {row}", width - 1))], width)]

    def identity(self, row: int) -> Hashable:
        return row


class Host(App[None]):
    """Some rows, which have the keys."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.rows = Plain(Numbers(count))

    def compose(self) -> ComposeResult:
        yield self.rows


def cells(strips: Sequence[Strip]) -> list[tuple[str, object]]:
    """Each character, and what a person sees of its style."""
    return [
        (character, style and (style.color, style.bgcolor, style.bold))
        for strip in strips
        for text, style, _ in strip
        for character in text
    ]


async def test_lines_are_painted_as_textual_paints_them() -> None:
    app = Host(4)
    async with app.run_test(size=(40, 10)) as pilot:
        rows = app.rows
        for border in ("none", "solid"):
            rows.styles.border_top = (border, "red")
            rows.border_title = "some rows"
            await pilot.press("k")
            whole = rows.region.reset_offset
            painted = rows.render_lines(whole)
            rows._styles_cache.clear()
            assert cells(painted) == cells(rows._styles_cache.render_widget(rows, whole))


async def test_what_is_on_screen_bears_no_marks_for_the_mouse() -> None:
    app = Host(20)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("g")
        rows = app.rows
        assert next(style.meta for _, style, _ in rows.render_line(3) if style)["offset"] == (0, 3)
        painted = rows.render_lines(rows.region.reset_offset)
        assert not any(style.meta for line in painted for _, style, _ in line if style)
        assert isinstance(rows.source, Numbers)
        rows.source.asked.clear()
        rows.changed(3)
        again = rows.render_lines(rows.region.reset_offset)
        assert rows.source.asked == {3}
        assert all(one is other for one, other in zip(painted, again, strict=True))


async def test_mouse_selects_text() -> None:
    app = Host(20)
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("g")
        await pilot.mouse_down(Plain, offset=(5, 3))
        await pilot.hover(Plain, offset=(6, 4))
        await pilot.mouse_up(Plain, offset=(6, 4))
        await pilot.pause()
        assert app.screen.get_selected_text() == "3\n row 4"
