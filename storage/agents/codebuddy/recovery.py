"""What is restored of a WorkBuddy or CodeBuddy session: the branch and context it would resume in.

Messages marked to be skipped are not restored; a text that was cut off is. Records on abandoned
branches count in the totals but restore nothing. A compaction, manual or automatic, replaces what
precedes it: the context is its summary and what follows. An `incomplete` one, which was aborted,
replaces nothing. The agents load the last 1000 records, so the window counts records on the active
branch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from ...folds.repeats import REPEAT
from ...model.event import Event, Record
from ...model.recovery import Message, Restored, Snapshot
from ...records.fields import mapping, string
from ...recovery.calls import Calls
from ...recovery.messages import spoken, tool_result, tool_use

_TITLES = ("custom-title", "ai-title", "topic", "summary")
"""Sources of the transcript's own titles, most preferred first."""


class ProductFold:
    """Recovery fold; `left`: 0-based indexes of the records on abandoned branches."""

    def __init__(
        self, max_items: int, directory: str | None, left: Collection[int] = frozenset()
    ) -> None:
        self._left = left
        self._window: deque[Message | None] = deque(maxlen=max_items)
        self._calls = Calls(directory)
        self._numbers = 0
        self._events = 0
        self._thoughts = 0
        self._titles: dict[str, str] = {}
        self._snapshots: dict[str, Snapshot] = {}

    def add(self, event: Event) -> None:
        """Process the next event."""
        left = self._numbers in self._left
        self._numbers += 1
        self._calls.add(event, left)
        if event.kind == "damaged" or event.problem == REPEAT:
            return
        self._events += 1
        self._count(event)
        if not left:
            if _is_compaction(event):
                self._window.clear()
            self._window.append(_message_of(event))

    def result(self) -> Restored:
        """Return what can be restored after the events so far."""
        titles = (self._titles.get(source) for source in _TITLES)
        return Restored(
            total_events=self._events,
            next_sequence=self._numbers + 1,
            messages=tuple(message for message in self._window if message),
            title=next((title for title in titles if title), None),
            reasoning_count=self._thoughts,
            file_snapshots=tuple(self._snapshots.values()),
            uncertain=self._calls.uncertain(),
            completed=self._calls.completed(),
            failed=self._calls.failed(),
        )

    def _count(self, event: Event) -> None:
        if event.kind == "reasoning":
            self._thoughts += 1
        elif event.kind == "title":
            if title := event.agent.reader.title(event):
                self._titles[title.source] = title.text
        elif event.kind == "snapshot":
            self._snapshots.update(_snapshots_of(event.record))


def _is_compaction(event: Event) -> bool:
    return event.kind == "summary" and not event.outcome


def _message_of(event: Event) -> Message | None:
    record = event.record
    if event.kind == "call":
        return tool_use(event.call_id, event.tool, event.args) if event.call_id else None
    if event.kind == "result":
        return tool_result(event.call_id, record.get("output")) if event.call_id else None
    if mapping(record.get("providerData")).get("skipRun") is True:
        return None  # an interruption or error, which the program itself leaves out too
    if record.get("type") == "message" and event.role and "content" in record:
        return spoken(event.role, record["content"])
    return None


def _snapshots_of(record: Record) -> dict[str, Snapshot]:
    """Return the files of a snapshot, which also lists all files tracked before.

    `hash` is the name of the backup, which begins with a hash; None if the file was new.
    """
    tracked = mapping(mapping(record.get("snapshot")).get("trackedFileBackups"))
    return {
        path: {"path": path, "hash": string(mapping(backup).get("backupFileName"))}
        for path, backup in tracked.items()
    }
