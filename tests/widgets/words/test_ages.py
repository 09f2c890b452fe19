"""Times and amounts in the words of the screen."""

from __future__ import annotations

import pytest

from sessions_tui.widgets.words.ages import (
    DAY,
    HOUR,
    MINUTE,
    age,
    clock,
    day_name,
    day_short,
    same_day,
)
from sessions_tui.widgets.words.amounts import count, duration, size, tokens

NOW = 1_795_953_731_000  # 2026-11-29 12:02:11 UTC


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (0, "now"),
        (-5 * HOUR, "now"),
        (59_999, "now"),
        (4 * MINUTE, "4 min"),
        (2 * HOUR, "2 h"),
        (3 * DAY, "3 d"),
        (70 * DAY, "2026-09-20"),
    ],
)
def test_age(passed: int, said: str) -> None:
    assert age(NOW - passed, NOW) == said


def test_no_time() -> None:
    assert age(None, NOW) == "no time"
    assert day_name(None, NOW) == "NO DATE"
    assert clock(None) == "--:--:--"
    assert clock(None, seconds=False) == "--:--"


@pytest.mark.parametrize("absurd", [10**18, -(10**18), 10**30])
def test_absurd_times_are_shown_somehow(absurd: int) -> None:
    assert len(clock(absurd)) == 8
    assert day_name(absurd, NOW)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (-DAY, "TODAY"),
        (HOUR, "TODAY"),
        (13 * HOUR, "YESTERDAY"),
        (3 * DAY, "THURSDAY 26 NOV"),
        (8 * DAY, "21 NOVEMBER 2026"),
    ],
)
def test_day_name(passed: int, said: str) -> None:
    assert day_name(NOW - passed, NOW) == said


def test_clock_and_day() -> None:
    assert clock(NOW) == "12:02:11"
    assert clock(NOW, seconds=False) == "12:02"
    assert day_short(NOW) == "29 Nov"
    assert day_short(NOW, 5) == "11-29"
    assert same_day(NOW, NOW + HOUR)
    assert same_day(None, NOW)
    assert not same_day(NOW, NOW + DAY)


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (-3, "0 ms"),
        (12, "12 ms"),
        (999, "999 ms"),
        (3_400, "3.4 s"),
        (59_949, "59.9 s"),
        (59_950, "1 min"),
        (125_000, "2 min"),
        (5_400_000, "1.5 h"),
        (400 * HOUR, "16 d"),
    ],
)
def test_duration(milliseconds: int, said: str) -> None:
    assert duration(milliseconds) == said


@pytest.mark.parametrize(
    ("amount", "said", "short"),
    [
        (0, "0 B", "0"),
        (96, "96 B", "96"),
        (999, "999 B", "999"),
        (1_000, "1.0 kB", "1.0k"),
        (2_100, "2.1 kB", "2.1k"),
        (9_960, "10 kB", "10k"),
        (212_000, "212 kB", "212k"),
        (30_000_000, "30 MB", "30M"),
        (10**18, "1000000 TB", "1000000T"),
    ],
)
def test_sizes_and_tokens(amount: int, said: str, short: str) -> None:
    assert size(amount) == said
    assert tokens(amount) == short


def test_count() -> None:
    assert count(1, "event") == "1 event"
    assert count(1_284, "event") == "1,284 events"
