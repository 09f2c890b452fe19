"""Readable times: ages, days and clock times, local, from milliseconds since 1970."""

from __future__ import annotations

from datetime import date, datetime, timedelta

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def local(at: int) -> datetime:
    """Return a time in the local time zone; the epoch if it is out of range."""
    try:
        return datetime.fromtimestamp(at / 1000).astimezone()
    except (OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(0).astimezone()


def start_of_day(day: date) -> int:
    """Return when a local day begins; some days have no midnight, or two."""
    midnight = datetime(day.year, day.month, day.day)
    either = sorted(midnight.replace(fold=fold).timestamp() for fold in (0, 1))
    start = next((at for at in either if datetime.fromtimestamp(at).date() == day), either[0])
    return round(start * 1000)


def age(at: int | None, now: int) -> str:
    """Return how long ago a time was: `now`, `4 min`, `2 h`, `3 d`, then the date."""
    if at is None:
        return "no time"
    passed = max(0, now - at)
    if passed < MINUTE:
        return "now"
    if passed < HOUR:
        return f"{passed // MINUTE} min"
    if passed < DAY:
        return f"{passed // HOUR} h"
    if passed < 60 * DAY:
        return f"{passed // DAY} d"
    return f"{local(at):%Y-%m-%d}"


def day_name(at: int | None, now: int) -> str:
    """Return a heading for a day: `TODAY`, `YESTERDAY`, a weekday within a week, else the date."""
    if at is None:
        return "NO DATE"
    day, today = local(at).date(), local(now).date()
    if day >= today:
        return "TODAY"
    if day == today - timedelta(days=1):
        return "YESTERDAY"
    if day > today - timedelta(days=7):
        return f"{day:%A} {_short(day)}".upper()
    return f"{day.day} {day:%B %Y}".upper()


def clock(at: int | None, seconds: bool = True) -> str:
    """Return the time of day, `14:02:11`; dashes for None."""
    if at is None:
        return "--:--:--" if seconds else "--:--"
    return f"{local(at):%H:%M:%S}" if seconds else f"{local(at):%H:%M}"


def day_short(at: int, cells: int = 6) -> str:
    """Return the day within a number of cells: `29 Nov`, or `11-29` if six are too many."""
    return _short(local(at).date()) if cells >= 6 else f"{local(at):%m-%d}"


def same_day(one: int | None, other: int | None) -> bool:
    """Return whether two times are on the same local day; True if either is None."""
    if one is None or other is None:
        return True
    return local(one).date() == local(other).date()


def _short(day: date) -> str:
    return f"{day.day} {day:%b}"
