"""One complete event of a transcript: its record, and the result that belongs to it."""

from __future__ import annotations

from dataclasses import replace

from ..files.lines import opened, pread
from ..model.event import Event
from ..model.event_detail import EventDetail
from ..model.timeline import Alive, Row
from ..text.paths import named_path
from ..transcript.outputs import with_output
from ..transcript.transcript import Transcript
from .rows import row_of

RAW_CUT = 2_000_000
"""Maximum length of a record in the raw view, in bytes."""


def detail_of(
    transcript: Transcript, index: int, alive: Alive, late: Event | None = None
) -> EventDetail:
    """Return the details of the event at a 0-based index.

    `late` is its result, if that is in a later part of the session. Raises OSError if the file
    cannot be read.
    """
    event, other = transcript.with_other(index)
    event = with_output(transcript.path, event)
    other = with_output(transcript.path, other) if other else None
    lines = [index] if other is None else _lines(transcript, index)
    raw = "\n".join(_raw(transcript, at) for at in lines)
    other = late or other
    detail = _detail(
        event, row_of(event, other, alive, transcript.facts.is_current(index + 1)), other, raw
    )
    return detail if detail.cwd else replace(detail, cwd=transcript.directory)


def size_of(transcript: Transcript, index: int) -> int:
    """Return the number of bytes read for the details of the event at a 0-based index."""
    bounds = (transcript.bounds(at) for at in _lines(transcript, index))
    return sum(end - start for start, end in bounds)


def _lines(transcript: Transcript, index: int) -> list[int]:
    """Return the 0-based indexes of a record and of the one that belongs to it."""
    link = transcript.positions.links[index]
    return [index, link - 1] if link else [index]


def _detail(event: Event, row: Row, other: Event | None, raw: str) -> EventDetail:
    tools = event.agent.tools
    edit = tools.edit_of(event.tool, event.args) if event.kind == "call" else None
    usage = event.usage
    ended = other is not None and other.stage == "ended"
    result = other.text if other is not None and ended else None
    return EventDetail(
        kind=event.kind,
        offset=event.place.address,
        number=event.place.number,
        event_id=event.event_id,
        at=event.at,
        role=event.role,
        tool=event.tool,
        call_id=event.call_id,
        model=event.model,
        usage=usage[1] if usage else None,
        text=event.text,
        args=event.args,
        edit=edit,
        result=event.text if event.kind == "result" else result,
        state=row.state,
        detail=row.detail,
        duration=row.duration,
        raw=raw,
        path=named_path(event.args),
        cwd=event.cwd,
        problem=event.problem,
    )


def _raw(transcript: Transcript, index: int) -> str:
    start, end = transcript.bounds(index)
    with opened(transcript.path) as fd:
        data = pread(fd, min(end - start, RAW_CUT), start)
    text = data.decode("utf-8", "replace").rstrip("\r\n")
    return text + "…" if end - start > RAW_CUT else text
