"""The session list on screen."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual import on
from textual.app import App, ComposeResult

from sessions_tui.storage.model.session import Session
from sessions_tui.widgets.sessions.grouping import Arrangement, entries
from sessions_tui.widgets.sessions.list import SessionList

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]


class Host(App[None]):
    """The list, which folds and unfolds as it asks for."""

    def __init__(self, sessions: list[Session], now: int, arrangement: Arrangement) -> None:
        super().__init__()
        self.sessions, self.now, self.arrangement = sessions, now, arrangement
        self.list = SessionList(entries(sessions, arrangement, now), now=now)
        self.opened: list[Session] = []

    def compose(self) -> ComposeResult:
        yield self.list

    @on(SessionList.Opened)
    def note(self, message: SessionList.Opened) -> None:
        self.opened.append(message.row.session)

    @on(SessionList.FoldChanged)
    def fold(self, message: SessionList.FoldChanged) -> None:
        unfolded = self.arrangement.unfolded ^ {message.path}
        self.arrangement = dataclasses.replace(self.arrangement, unfolded=unfolded)
        self.show()

    def show(self) -> None:
        """Show the sessions as they are now."""
        self.list.show_entries(entries(self.sessions, self.arrangement, self.now), self.now)


def path(name: str) -> Path:
    return Path(f"/store/{name}.jsonl")


@pytest.mark.parametrize("size", [(38, 28), (80, 24), (20, 24)])
async def test_frames(
    size: tuple[int, int], sessions: list[Session], now: int, frame: Frame, snapshot: Snapshot
) -> None:
    how = Arrangement(
        unfolded=frozenset({path("e")}),
        pinned=frozenset({path("g")}),
        unread=frozenset({path("d")}),
    )
    app = Host(sessions, now, how)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        snapshot(f"list-{size[0]}x{size[1]}", frame(app))


async def test_the_cursor_passes_headings_by(sessions: list[Session], now: int) -> None:
    app = Host(sessions, now, Arrangement())
    async with app.run_test(size=(38, 28)) as pilot:
        visited = []
        for _ in range(8):
            assert app.list.session is not None
            visited.append(app.list.session.session)
            await pilot.press("j")
        assert visited == ["a", "b", "c", "d", "e", "f", "g", "g"]


async def test_the_cursor_stays_on_its_session(sessions: list[Session], now: int) -> None:
    app = Host(sessions, now, Arrangement())
    async with app.run_test(size=(38, 10)) as pilot:
        assert app.list.select_path(path("d"))
        assert not app.list.select_path(path("nowhere"))
        app.sessions = [
            dataclasses.replace(one, needs_you=one.session == "d") for one in reversed(sessions)
        ]
        app.show()
        await pilot.pause()
        assert app.list.session is not None
        assert app.list.session.session == "d"
        app.sessions = [one for one in app.sessions if one.session != "d"]
        app.show()
        await pilot.pause()
        assert app.list.session is not None
        app.sessions = []
        app.show()
        await pilot.pause()
        assert app.list.session is None


async def test_folding(sessions: list[Session], now: int, frame: Frame) -> None:
    app = Host(sessions, now, Arrangement())
    async with app.run_test(size=(38, 28)) as pilot:
        app.list.select_path(path("e"))
        assert "2 sub" in frame(app)
        await pilot.press("right")
        await pilot.pause()
        assert "Explore the log" in frame(app)
        await pilot.press("j", "j", "left")
        assert app.list.session is not None
        assert app.list.session.session == "e"
        await pilot.press("left")
        await pilot.pause()
        assert "Explore the log" not in frame(app)
        await pilot.press("o")
        await pilot.pause()
        assert "Explore the log" in frame(app)


async def test_opening(sessions: list[Session], now: int) -> None:
    app = Host(sessions, now, Arrangement())
    async with app.run_test(size=(38, 28)) as pilot:
        await pilot.press("j", "enter")
        await pilot.click(SessionList, offset=(3, 0))
        await pilot.pause()
        assert [session.session for session in app.opened] == ["b"]


async def test_ages_move_on(sessions: list[Session], now: int, frame: Frame) -> None:
    app = Host(sessions, now, Arrangement())
    async with app.run_test(size=(38, 28)) as pilot:
        assert "parser · hy3 · 2 h · 1,204" in frame(app)
        app.now += 3_600_000
        app.show()
        await pilot.pause()
        assert "parser · hy3 · 3 h · 1,204" in frame(app)


@pytest.mark.parametrize(
    ("workspace", "heading"),
    [
        ("/home/mei/code/inventory-api", "inventory-api  ~/code"),
        ("/home/mei/a/very/long/way/down/to/shop", "shop  ~/a/very/long/way/down/to"),
        ("/srv/one/that/does/not/fit/in/a/heading/shop", "shop  /srv/one/that/does/not/fit/in…"),
        ("/home/mei", "mei"),
        ("C:\\code\\shop", "shop  C:\\code"),
        ("src-shop", "src-shop"),
    ],
)
async def test_a_heading_begins_with_the_name_of_the_folder(
    workspace: str,
    heading: str,
    sessions: list[Session],
    now: int,
    frame: Frame,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/home/mei")
    here = [dataclasses.replace(sessions[3], workspace=workspace)]
    app = Host(here, now, Arrangement(group_by="workspace"))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert re.split(r"\s+1$", frame(app).splitlines()[0].strip())[0] == heading


async def test_hostile_sessions(
    sessions: list[Session], now: int, hostile: str, frame: Frame
) -> None:
    nasty = [
        dataclasses.replace(one, title=hostile, workspace=hostile, model=hostile, doing=hostile)
        for one in sessions
    ]
    for how in (Arrangement(), Arrangement(group_by="workspace")):
        app = Host(nasty, now, how)
        async with app.run_test(size=(38, 28)) as pilot:
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
            for y in range(28):
                assert (
                    app.list.render_line(y).cell_length == app.list.scrollable_content_region.width
                )


async def test_only_what_looks_different_is_drawn_again(
    sessions: list[Session], now: int, frame: Frame
) -> None:
    app = Host(sessions, now, Arrangement())
    async with app.run_test(size=(38, 28)) as pilot:
        await pilot.pause()
        drawn: list[object] = []
        draw = app.list.draw

        def noted(index: int, row: Any, width: int, look: Any) -> Any:
            drawn.append(row)
            return draw(index, row, width, look)

        app.list.draw = noted  # type: ignore[method-assign]
        reason = "pid 4711 alive, last record 4 s ago"
        app.sessions = [dataclasses.replace(session, why=reason) for session in sessions]
        app.show()
        await pilot.pause()
        assert drawn == []
        assert app.list.session is not None
        assert app.list.session.why == reason  # what it says of it is what is known now
        app.sessions[0] = dataclasses.replace(app.sessions[0], title="Another title")
        app.show()
        await pilot.pause()
        assert [row.session.title for row in drawn] == ["Another title"]  # type: ignore[attr-defined]
        assert "Another title" in frame(app)
        drawn.clear()
        app.now += 3_600_000
        app.show()
        await pilot.pause()
        assert drawn  # they have aged
