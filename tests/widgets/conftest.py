"""What widget tests share: the screen as plain text, snapshots of it, and hostile text."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.integrity import Integrity
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.model.timeline import Row

NOW = 1_795_953_731_000  # 2026-11-29 12:02:11 UTC
MINUTE = 60_000
DAY = 24 * 60 * MINUTE

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"

HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J\x1b]52;c;aGk=\x1b\\\x1bP1$q\x1b\\"
    "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x9b31m\x9d0;t\x9c\x85\x90x"
    "\u202eright\u2066to\u2069left\u200b\u200d\ufeff\U000e0041\ud800"
    "[b]bold[/x] [@click=app.quit]quit[/] [ b ]x [$x] \\"
    "e\u0301\u0302\u0303\u0304\u0305 👨‍👩‍👧 👍🏽 中文\r\n\t\x00\x07\x08\x7f end"
)


@pytest.fixture
def hostile() -> str:
    """Everything that must never reach a terminal as it is."""
    return HOSTILE


Frame = Callable[[App[Any]], str]


@pytest.fixture
def frame() -> Frame:
    """The screen of an app as plain text, a line a row."""

    def text(app: App[Any]) -> str:
        strips = app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)

    return text


Snapshot = Callable[[str, str], None]


@pytest.fixture
def snapshot() -> Snapshot:
    """Compare a frame with the one kept under a name; `UPDATE_SNAPSHOTS=1` keeps the new one."""

    def compare(name: str, text: str) -> None:
        path = SNAPSHOTS / f"{name}.txt"
        if os.environ.get("UPDATE_SNAPSHOTS"):
            path.write_text(text + "\n", encoding="utf-8")
        assert text + "\n" == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Local times are shown: have them the same everywhere."""
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()
    yield
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.fixture
def now() -> int:
    """The moment at which all samples are shown."""
    return NOW


@pytest.fixture
def rows() -> list[Row]:
    """A timeline with every kind of row that looks different."""
    start = NOW - 10 * MINUTE

    def row(number: int, kind: Any, second: int, text: str, **more: Any) -> Row:
        at = start + second * 1_000
        return Row(number * 100, number + 1, f"e{number + 1}", kind, at, text, **more)

    def call(number: int, second: int, tool: str, text: str, state: Any, **more: Any) -> Row:
        return row(number, "call", second, text, tool=tool, state=state, **more)

    return [
        row(0, "prompt", -86_400, "先看一下项目结构"),
        row(1, "answer", -86_390, "好的，这是一个库存服务。"),
        row(2, "prompt", 0, "stock.py 里的 reserve() 会超卖，帮我修好并补一个测试"),
        row(3, "reasoning", 3, "I should read stock.py first.", size=412),
        call(4, 4, "Read", "app/stock.py", "completed", duration=12, size=2_100),
        call(5, 9, "Edit", "app/stock.py", "completed", duration=41, added=3, removed=1, size=96),
        call(6, 20, "Bash", "pytest -q", "failed", detail="exit 1", duration=3_400, size=4_012),
        call(7, 24, "mcp__hub__create_issue", "inventory", "completed", duration=125_000),
        call(8, 29, "Edit", "app/db.py", "uncertain", detail="no result", added=9, removed=4),
        row(9, "answer", 33, "我先试了另一种做法", abandoned=True),
        row(10, "answer", 41, "修好了：reserve() 现在用一条带条件的 UPDATE，不会再超卖。" * 2),
        row(11, "injected", 43, "todo list is empty"),
        row(12, "damaged", 44, "line is not JSON: Expecting ',' delimiter"),
        call(13, 50, "Bash", "npm run build", "running"),
        call(14, 50, "Bash", "npm test", "pending"),
        row(15, "unknown", 51, ""),
    ]


@pytest.fixture
def sessions() -> list[Session]:
    """A list with every sign."""

    def session(name: str, title: str, workspace: str, minutes: int, **more: Any) -> Session:
        known: dict[str, Any] = {
            "session": name,
            "path": Path(f"/store/{name}.jsonl"),
            "agent": AGENTS["product"],
            "workspace": f"/home/mei/src/{workspace}",
            "title": title,
            "title_from": "prompt",
            "status": "done",
            "why": "pid 4711 alive, last record 3 s ago",
            "model": "hy3",
            "started_at": NOW - (minutes + 31) * MINUTE,
            "updated_at": NOW - minutes * MINUTE,
        }
        return Session(**{**known, **more})

    parent = Path("/store/e.jsonl")
    broken = Integrity("corrupt", "bad_json", 4, "line 4 is not JSON")
    return [
        session(
            "a",
            "Rename Lexer.next to advance everywhere in the parser",
            "parser",
            120,
            status="crashed",
            needs_you=True,
            uncertain=1,
            events=1_204,
        ),
        session("b", "Set up the database", "shop", 180, status="asking", needs_you=True),
        session(
            "c",
            "修复库存超卖并补测试",
            "inventory-api",
            0,
            status="working",
            events=1_284,
            tokens=Usage(2_000, 200_000, 10_000),
            doing="Bash pytest -q",
        ),
        session("d", "Docs build fails on CI", "site", 300, events=310, remembered=("e1", "e2")),
        session("e", "Find slow queries", "db", 360, events=88, children=2),
        session("e1", "Explore the log", "db", 365, parent="e", parent_path=parent, events=40),
        session("e2", "Profile the indexes", "db", 364, parent="e", parent_path=parent, events=1),
        session("f", "A broken one", "old", 1_500, status="corrupt", integrity=broken),
        session(
            "g", "把构建脚本迁移到新的流水线并且更新所有文档里的链接", "site", 40_000, model=None
        ),
    ]
