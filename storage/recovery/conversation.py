"""The default recovery fold: the conversation and the calls, whatever the format of the records."""

from __future__ import annotations

from collections import deque

from ..folds.repeats import REPEAT
from ..model.event import FOREIGN, Event
from ..model.recovery import Message, Restored
from ..model.rules import RecoveryTerms
from .calls import Calls
from .messages import spoken, tool_result, tool_use


class Conversation:
    """Restores the messages of the last events on the active branch, and all calls."""

    def __init__(self, terms: RecoveryTerms) -> None:
        self._left = terms.left()
        self._window: deque[Message | None] = deque(maxlen=terms.max_items)
        self._calls = Calls(terms.directory)
        self._numbers = 0
        self._events = 0
        self._thoughts = 0
        self._title: str | None = None

    def add(self, event: Event) -> None:
        """Process the next event."""
        left = self._numbers in self._left
        self._numbers += 1
        self._calls.add(event, left)
        if event.kind == "damaged" or event.problem in (REPEAT, FOREIGN):
            return
        self._events += 1
        self._thoughts += event.kind == "reasoning"
        if event.kind == "title" and (title := event.agent.reader.title(event)):
            self._title = title.text
        if not left:
            if event.kind == "summary" and not event.outcome:
                self._window.clear()
            self._window.append(_message_of(event))

    def result(self) -> Restored:
        """Return what can be restored after the events so far."""
        return Restored(
            total_events=self._events,
            next_sequence=self._numbers + 1,
            messages=tuple(message for message in self._window if message),
            title=self._title,
            reasoning_count=self._thoughts,
            uncertain=self._calls.uncertain(),
            completed=self._calls.completed(),
            failed=self._calls.failed(),
        )


def _message_of(event: Event) -> Message | None:
    if event.kind == "call":
        return tool_use(event.call_id, event.tool, event.args) if event.call_id else None
    if event.kind == "result":
        return tool_result(event.call_id, event.text) if event.call_id else None
    if event.kind in ("prompt", "injected", "answer", "summary"):
        return spoken(event.role, event.text) if event.text else None
    return None
