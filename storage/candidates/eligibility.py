"""Which events may become memory candidates, and why the others may not."""

from __future__ import annotations

from ..model.event import Event, Kind
from ..model.integrity import Integrity

SOURCES = frozenset({"message", "file-history-snapshot"})
"""Record types that may be remembered, whatever their role."""

_WHY_NOT: dict[Kind, str] = {
    "reasoning": "a thought is no evidence",
    "call": "a tool call is no message or file snapshot",
    "result": "a tool result is no message or file snapshot",
    "title": "a title is no message or file snapshot",
}


def refusal_of(event: Event, integrity: Integrity) -> str:
    """Return why an event cannot be a memory candidate, as the end of a sentence; "" if it can.

    Checks the transcript, the type and the time, in the order of the evidence envelope's rules. A
    record that lacks other fields still has its type, so it is a valid source.
    """
    if not integrity.is_trusted:
        return f"the transcript cannot be trusted: {integrity.detail}"
    if not _is_source(event):
        return _WHY_NOT.get(event.kind, "only messages and file snapshots can be remembered")
    return "" if event.at is not None else "its record has no time"


def _is_source(event: Event) -> bool:
    written = event.record.get("type") or event.record.get("event_type")
    told = event.stage == "told"  # a tool's result under another name
    return isinstance(written, str) and written in SOURCES and not told
