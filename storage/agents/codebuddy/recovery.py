"""What is restored of a WorkBuddy or CodeBuddy session: the branch and context it would go on in.

Messages that are marked to be skipped are not restored; a text that was cut off is. The records on
branches that were left count in the totals and restore nothing. A compaction, by
hand or automatic, replaces what stood before it: the context is its summary and what follows. One
that was broken off (`incomplete`) replaces nothing. The products load the last 1000 records, so
the window counts records, on the active branch.
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
"""The transcript's own titles, the one to be preferred first."""


class ProductFold:
    """`left` are the 0-based indexes of the records on branches that were left."""

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
        """Take in the next event."""
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
        """What the events so far come to."""
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
            if title := event.dialect.title(event):
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
        return None  # a stop, an error: the program itself leaves these out
    if record.get("type") == "message" and event.role and "content" in record:
        return spoken(event.role, record["content"])
    return None


def _snapshots_of(record: Record) -> dict[str, Snapshot]:
    """The files of a snapshot, which names all that were tracked before it too.

    The name of the backup begins with its hash; none is there where the file was new.
    """
    tracked = mapping(mapping(record.get("snapshot")).get("trackedFileBackups"))
    return {
        path: {"path": path, "hash": string(mapping(backup).get("backupFileName"))}
        for path, backup in tracked.items()
    }
