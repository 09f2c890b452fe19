"""Three months of made-up work, and an app with nothing but the usage of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual import on
from textual.app import App, ComposeResult

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.index.index import Used
from sessions_tui.storage.model.event import Usage
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.model.usage import Reports
from sessions_tui.storage.usage.report import Called, Edited, reports_of
from sessions_tui.widgets.usage.card import UsageCard
from sessions_tui.widgets.usage.chart import UsageChart
from sessions_tui.widgets.usage.pane import UsagePane
from sessions_tui.widgets.usage.share_list import ShareList

NOW = 1_795_953_731_000  # Sunday 2026-11-29, 12:02:11 UTC
HOUR = 3_600_000
DAY = 24 * HOUR

WORKSPACES = ("inventory-api", "parser", "shop", "docs-site", "infra", "数据分析", "monorepo")
MODELS = ("hy3", "glm-5", "hy3", "kimi-k3")
TOOLS = {"Bash": 9, "Read": 8, "Edit": 4, "Grep": 3, "Write": 1, "mcp__hub__create_issue": 1}
NOTHING = "Nothing was used yet."


def session(name: str, workspace: str, at: int, **more: Any) -> Session:
    """A session of an hour."""
    path = Path(f"/store/{name}.jsonl")
    return Session(
        name,
        path,
        AGENTS["product"],
        workspace,
        name,
        "prompt",
        "done",
        "",
        started_at=at,
        updated_at=at + HOUR,
        **more,
    )


def work(days: int = 100) -> Reports:
    """More and more work from so many days ago on, less of it at weekends."""
    sessions: list[Session] = []
    usage: list[Used] = []
    calls: list[Called] = []
    edits: list[Edited] = []
    for ago in range(days):
        at = NOW - ago * DAY
        weekend = (at // DAY + 4) % 7 in (0, 6)
        for turn in range((100 - ago) // 40 + 1 - weekend):
            number = ago * 7 + turn * 3
            workspace = WORKSPACES[number * number % 11 % len(WORKSPACES)]
            one = session(f"s{ago}-{turn}", f"/home/mei/src/{workspace}", at - turn * HOUR)
            sessions.append(one)
            size = 5 + number % 9 * (3 if turn else 1)
            quarter, model = one.started_at * 4 // HOUR if one.started_at else 0, MODELS[number % 4]
            tokens = Usage(9_000 * size, 110_000 * size, 4_500 * size)
            usage.append(Used(one.path, quarter, model, "", tokens, size))
            calls += [
                (one.path, quarter, tool, "", size * part // 4) for tool, part in TOOLS.items()
            ]
            edits += [(one.path, f"/src/file{number % 31}.py", size, at)]
    return reports_of(usage, calls, edits, sessions, NOW)


class Host(App[None]):
    """The usage, and what it asked for."""

    def __init__(self, reports: Reports, empty: str = NOTHING) -> None:
        super().__init__()
        self.pane = UsagePane()
        self.reports = reports
        self.empty = empty
        self.wanted: list[UsagePane.SessionsWanted] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.pane.show_reports(self.reports, empty=self.empty)
        self.pane.focus()

    @on(UsagePane.SessionsWanted)
    def want(self, message: UsagePane.SessionsWanted) -> None:
        assert message.control is self.pane
        self.wanted.append(message)

    @property
    def chart(self) -> UsageChart:
        return self.query_one(UsageChart)

    @property
    def card(self) -> UsageCard:
        return self.query_one(UsageCard)

    def shares(self, kind: str) -> ShareList:
        return self.query_one(f"#usage-{kind}", ShareList)

    def card_lines(self) -> Sequence[str]:
        """What the card says."""
        return [self.card.render_line(y).text.rstrip() for y in range(self.card.size.height)]
