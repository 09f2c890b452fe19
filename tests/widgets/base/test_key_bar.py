"""The line of keys: what has the focus, one entry an action; made of nothing but text."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widget import Widget

from sessions_tui.widgets.base.key_bar import KeyBar

pytestmark = pytest.mark.anyio


class Leaf(Widget, can_focus=True):
    """Something that has the keys."""

    BINDINGS = [  # noqa: RUF012 (typed by Textual)
        Binding("j", "go('down')", "Down"),
        Binding("down", "go('down')", "Down"),
        Binding("k", "go('up')", "Up", show=False),
    ]

    def action_go(self, way: str) -> None:
        """Note where to."""
        self.app.exit(way)


class Host(App[str]):
    """Two places for the keys to be."""

    CSS = "#one, #two { height: 1; }"
    BINDINGS = [  # noqa: RUF012
        Binding("x", "exit('x')", "Leave"),
        Binding("y", "dim", "Dim"),
        Binding("question_mark", "help", "Help", key_display="?"),
    ]

    def compose(self) -> ComposeResult:
        """One with keys of its own, one without."""
        yield Leaf(id="one")
        yield Widget(id="two")
        yield KeyBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One of them is not to be had."""
        return None if action == "dim" else True


def shown(app: App[str]) -> str:
    """The line as text."""
    return app.query_one(KeyBar).render_line(0).text.rstrip()


async def test_the_keys_of_what_has_the_focus() -> None:
    app = Host()
    async with app.run_test(size=(60, 5)) as pilot:
        await pilot.pause()
        assert shown(app) == " j Down  x Leave  y Dim  ? Help"
        app.query_one("#two", Widget).can_focus = True
        app.query_one("#two").focus()
        await pilot.pause()
        assert shown(app) == " x Leave  y Dim  ? Help"
        assert len(app.query_one(KeyBar).children) == 0


async def test_a_key_that_is_clicked_is_pressed() -> None:
    app = Host()
    async with app.run_test(size=(60, 5)) as pilot:
        await pilot.pause()
        await pilot.click(KeyBar, offset=(19, 0))  # it cannot be had, and rings
        await pilot.click(KeyBar, offset=(40, 0))  # nothing stands there
        assert app.return_value is None
        await pilot.click(KeyBar, offset=(3, 0))
    assert app.return_value == "down"


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (31, " j Down  x Leave  y Dim  ? Help"),
        (30, " j Down  x Leave  ? Help"),
        (24, " j Down  x Leave  ? Help"),
        (23, " j Down  ? Help"),
        (15, " j Down  ? Help"),
        (14, " ? Help"),
        (6, ""),
    ],
)
async def test_no_key_is_cut_and_help_is_kept(width: int, line: str) -> None:
    app = Host()
    async with app.run_test(size=(width, 5)) as pilot:
        await pilot.pause()
        assert shown(app) == line


class Choosy(Leaf):
    """Something that goes down only at times."""

    can_go = True

    def offers(self, action: str) -> bool:
        """Whether it may."""
        return self.can_go or action != "go('down')"


async def test_a_key_that_does_nothing_now_is_not_shown() -> None:
    class Other(Host):
        def compose(self) -> ComposeResult:
            yield Choosy()
            yield KeyBar()

    app = Other()
    async with app.run_test(size=(60, 5)) as pilot:
        await pilot.pause()
        assert shown(app).startswith(" j Down  x Leave")
        app.query_one(Choosy).can_go = False
        app.query_one(Choosy).refresh_bindings()
        await pilot.pause()
        assert shown(app).startswith(" x Leave")
        await pilot.press("j")  # it is still there, and may say why
    assert app.return_value == "down"
