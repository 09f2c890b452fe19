"""The usage of one session at every size; its lists lead nowhere; hostile names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.app import App, ComposeResult

from sessions_tui.storage.index.index import Used
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.usage import Course, Moment, SessionUse
from sessions_tui.storage.usage.report import Called, reports_of
from sessions_tui.widgets.usage.session_pane import SessionUsagePane
from sessions_tui.widgets.usage.share_list import ShareList
from tests.widgets.usage_samples import HOUR, NOW, TOOLS, session

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

SIZES = [(140, 40), (80, 24), (40, 12)]
ONE = session("one", "/home/mei/src/shop", NOW - 3 * HOUR)


class Host(App[None]):
    """The usage of one session."""

    def __init__(self, use: SessionUse | None, title: str = "Sell nothing twice") -> None:
        super().__init__()
        self.pane = SessionUsagePane()
        self.use = use
        self.shown = replace(ONE, title=title)
        self.opened = 0

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.pane.show_session(self.shown, NOW)
        self.pane.focus()
        if self.use:
            self.pane.show_use(self.use)

    def on_share_list_opened(self) -> None:
        self.opened += 1


def used(models: tuple[str, ...] = ("hy3", "glm-5"), tools: tuple[str, ...] = ()) -> SessionUse:
    """Two hours of work with a pause between them."""
    hour = NOW // HOUR - 3
    usage = [Used(ONE.path, hour, name, "", Usage(100, 9_000, 50), 4) for name in models]
    names = tools or tuple(TOOLS)
    calls: list[Called] = [(ONE.path, hour, name, "", TOOLS.get(name, 1)) for name in names]
    minutes = [*range(0, 50, 3), *range(170, 190)]
    moments = (Moment(hour * HOUR + 60_000 * at, Usage(at * 37 % 90), at % 4) for at in minutes)
    report = reports_of(usage, calls, [(ONE.path, "/a.py", 2, NOW)], [ONE], NOW)[0]
    return SessionUse(report, Course(60_000, tuple(moments)))


@pytest.mark.parametrize("size", SIZES)
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(used())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"session-usage-{size[0]}x{size[1]}", frame(app))


async def test_tab_goes_from_list_to_list_and_enter_nowhere() -> None:
    app = Host(used())
    async with app.run_test(size=(140, 40)) as pilot:
        seen = []
        for key in ("j", "tab", "shift+tab", "right", "left"):
            await pilot.press(key, "enter")
            assert isinstance(app.focused, ShareList)
            seen.append((app.focused.kind, app.focused.cursor))
        await pilot.click("#session-tools", offset=(3, 3))
        await pilot.press("tab")
        assert app.focused is app.query_one("#session-models")
    assert seen == [("models", 1), ("tools", 0), ("models", 1), ("tools", 0), ("models", 1)]
    assert not app.opened


async def test_bars_that_do_not_fit_are_shown_when_asked_for() -> None:
    names = tuple(f"tool{number:02}" for number in range(30))
    app = Host(used(tools=names))
    async with app.run_test(size=(80, 24)) as pilot:
        shares = app.query_one("#session-tools", ShareList)
        await pilot.press("tab", "G")
        assert len(shares.source) < len(names)
        await pilot.press("enter")
        assert len(shares.source) == len(names)


async def test_not_known_yet(frame: Frame) -> None:
    app = Host(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "tab", "enter")
        assert "Sell nothing twice" in frame(app)


async def test_of_another_session_nothing_is_known(frame: Frame) -> None:
    app = Host(used())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.pane.show_session(replace(app.shown, title="Another view of it"), NOW)
        await pilot.pause()
        assert "Bash" in frame(app)
        app.pane.show_session(session("two", "/home/mei/src/shop", NOW), NOW)
        await pilot.pause()
        assert "Bash" not in frame(app)
        assert "calls  " not in frame(app)


@pytest.mark.parametrize("size", [*SIZES, (16, 6), (3, 2)])
async def test_hostile_names(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    app = Host(used((hostile, "b"), (hostile * 50, "a")), hostile)
    async with app.run_test(size=size) as pilot:
        for key in ("j", "tab", "enter", "j"):
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
            await pilot.press(key)
