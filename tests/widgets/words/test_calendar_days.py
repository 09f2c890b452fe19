"""`since:today` and `since:yesterday` begin with the days of a person's calendar, however long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_tui.widgets.words.session_filter import moment

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="zones cannot be chosen")

BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"
CAIRO = "EET-2EEST,M4.5.5/0,M10.5.4/24"  # on one day there is no midnight
SANTIAGO = "<-04>4<-03>,M9.1.6/24,M4.1.6/24"  # on one evening it is 23:00 twice
CHATHAM = "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"
ZONES = ["UTC0", BERLIN, CAIRO, SANTIAGO, "IST-5:30", CHATHAM]

Zone = Callable[[str], None]


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Zone]:
    """Chooses where one lives."""

    def choose(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield choose
    monkeypatch.undo()
    time.tzset()


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("name", "now", "yesterday"),
    [
        (BERLIN, "2026-10-26T12:00+01:00", "2026-10-25T00:00+02:00"),  # of 25 hours
        (BERLIN, "2026-03-30T12:00+02:00", "2026-03-29T00:00+01:00"),  # of 23
        (BERLIN, "2026-11-20T00:30+01:00", "2026-11-19T00:00+01:00"),
        (CAIRO, "2026-04-25T12:00+03:00", "2026-04-24T01:00+03:00"),
        (SANTIAGO, "2026-04-06T12:00-04:00", "2026-04-05T00:00-04:00"),
        ("IST-5:30", "2026-11-20T03:00+05:30", "2026-11-19T00:00+05:30"),
    ],
)
def test_yesterday_begins_at_its_own_midnight(
    zone: Zone, name: str, now: str, yesterday: str
) -> None:
    zone(name)
    assert moment("yesterday", at(now)) == at(yesterday)
    assert moment(yesterday[:10], at(now)) == at(yesterday)
    assert moment("today", at(yesterday) + 3_600_000) == at(yesterday)


@pytest.mark.parametrize("name", ZONES)
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seconds=st.integers(1_600_000_000, 1_900_000_000))
def test_days_begin_where_the_calendar_turns(zone: Zone, name: str, seconds: int) -> None:
    zone(name)
    today, yesterday = moment("today", seconds * 1000), moment("yesterday", seconds * 1000)
    assert today is not None
    assert yesterday is not None
    day = datetime.fromtimestamp(seconds).date()
    for start, which in ((today, day), (yesterday, day - timedelta(days=1))):
        assert datetime.fromtimestamp(start / 1000).date() == which
        assert datetime.fromtimestamp(start / 1000 - 1).date() < which
