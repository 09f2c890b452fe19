"""Top bar, session head and notices at every width."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App, ComposeResult

from sessions_tui.storage.model.session import Session
from sessions_tui.widgets.base.session_header import SessionHeader
from sessions_tui.widgets.sessions.status_line import Notice, Summary, TopBar, nothing_found

pytestmark = pytest.mark.anyio

Frame = Callable[[App[Any]], str]
Snapshot = Callable[[str, str], None]

BUSY = Summary(482, 3, 2, 61, "all sources")


class Host(App[None]):
    """All three, one below the other."""

    def __init__(self, summary: Summary, session: Session | None, now: int, notice: Notice) -> None:
        super().__init__()
        self.bar = TopBar(summary)
        self.head = SessionHeader(session, now=now)
        self.notice = notice

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.head
        yield self.notice


@pytest.mark.parametrize("width", [140, 80, 40])
async def test_frames(
    width: int, sessions: list[Session], now: int, frame: Frame, snapshot: Snapshot
) -> None:
    notice = Notice(*nothing_found(["~/.workbuddy", "~/.codebuddy"]))
    app = Host(BUSY, sessions[2], now, notice)
    async with app.run_test(size=(width, 14)) as pilot:
        await pilot.pause()
        snapshot(f"status-{width}x14", frame(app))


async def test_verbs(sessions: list[Session], now: int, frame: Frame) -> None:
    app = Host(Summary(), None, now, Notice())
    async with app.run_test(size=(100, 14)) as pilot:
        app.bar.show(Summary(1, need_you=1, note="1 file could not be read"), "review")
        app.head.show(sessions[0], now)
        app.notice.show("Nothing to review", ["All is decided."])
        await pilot.pause()
        text = frame(app)
        assert "review" in text.splitlines()[0]
        assert "1 session · 1 needs you · 1 file could not be read" in text
        assert "✗ crashed — pid 4711 alive" in text
        assert "All is decided." in text


async def test_the_reason_wins_over_the_place(
    sessions: list[Session], now: int, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/mei")
    why = "The last record is 2 h old and nobody is there; 1 call without a result."
    app = Host(Summary(), dataclasses.replace(sessions[0], why=why), now, Notice())
    async with app.run_test(size=(90, 14)) as pilot:
        await pilot.pause()
        _, first, second, *_ = frame(app).splitlines()
        assert first.startswith(" Rename Lexer.next to advance everywhere")
        assert first.endswith("2 h ago")
        assert second == f" ✗ crashed — {why}"
        await pilot.resize_terminal(140, 14)
        await pilot.pause()
        assert frame(app).splitlines()[2].endswith("~/src/parser · hy3")


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (90, "✗ crashed — Process 4711 is gone, last record 2 h ago; 1 call without a result."),
        (70, "✗ crashed — Process 4711 is gone, last record 2 h ago."),
        (40, "✗ crashed — Process 4711 is gone, las…"),
    ],
)
async def test_a_long_reason_loses_its_end_first(
    sessions: list[Session], now: int, frame: Frame, width: int, said: str
) -> None:
    why = "Process 4711 is gone, last record 2 h ago; 1 call without a result."
    session = dataclasses.replace(sessions[0], status="crashed", why=why, workspace="", model=None)
    app = Host(Summary(), session, now, Notice())
    async with app.run_test(size=(width, 14)) as pilot:
        await pilot.pause()
        assert said in [line.strip() for line in frame(app).splitlines()]


async def test_a_fault_of_the_evidence_gives_way_last(
    sessions: list[Session], now: int, frame: Frame
) -> None:
    app = Host(Summary(), sessions[7], now, Notice())
    async with app.run_test(size=(30, 14)) as pilot:
        await pilot.pause()
        assert frame(app).splitlines()[1].endswith("✗ corrupt")


def test_where_a_project_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/mei")
    looked = ["/home/mei/.workbuddy", "/home/mei/shop"]
    _, lines = nothing_found(looked, "/home/mei/shop")
    assert lines[1:3] == ("~/.workbuddy", "~/shop/memory/transcripts")
    assert nothing_found(looked)[1][2] == "~/shop"


async def test_hostile(sessions: list[Session], now: int, hostile: str, frame: Frame) -> None:
    nasty = dataclasses.replace(
        sessions[2], title=hostile, workspace=hostile, model=hostile, doing=hostile, why=hostile
    )
    summary = Summary(1, scope=hostile, note=hostile)
    app = Host(summary, nasty, now, Notice(hostile, [hostile]))
    for width in (30, 140):
        async with app.run_test(size=(width, 14)) as pilot:
            await pilot.pause()
            assert not [c for c in frame(app) if c != "\n" and not c.isprintable()]
        app = Host(summary, nasty, now, Notice(hostile, [hostile]))


async def test_what_is_left_to_index_gives_way_first(now: int, frame: Frame) -> None:
    left = "3 files and 212 MB to read, 4 s left"
    for width, is_shown in ((100, True), (60, False)):
        app = Host(dataclasses.replace(BUSY, left=left), None, now, Notice())
        async with app.run_test(size=(width, 8)):
            assert "indexing 61 %" in frame(app)
            assert (left in frame(app)) == is_shown


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (
            80,
            " sessions    29 sessions · 2 working · 3 need you  demo — changes are not saved",
        ),
        (64, " sessions     29 sessions · 2 working · 3 need you"),
    ],
)
async def test_the_counts_give_way_to_the_scope(width: int, line: str, frame: Frame) -> None:
    summary = Summary(29, 2, 3, None, "demo — changes are not saved")
    app = Host(summary, None, 0, Notice())
    async with app.run_test(size=(width, 14)) as pilot:
        await pilot.pause()
        assert frame(app).splitlines()[0] == line
