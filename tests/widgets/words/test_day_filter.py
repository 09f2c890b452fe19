"""`day:` finds the sessions that were at work on local days."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.session import Session
from sessions_tui.widgets.words.day_filter import day

DAY = 86_400_000
MIDNIGHT = 1_795_910_400_000  # 2026-11-29 00:00 UTC


def session(started_at: int | None, updated_at: int | None) -> Session:
    path = Path("/s.jsonl")
    times = {"started_at": started_at, "updated_at": updated_at}
    return Session("s", path, AGENTS["product"], "/src", "s", "prompt", "done", "", **times)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("started_at", "updated_at", "found"),
    [
        (MIDNIGHT, MIDNIGHT, True),
        (MIDNIGHT + DAY - 1, MIDNIGHT + DAY - 1, True),
        (MIDNIGHT - 1, MIDNIGHT - 1, False),
        (MIDNIGHT + DAY, MIDNIGHT + DAY, False),
        (MIDNIGHT - 5 * DAY, MIDNIGHT, True),
        (MIDNIGHT - 5 * DAY, MIDNIGHT + 5 * DAY, True),
        (None, MIDNIGHT, False),
        (MIDNIGHT, None, False),
        (10**18, 10**18, False),
    ],
)
def test_one_day(started_at: int | None, updated_at: int | None, found: bool) -> None:
    assert day("2026-11-29")(session(started_at, updated_at)) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("2026-11-29..2026-11-29", True),
        ("2026-11-20..2026-11-29", True),
        ("2026-11-20..2026-11-28", False),
        ("2026-11-30..2026-12-05", False),
        ("2026-11-30..2026-11-01", False),
    ],
)
def test_several_days(value: str, found: bool) -> None:
    assert day(value)(session(MIDNIGHT, MIDNIGHT)) == found


@pytest.mark.parametrize(
    "value", ["", "2026", "2026-1", "2026-11-29..2026-", "monday", "..", "x..y"]
)
def test_what_is_not_a_day_asks_for_nothing(value: str) -> None:
    assert day(value)(session(None, None))
