"""What widget tests share: the screen as plain text, snapshots of it, and hostile text."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

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
