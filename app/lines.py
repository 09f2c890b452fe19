"""Sessions and events as lines of plain text, for commands without a screen."""

from __future__ import annotations

import shutil
import sys

from ..storage.event import Event
from ..storage.session import Session
from ..storage.telling import Told
from ..widgets.ages import age, clock, day_short
from ..widgets.amounts import count
from ..widgets.safe import fit, one_line

PIPED = 200
"""Columns where the output is no terminal."""

STATUS_SIGNS = {
    "working": "●",
    "asking": "?",
    "crashed": "⚠",
    "corrupt": "✗",
    "interrupted": "■",
    "waiting": "…",
}
STATE_SIGNS = {"completed": "✓", "failed": "✗", "uncertain": "⚠", "running": "●", "pending": "○"}


def columns() -> int:
    """How wide a line may be."""
    return shutil.get_terminal_size((PIPED, 24)).columns if sys.stdout.isatty() else PIPED


def session_line(session: Session, now: int, width: int) -> str:
    """One session: sign, age, status, title, workspace, size."""
    sign = STATUS_SIGNS.get(session.status, " ")
    mark = "⚠" if session.needs_you and sign == " " else sign
    events = "" if session.events is None else count(session.events, "event")
    side = f"{fit(one_line(session.workspace), 28)}  {events:>13}"
    start = f"{mark} {age(session.updated_at, now):>10}  {session.status:<11} "
    indent = "  └ " if session.parent else ""
    room = max(12, width - len(start) - 28 - 2 - 13 - 2)
    end = f"  {one_line(session.session)}" if width >= PIPED else ""
    title = indent + one_line(session.title)
    return f"{start}{fit(title, room - len(end))}  {side}{end}".rstrip()


def event_line(told: Told, width: int) -> str:
    """One event: number, time, kind or tool, state, text."""
    event = told.event
    number = "" if event.place.number is None else str(event.place.number)
    when = f"{day_short(event.at)} {clock(event.at)}" if event.at is not None else "-"
    label = one_line(event.tool) if event.kind == "call" and event.tool else event.kind
    sign = STATE_SIGNS.get(told.state, "-" if not told.active else " ")
    start = f"{number:>7}  {when:<16} {fit(label, 12)} {sign} "
    return (start + fit(one_line(text_of(event)), max(20, width - len(start)))).rstrip()


def text_of(event: Event) -> str:
    """What a line says of an event: its text, or why there is none."""
    return event.text or event.problem or str(event.record.get("type") or "")
