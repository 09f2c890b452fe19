"""Periods as columns: the shortest unit that fits, days without anything among them."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from sessions_tui.storage.model.usage import Day, Totals, UsageReport
from sessions_tui.widgets.usage.days import columns_of, label_places

TODAY = date(2026, 11, 29)


def report(first: date, *days: date) -> UsageReport:
    """One call on each of some days, all of one session."""
    one = Totals(calls=1, sessions=frozenset([Path("/s")]))
    used = tuple(Day(day, one) for day in days)
    return UsageReport(first, TODAY, Totals(), 0, used, (), (), ())


def day(ago: int) -> date:
    return TODAY - timedelta(days=ago)


@pytest.mark.parametrize(
    ("days", "room", "count", "first", "label"),
    [
        (7, 7, 7, day(6), "23 Nov"),
        (7, 100, 7, day(6), "23 Nov"),
        (30, 30, 30, day(29), "31 Oct"),
        (30, 29, 5, day(29), "31 Oct"),  # weeks begin on Mondays, the first one with the period
        (90, 60, 13, day(89), "1 Sep"),
        (90, 12, 3, day(89), "Sep"),
        (400, 100, 58, day(399), "26 Oct"),
        (400, 50, 14, day(399), "Oct"),
        (4_000, 100, 12, day(3_999), "2015"),
        (1, 100, 1, TODAY, "29 Nov"),
    ],
)
def test_units(days: int, room: int, count: int, first: date, label: str) -> None:
    columns = columns_of(report(day(days - 1)), room)
    assert len(columns) == count
    assert (columns[0].first, columns[0].label) == (first, label)
    assert columns[-1].last == TODAY
    for one, after in pairwise(columns):
        assert one.last + timedelta(days=1) == after.first


def test_columns_add_up_what_happened() -> None:
    used = [day(ago) for ago in (0, 1, 1, 8, 40)]
    whole = report(day(59), *sorted(used))
    for room in (60, 30, 5, 1):
        columns = columns_of(whole, room)
        assert sum(column.totals.calls for column in columns) == 5
    weeks = columns_of(whole, 30)
    assert [column.totals.calls for column in weeks if column.totals.calls] == [1, 1, 3]
    assert all(len(column.totals.sessions) == 1 for column in weeks if column.totals.calls)


@pytest.mark.parametrize(
    ("room", "titles"),
    [
        (30, ["Sat 28 Nov 2026", "Sun 29 Nov 2026"]),
        (5, ["16 Nov – 22 Nov 2026", "23 Nov – 29 Nov 2026"]),
    ],
)
def test_titles(room: int, titles: list[str]) -> None:
    assert [column.title for column in columns_of(report(day(29)), room)[-2:]] == titles


def test_titles_of_months_and_years() -> None:
    assert columns_of(report(day(400)), 20)[-1].title == "November 2026"
    assert columns_of(report(day(400)), 20)[-11].label == "2026"
    assert columns_of(report(day(4_000)), 20)[-1].title == "2026"


@pytest.mark.parametrize("first", [date(1, 1, 1), date(1970, 1, 1)])
def test_absurd_beginnings(first: date) -> None:
    columns = columns_of(report(first, first, TODAY), 40)
    assert len(columns) == 40
    assert columns[-1].totals.calls == 1


@pytest.mark.parametrize("room", [0, 1, 2])
def test_no_room(room: int) -> None:
    columns = columns_of(report(day(4_000), TODAY), room)
    assert [column.label for column in columns] == ["2025", "2026"][2 - room :]


@pytest.mark.parametrize(
    ("count", "pitch", "width", "every"),
    [(7, 15, 110, 1), (30, 3, 100, 3), (30, 2, 70, 7), (90, 1, 100, 14), (1, 15, 100, 1)],
)
def test_labels_stand_evenly_and_apart(count: int, pitch: int, width: int, every: int) -> None:
    labels = [f"{place % 28 + 1} Nov" for place in range(count)]
    places = label_places(labels, pitch, width)
    shown = [label for _, label in places]
    assert shown == labels[::-1][::every][::-1]
    ends = [at + len(label) for at, label in places]
    assert all(end < at for end, (at, _) in zip(ends, places[1:], strict=False))
    assert ends[-1] <= width


def test_a_label_that_does_not_fit_moves_or_goes() -> None:
    assert label_places(["29 Nov"], 15, 6) == [(0, "29 Nov")]
    assert label_places(["29 Nov"], 15, 5) == []
    assert label_places(["x", "29 Nov"], 3, 8) == [(2, "29 Nov")]
