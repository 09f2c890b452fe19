"""The session list's filter: words and `status: workspace: model: since: has: tool: day:`.

Any text is a valid filter. A key without a value yet, as while typing, matches everything; an
invalid value matches nothing, and the filter says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import get_args

from ...storage.model.fault import MOMENTS, QueryFault
from ...storage.model.session import Session, Status
from ...storage.text.folding import fold
from .ages import local, start_of_day
from .day_filter import day

Condition = Callable[[Session], bool]

_TERM = re.compile(r'(?:(?P<key>[a-z]+):)?(?:"(?P<quoted>[^"]*)"?|(?P<plain>[^\s"]\S*))?')
_AGO = re.compile(r"(\d{1,6})(min|[mhdw])$")
STATUSES = (*get_args(Status), "hidden")
"""The values of `status:`."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DAYS = {"today": 0, "yesterday": 1}
_UNITS = {"min": 60_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """The conditions of a session; all must hold."""

    conditions: tuple[Condition, ...] = field(default=())
    shows_hidden: bool = False
    """Whether hidden sessions are requested, by `status:hidden`."""
    faults: tuple[QueryFault, ...] = ()
    """Why no session can match."""

    def __bool__(self) -> bool:
        return bool(self.conditions or self.faults) or self.shows_hidden

    def matches(self, session: Session) -> bool:
        """Return whether a session meets all conditions."""
        if self.faults or (session.hidden_by is not None) != self.shows_hidden:
            return False
        return all(condition(session) for condition in self.conditions)


def parse(text: str, now: int) -> SessionFilter:
    """Parse a filter; `now` is in milliseconds since 1970."""
    conditions: list[Condition] = []
    faults: list[QueryFault] = []
    shows_hidden = False
    for match in _TERM.finditer(fold(text)):
        key, value = match["key"], (match["plain"] or match["quoted"] or "").strip()
        if not value.strip(","):
            continue  # there is no value yet
        if key == "status" and value == "hidden":
            shows_hidden = True
        elif choices := _choices(key, value, now):
            faults.append(QueryFault(str(key), value, choices))
        else:
            conditions.append(_condition(key, value, match[0], now))
    return SessionFilter(tuple(conditions), shows_hidden, tuple(faults))


def _choices(key: str | None, value: str, now: int) -> tuple[str, ...]:
    """Return the values that a key accepts if this one is invalid; else ()."""
    if key == "since" and moment(value, now) is None:
        return MOMENTS
    if key == "has" and _having(value) is None:
        return tuple(_HAS)
    if key == "status" and not all(map(_is_status, filter(None, value.split(",")))):
        return STATUSES
    return ()


def _condition(key: str | None, value: str, whole: str, now: int) -> Condition:
    """Return the condition of one term with a valid value."""
    if key in _KEYS:
        return _KEYS[key](value)
    if key == "since":
        since = moment(value, now) or 0
        return lambda session: session.updated_at is not None and session.updated_at >= since
    if key == "has" and (condition := _having(value)):
        return condition
    return _word(value if key is None else whole)


def moment(text: str, now: int) -> int | None:
    """Return the milliseconds of `2h`, `3d`, `today`, `yesterday` or `2026-11-20`; else None."""
    if ago := _AGO.match(text):
        return now - int(ago[1]) * _UNITS[ago[2]]
    if text in _DAYS:
        return start_of_day(local(now).date() - timedelta(days=_DAYS[text]))
    try:
        if _DATE.fullmatch(text):
            return start_of_day(date.fromisoformat(text))
        # Filters are in folded case; ISO 8601 is in upper case.
        return round(datetime.fromisoformat(text.upper()).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def _word(word: str) -> Condition:
    def contains(session: Session) -> bool:
        places = (session.title, session.workspace, session.session, session.asked)
        return any(word in fold(place) for place in places)

    return contains


def _status(value: str) -> Condition:
    wanted = tuple(word for word in value.split(",") if word)
    return lambda session: session.status.startswith(wanted)


def _is_status(word: str) -> bool:
    return any(status.startswith(word) for status in STATUSES)


def _having(value: str) -> Condition | None:
    """Return the condition for a value of `has:`, or a prefix of one."""
    start = value.removesuffix("s") or value
    return next((_HAS[name] for name in _HAS if name.startswith(start)), None)


def _workspace(value: str) -> Condition:
    return lambda session: value in fold(session.workspace)


def _model(value: str) -> Condition:
    return lambda session: value in fold(session.model or "")


def _tool(value: str) -> Condition:
    return lambda session: any(fold(tool).startswith(value) for tool in session.tools)


_KEYS: dict[str | None, Callable[[str], Condition]] = {
    "status": _status,
    "workspace": _workspace,
    "model": _model,
    "tool": _tool,
    "day": day,
}

_HAS: dict[str, Condition] = {
    "uncertain": lambda session: session.uncertain > 0,
    "candidates": lambda session: session.candidates > 0,
    "sub-agents": lambda session: session.children > 0,
    "needs": lambda session: session.needs_you,
}
