"""One event whole, as the event panel shows it: a call comes with its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .edits import Edit
from .event import Kind, Usage
from .timeline import CallState


@dataclass(frozen=True, slots=True)
class EventDetail:
    """Everything that is known of one event. Texts are whole, and foreign."""

    kind: Kind
    offset: int
    """Of the record in its file; of a call's own record where a result has joined it."""
    number: int | None = None
    event_id: str | None = None
    at: int | None = None
    """Milliseconds since 1970."""
    role: str | None = None
    tool: str | None = None
    call_id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    text: str = ""
    """What a person would read; for a call, its one line."""
    args: Any = None
    """A call's arguments, parsed where they parse."""
    edit: Edit | None = None
    """What the call would change, where it edits a file."""
    result: str | None = None
    """The output of a call, or the text of a result that stands alone; None: none came."""
    state: CallState = ""
    detail: str = ""
    """In a word or two what became of it: `exit 1`, `no result`."""
    duration: int | None = None
    """Milliseconds from call to result."""
    raw: str = ""
    """The record as it stands in the file, and below it its result's."""
    path: str | None = None
    """The file concerned, absolute or relative to `cwd`."""
    cwd: str | None = None
    problem: str = ""
    """Why a damaged line cannot be read."""
