"""The usage on the screen: what it shows at every size, what keys and mouse do, hostile names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from sessions_tui.storage.index.index import Used
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.usage import Reports
from sessions_tui.storage.usage.report import reports_of
from sessions_tui.widgets.usage.share_list import More
from sessions_tui.widgets.usage.words import Bar
from tests.widgets.usage_samples import HOUR, NOTHING, NOW, Host, session, work

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

WIDE, NARROW, LOW = (140, 40), (80, 24), (40, 12)


def bars(app: Host, kind: str) -> list[Bar]:
    """The bars of a list."""
    source = app.shares(kind).source
    rows = [source[place] for place in range(len(source))]
    return [row for row in rows if isinstance(row, Bar)]


def names(app: Host, kind: str) -> list[str]:
    """What the bars of a list stand for."""
    return [bar.name for bar in bars(app, kind)]


@pytest.mark.parametrize("size", [WIDE, NARROW, LOW])
async def test_frames(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(work())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"usage-{size[0]}x{size[1]}", frame(app))


@pytest.mark.parametrize("size", [WIDE, NARROW, LOW])
async def test_frames_of_a_list(size: tuple[int, int], frame: Frame, snapshot: Snapshot) -> None:
    app = Host(work())
    async with app.run_test(size=size) as pilot:
        await pilot.press("d", "m", "tab", "tab", "tab", "j")
        await pilot.pause()
        snapshot(f"usage-tools-{size[0]}x{size[1]}", frame(app))


@pytest.mark.parametrize("reports", [{}, reports_of([], [], [], [], NOW)], ids=["not yet", "none"])
async def test_nothing_was_ever_used(reports: Reports, frame: Frame) -> None:
    app = Host(reports)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("m", "d", "tab", "enter", "left", "j", "G", "tab", "enter")
        await pilot.pause()
        assert frame(app).strip() == NOTHING
        assert not app.wanted
        app.pane.show_reports(work(), empty=NOTHING)
        await pilot.pause()
        assert NOTHING not in frame(app)
        assert "146      221M" in frame(app)
        await pilot.press("m")
        await pilot.pause()
        assert "edits in the last 90 days" in frame(app)


async def test_nothing_was_used_of_late(frame: Frame) -> None:
    old = session("old", "/src/shop", NOW - 2_000 * HOUR)
    row = Used(old.path, NOW * 4 // HOUR - 8_000, "hy3", "", Usage(5), 1)
    app = Host(reports_of([row], [], [], [old], NOW))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        assert "Nothing in the last 30 days." in frame(app)
        await pilot.press("enter", "d", "d")
        await pilot.pause()
        assert "tokens since 7 September 2026" in frame(app)
        assert not app.wanted


async def test_measures_and_periods_go_round(frame: Frame) -> None:
    app = Host(work())
    titles = []
    async with app.run_test(size=WIDE) as pilot:
        for key in ("m", "m", "m", "m", "M", "M", "d", "d", "d", "d", "D"):
            await pilot.press(key)
            await pilot.pause()
            titles.append(next(line for line in frame(app).split("\n") if "─ " in line).strip("─ "))
    last = "in the last 30 days"
    assert titles == [
        *(f"{measure} {last}" for measure in ("calls", "edits", "sessions", "tokens")),
        f"sessions {last}",
        f"edits {last}",
        "edits in the last 90 days",
        "edits since 24 August 2026",
        "edits in the last 7 days",
        f"edits {last}",
        "edits in the last 7 days",
    ]


async def test_days_one_by_one() -> None:
    app = Host(work())
    async with app.run_test(size=WIDE) as pilot:
        seen = [app.card_lines()[0].strip()]
        for key in ("left", "h", "right", "home", "left", "end", "l"):
            await pilot.press(key)
            seen.append(app.card_lines()[0].strip())
    days = [f"{day} 2026" for day in ("Sun 29 Nov", "Sat 28 Nov", "Fri 27 Nov", "Sat 28 Nov")]
    first, last = "Sat 31 Oct 2026", "Sun 29 Nov 2026"
    assert seen == [*days, first, first, last, last]


async def test_a_day_stays_under_the_cursor() -> None:
    app = Host(work())
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("left", "left", "left", "m", "d")
        assert app.chart.current is not None
        assert app.chart.current.title == "Thu 26 Nov 2026"
        app.pane.show_reports(work(80), empty=NOTHING)
        await pilot.resize_terminal(60, 24)
        await pilot.pause()
        assert app.chart.current.title == "23 Nov – 29 Nov 2026"


async def test_enter_asks_for_the_sessions_of_a_day() -> None:
    app = Host(work())
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("left", "left", "enter", "d", "d", "enter")
        await pilot.pause()
    day, days = app.wanted
    assert day.words == "day:2026-11-27"
    assert day.sessions == {Path(f"/store/s2-{turn}.jsonl") for turn in range(3)}
    assert days.words == "day:2026-11-27"
    assert days.sessions == day.sessions


async def test_enter_asks_for_the_sessions_of_weeks() -> None:
    app = Host(work())
    async with app.run_test(size=LOW) as pilot:
        await pilot.press("d", "left", "enter")
        await pilot.pause()
    assert app.wanted[0].words == "day:2026-11-16..2026-11-22"
    assert len(app.wanted[0].sessions) == 19


async def test_enter_asks_for_the_sessions_of_a_share() -> None:
    app = Host(work())
    async with app.run_test(size=WIDE) as pilot:
        for keys in (["tab"], ["j"], ["right"], ["l"]):
            await pilot.press(*keys, "enter")
        await pilot.pause()
        first, second = names(app, "workspaces")[:2]
    words = [message.words for message in app.wanted]
    names_of = [f'workspace:"{first}"', f'workspace:"{second}"', 'model:"hy3"', 'tool:"Bash"']
    assert words == [f"{name} since:2026-10-31" for name in names_of]
    assert all(message.sessions for message in app.wanted)


@pytest.mark.parametrize("size", [WIDE, NARROW, LOW])
async def test_tab_goes_round_and_what_has_the_keys_is_seen(size: tuple[int, int]) -> None:
    app = Host(work())
    async with app.run_test(size=size) as pilot:
        ids = []
        for key in ("tab", "tab", "tab", "tab", "shift+tab", "left", "left", "left", "j"):
            await pilot.press(key)
            await pilot.pause()
            assert app.focused is not None
            assert app.focused.region.area > 0
            ids.append((app.focused.id or "").removeprefix("usage-"))
    kinds = ["workspaces", "models", "tools"]
    assert ids == [*kinds, "chart", "tools", "models", "workspaces", "chart", "workspaces"]


async def test_bars_that_do_not_fit_are_counted_and_shown_when_asked_for() -> None:
    many = [session(f"s{n}", f"/src/lab-{n:02}", NOW - HOUR) for n in range(40)]
    rows = [
        Used(one.path, NOW * 4 // HOUR, "hy3", "", Usage(40 - n), 1) for n, one in enumerate(many)
    ]
    app = Host(reports_of(rows, [], [], many, NOW))
    async with app.run_test(size=WIDE) as pilot:
        shares = app.shares("workspaces")
        await pilot.press("tab", "G")
        shown = len(shares.source)
        assert shown == shares.size.height
        assert shares.source[shown - 1] == More(41 - shown)
        await pilot.resize_terminal(140, 30)
        await pilot.pause()
        assert len(shares.source) == shares.size.height < shown
        await pilot.press("G", "enter")
        assert len(shares.source) == 40
        assert shares.bar is not None
        assert shares.bar.label == f"lab-{shares.size.height - 1:02}"
        assert not app.wanted
        await pilot.press("G", "enter")
        await pilot.pause()
    assert app.wanted[0].words == 'workspace:"/src/lab-39" since:2026-10-31'


async def test_the_mouse() -> None:
    app = Host(work())
    async with app.run_test(size=WIDE) as pilot:
        await pilot.click(app.chart, offset=(8, 5))
        assert app.chart.cursor == 0
        await pilot.click(app.chart, offset=(2, 5))
        assert app.chart.cursor == 0
        await pilot.click("#usage-models", offset=(3, 2))
        assert app.shares("models").cursor == 1
        assert app.focused is app.shares("models")
        await pilot.click("#usage-measures", offset=(11, 0))
        await pilot.click("#usage-periods", offset=(2, 0))
        await pilot.pause()
        assert "calls in the last 7 days" in (app.query_one("#usage-days").border_title or "")
        last = app.chart.size.width - 20
        await pilot.click(app.chart, offset=(last, 5))
        await pilot.click(app.chart, offset=(last, 5))
        await pilot.pause()
    assert len(app.wanted) == 1


async def test_lists_tell_what_can_be_told(frame: Frame) -> None:
    app = Host(work())
    heads = {}
    async with app.run_test(size=WIDE) as pilot:
        for measure in ("tokens", "calls", "edits", "sessions"):
            await pilot.pause()
            line = next(line for line in frame(app).split("\n") if "workspaces ·" in line)
            heads[measure] = [word for word in line.split("─") if word.strip()]
            await pilot.press("m")
    told = {measure: [head.split(" · ")[1] for head in line] for measure, line in heads.items()}
    assert told == {
        "tokens": ["tokens", "tokens", "calls"],
        "calls": ["calls", "tokens", "calls"],
        "edits": ["edits", "tokens", "edits"],
        "sessions": ["sessions", "sessions", "sessions"],
    }


async def test_workspaces_called_alike_are_told_apart() -> None:
    places = ["/home/mei/app", "/srv/app", "C:\\work\\app", "/home/mei/shop", ""]
    some = [session(f"s{n}", place, NOW - HOUR) for n, place in enumerate(places)]
    rows = [Used(one.path, NOW * 4 // HOUR, "", "", Usage(9 - n), 1) for n, one in enumerate(some)]
    app = Host(reports_of(rows, [], [], some, NOW))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        labels = ["mei/app", "srv/app", "work/app", "shop", "no workspace"]
        assert [bar.label for bar in bars(app, "workspaces")] == labels
        assert [bar.label for bar in bars(app, "models")] == ["unknown model"]


@pytest.mark.parametrize("size", [WIDE, NARROW, LOW, (16, 6), (3, 2)])
async def test_hostile_names(size: tuple[int, int], hostile: str, frame: Frame) -> None:
    some = [session(f"s{n}", hostile + str(n), NOW - HOUR) for n in range(3)]
    rows = [Used(one.path, NOW * 4 // HOUR, hostile, "", Usage(10**18), 1) for one in some]
    calls = [(one.path, NOW * 4 // HOUR, hostile * 50, "", 10**18) for one in some]
    app = Host(reports_of(rows, calls, [], some, NOW))
    async with app.run_test(size=size) as pilot:
        for key in ("m", "tab", "tab", "enter", "tab", "enter", "d", "d"):
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
            await pilot.press(key)
        await pilot.pause()
    assert all(c.isprintable() for message in app.wanted for c in message.words)
