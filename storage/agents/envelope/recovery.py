"""What is restored of an envelope transcript: the messages of the last events, and totals."""

from __future__ import annotations

from collections import deque
from typing import Any

from ...model.event import Event
from ...model.recovery import Message, Restored, Snapshot
from ...records.prose import prose
from ...recovery.calls import Calls
from ...recovery.messages import spoken, tool_result, tool_use


class EnvelopeFold:
    """Restores messages of the last `max_items` events, everything else of the whole session."""

    def __init__(self, max_items: int, directory: str | None) -> None:
        self._window: deque[Message | None] = deque(maxlen=max_items)
        self._calls = Calls(directory)
        self._events = 0
        self._thoughts = 0
        self._title: Any = None
        self._snapshots: list[Snapshot] = []

    def add(self, event: Event) -> None:
        """Process the next event."""
        self._events += 1
        self._window.append(_message_of(event))
        self._calls.add(event)
        record = event.record
        if event.kind == "reasoning":
            self._thoughts += 1
        elif event.kind == "title":
            self._title = record.get("title")
        elif event.kind == "snapshot":
            self._snapshots.append({key: record.get(key) for key in ("path", "hash")})

    def result(self) -> Restored:
        """Return what can be restored after the events so far."""
        return Restored(
            total_events=self._events,
            next_sequence=self._events + 1,
            messages=tuple(message for message in self._window if message),
            title=None if self._title is None else prose(self._title),
            reasoning_count=self._thoughts,
            file_snapshots=tuple(self._snapshots),
            uncertain=self._calls.uncertain(),
            completed=self._calls.completed(),
            failed=self._calls.failed(),
        )


def _message_of(event: Event) -> Message | None:
    """Return the message of a record; None if it has none, or lacks a required field."""
    record = event.record
    if event.problem:
        return None
    if event.kind == "call":
        return tool_use(record["callId"], record["name"], record["arguments"])
    if event.kind == "result":
        return tool_result(record["callId"], record["output"])
    if record.get("type") == "message":
        return spoken(record["role"], record["content"])
    return None
