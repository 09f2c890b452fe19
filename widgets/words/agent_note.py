"""A note for the agent: what the user found out about its uncertain actions."""

from __future__ import annotations

from collections.abc import Sequence

from ...storage.model.case import Case
from ...storage.model.timeline import Verdict
from .ages import clock, local, same_day
from .cases import file_of, inside, subject, tool_name
from .safe import exact_name, one_line

NAMED = 300
"""Maximum characters of a path or command in a line."""

NOTE = 1_000

_SAID: dict[Verdict, str] = {
    "verified": "was checked by the user: applied",
    "not-applied": "was checked by the user: not applied",
    "partial": "was checked by the user: partly applied",
    "dismissed": "was dismissed by the user without a check",
}


def agent_note(cases: Sequence[Case], now: int) -> str:
    """Return one line per case, in order; foreign text is made safe and fits on the line."""
    return "\n".join(f"{_named(case)}{_time(case, now)} {_said(case)}" for case in cases)


def _named(case: Case) -> str:
    if case.action.found:
        path = inside(case.action.path or "", case.directory)
        return f"Change of {one_line(path, NAMED)} without a recorded call"
    if path := file_of(case):
        return f"{tool_name(case)} of {exact_name(inside(path, case.directory), NAMED)}"
    words = one_line(subject(case).text, NAMED)
    return f"{tool_name(case)} “{words}”" if words else tool_name(case)


def _time(case: Case, now: int) -> str:
    at = case.action.at
    if at is None or case.action.found:
        return ""
    day = "" if same_day(at, now) else f"{local(at):%Y-%m-%d} "
    return f" at {day}{clock(at, seconds=False)}"


def _said(case: Case) -> str:
    action = case.action
    if case.ended:
        return f"{case.ended} after all: its result arrived"
    if action.verdict is None:
        return "has not been checked; verify before repeating it"
    note = one_line(action.note or "", NOTE)
    return _SAID[action.verdict] + (f" — {note}" if note else "")
