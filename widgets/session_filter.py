"""The filter of the session list: words and `status: workspace: model: since: has: tool:`.

Any text is a filter. What is not understood, or not finished yet while one types, is a plain word
or no condition at all: never an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from ..storage.session import Session
from .day_filter import day

Condition = Callable[[Session], bool]

_TERM = re.compile(r'(?:(?P<key>[a-z]+):)?(?:"(?P<quoted>[^"]*)"?|(?P<plain>[^\s"]\S*))?')
_AGO = re.compile(r"(\d{1,6})(min|[hdw])$")
_UNITS = {"min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """What a session must meet; all conditions hold together."""

    conditions: tuple[Condition, ...] = field(default=())
    shows_hidden: bool = False
    """Hidden sessions are asked for by name, `status:hidden`."""

    def __bool__(self) -> bool:
        return bool(self.conditions) or self.shows_hidden

    def matches(self, session: Session) -> bool:
        """Whether the session meets all conditions."""
        if (session.hidden_by is not None) != self.shows_hidden:
            return False
        return all(condition(session) for condition in self.conditions)


def parse(text: str, now: int) -> SessionFilter:
    """The filter that a text means at a moment."""
    conditions: list[Condition] = []
    shows_hidden = False
    for match in _TERM.finditer(text.casefold()):
        value = match["plain"] or match["quoted"] or ""
        if match["key"] == "status" and value == "hidden":
            shows_hidden = True
        elif condition := _condition(match["key"], value.strip(), match[0], now):
            conditions.append(condition)
    return SessionFilter(tuple(conditions), shows_hidden)


def _condition(key: str | None, value: str, whole: str, now: int) -> Condition | None:
    """The condition of one term; None where there is nothing to ask for yet."""
    if not value.strip(","):
        return None
    if key in _KEYS:
        return _KEYS[key](value)
    if key == "since" and (since := moment(value, now)) is not None:
        return lambda session: session.updated_at is not None and session.updated_at >= since
    if key == "has" and (condition := _HAS.get(value.removesuffix("s"))):
        return condition
    return _word(value if key is None else whole)


def moment(text: str, now: int) -> int | None:
    """The moment that `2h`, `3d`, `today`, `yesterday` or `2026-11-20` means, in milliseconds."""
    if ago := _AGO.match(text):
        return now - int(ago[1]) * _UNITS[ago[2]]
    midnight = datetime.fromtimestamp(now / 1000).replace(hour=0, minute=0, second=0, microsecond=0)
    if text == "today":
        return round(midnight.timestamp() * 1000)
    if text == "yesterday":
        return round(midnight.timestamp() * 1000) - _UNITS["d"]
    try:
        # Folded case is what filters are in, and ISO 8601 is not.
        return round(datetime.fromisoformat(text.upper()).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def _word(word: str) -> Condition:
    def contains(session: Session) -> bool:
        places = (session.title, session.workspace, session.session, session.asked)
        return any(word in place.casefold() for place in places)

    return contains


def _status(value: str) -> Condition:
    wanted = tuple(word for word in value.split(",") if word)
    return lambda session: session.status.startswith(wanted)


def _workspace(value: str) -> Condition:
    return lambda session: value in session.workspace.casefold()


def _model(value: str) -> Condition:
    return lambda session: value in (session.model or "").casefold()


def _tool(value: str) -> Condition:
    return lambda session: any(tool.casefold().startswith(value) for tool in session.tools)


_KEYS: dict[str | None, Callable[[str], Condition]] = {
    "status": _status,
    "workspace": _workspace,
    "model": _model,
    "tool": _tool,
    "day": day,
}

_HAS: dict[str, Condition] = {
    "uncertain": lambda session: session.uncertain > 0,
    "candidate": lambda session: session.candidates > 0,
    "sub-agent": lambda session: session.children > 0,
    "need": lambda session: session.needs_you,
}
