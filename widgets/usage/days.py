"""The days of a period as columns: one each, or weeks, months or years where they are too many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ...storage.model.usage import Totals, UsageReport

DAY = timedelta(days=1)

FIRST = date(1970, 1, 1)


class Column(NamedTuple):
    """What was used on some days in a row."""

    first: date
    last: date
    totals: Totals
    label: str
    """Short, for below the column."""
    title: str
    """As one says it."""


class Unit(NamedTuple):
    """A length of time: where the one that holds a day begins, and how it is called."""

    start: Callable[[date], date]
    label: Callable[[date], str]
    title: Callable[[date, date], str]


def columns_of(report: UsageReport, room: int) -> list[Column]:
    """The columns of a period, at most `room`: of the shortest unit in which all of it fits."""
    for unit in UNITS:
        columns = list(_columns(report, unit, room))
        if len(columns) <= room:
            return columns
    return columns[-room:] if room > 0 else []


def _columns(report: UsageReport, unit: Unit, room: int) -> Iterator[Column]:
    """The columns of one unit, no more than show that they are too many, but for the last unit."""
    used: dict[date, Totals] = {}
    for day, totals in report.days:
        start = unit.start(day)
        used[start] = used[start] + totals if start in used else totals
    first = max(report.first, FIRST)
    found = 0
    while first <= report.last and (found <= room or unit is YEAR):
        start, after = unit.start(first), _after(unit, first)
        last = min(after - DAY, report.last)
        label, title = unit.label(first), unit.title(first, last)
        yield Column(first, last, used.get(start, Totals()), label, title)
        first, found = after, found + 1


def _after(unit: Unit, day: date) -> date:
    """Where the next unit begins."""
    start = unit.start(day)
    later = day
    while unit.start(later) == start:
        later += DAY
    return later


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _day_label(day: date) -> str:
    return f"{day.day} {day:%b}"


def _month_label(day: date) -> str:
    return f"{day:%b}" if day.month > 1 else f"{day.year}"


def _day_title(first: date, last: date) -> str:
    return f"{first:%a} {first.day} {first:%b %Y}"


def _week_title(first: date, last: date) -> str:
    if first == last:
        return _day_title(first, last)
    return f"{first.day} {first:%b} – {last.day} {last:%b %Y}"


DAYS = Unit(lambda day: day, _day_label, _day_title)
WEEK = Unit(_monday, _day_label, _week_title)
MONTH = Unit(lambda day: day.replace(day=1), _month_label, lambda first, last: f"{first:%B %Y}")
YEAR = Unit(
    lambda day: day.replace(month=1, day=1),
    lambda day: f"{day.year}",
    lambda first, last: f"{first.year}",
)
UNITS: Sequence[Unit] = (DAYS, WEEK, MONTH, YEAR)


def label_places(labels: Sequence[str], pitch: int, width: int) -> list[tuple[int, str]]:
    """Which labels stand below columns so far apart, and where: evenly, the last one among them."""
    longest = max(map(len, labels), default=0)
    every = -(-(longest + 2) // max(1, pitch))
    if every > 3 and len(labels) > 14:
        every = -(-every // 7) * 7  # the same weekday below all of them
    places = []
    for place in range(len(labels) - 1, -1, -every):
        at = min(place * pitch, width - len(labels[place]))
        if at >= 0:
            places.append((at, labels[place]))
    return places[::-1]
