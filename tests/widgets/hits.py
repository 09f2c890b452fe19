"""Hits as a search tells them, and an app with nothing but their list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual import on
from textual.app import App, ComposeResult

from sessions_tui.storage.model.event import Kind
from sessions_tui.storage.search.query import parse_query
from sessions_tui.storage.search.quotation import Snippet, snippet_of
from sessions_tui.widgets.search.hit_list import HitList
from sessions_tui.widgets.search.hit_rows import FoundEvent

NOW = 1_795_953_731_000  # Sunday 2026-11-29, 12:02:11 UTC
MINUTE = 60_000
QUERY = parse_query("reserve 超卖*")

SAID: tuple[tuple[Kind, int, str], ...] = (
    (
        "answer",
        1,
        "修好了：reserve() 现在用一条带条件的 UPDATE 同时完成检查和扣减，不会再超卖。" * 3,
    ),
    ("prompt", 5, "stock.py 里的 reserve() 会超卖，帮我修好并补一个测试"),
    ("reasoning", 700, "They say that reserve() oversells: 超卖. " + "Look at the stock. " * 20),
    ("result", 800, "x" * 200 + "\nFAILED test_reserve 超卖 reserve\n" + "\x1b[31m1 failed\x1b[0m"),
    ("answer", 3_000, "A [b]reserve[/b] of 超卖 \u202e in markup"),
    ("prompt", 600_000, "Last year's reserve 超卖"),
)


def found(snippet: Snippet, kind: Kind = "answer", minutes: int = 1) -> FoundEvent:
    """A hit of one session."""
    at = NOW - minutes * MINUTE
    title, workspace = "修复库存超卖并补测试", "/home/mei/src/inventory-api"
    match = (snippet.start, snippet.end)
    return FoundEvent(
        Path("/store/s.jsonl"), minutes, at, kind, snippet.text, match, title, workspace
    )


def samples() -> list[FoundEvent]:
    """A hit of each kind, of today, of other days and of another year."""
    return [found(snippet_of(text, QUERY), kind, minutes) for kind, minutes, text in SAID]


class Host(App[None]):
    """Nothing but the hits; what they say is kept."""

    def __init__(self, hits: Sequence[FoundEvent]) -> None:
        super().__init__()
        self.list = HitList()
        self.hits = hits
        self.heard: list[Any] = []

    def compose(self) -> ComposeResult:
        yield self.list

    def on_mount(self) -> None:
        self.show(keep=False)
        self.list.focus()

    def show(self, keep: bool) -> None:
        """Show the hits as they are now."""
        patterns = [word.pattern for word in QUERY.words]
        self.list.show_hits(self.hits, patterns, NOW, keep=keep)

    @on(HitList.Opened)
    @on(HitList.EndReached)
    @on(HitList.Left)
    def hear(self, message: Any) -> None:
        assert message.control is self.list
        self.heard.append(message)

    def said(self, kind: type) -> int:
        """How many messages of a kind there were."""
        return sum(isinstance(message, kind) for message in self.heard)
