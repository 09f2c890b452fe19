"""One complete event for the event panel; a call includes its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .edits import Edit
from .event import Kind, Usage
from .timeline import CallState


@dataclass(frozen=True, slots=True)
class EventDetail:
    """Everything known about one event. Texts are complete, and foreign."""

    kind: Kind
    offset: int
    """Byte offset of the record in its file; for a call joined with its result, of the call."""
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
    """The readable text; for a call, its one-line label."""
    args: Any = None
    """Arguments of a call, parsed if possible."""
    edit: Edit | None = None
    """What the call would change, if it edits a file."""
    result: str | None = None
    """Output of a call, or text of a result without its call; None if there is no result."""
    state: CallState = ""
    detail: str = ""
    """The outcome in a word or two: `exit 1`, `no result`."""
    duration: int | None = None
    """Milliseconds from call to result."""
    raw: str = ""
    """The record as written in the file, followed by that of its result."""
    path: str | None = None
    """The file concerned, absolute or relative to `cwd`."""
    cwd: str | None = None
    problem: str = ""
    """Why a damaged line cannot be read."""
