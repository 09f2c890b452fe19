"""The open items of the agent's own to-do lists: TodoWrite, TaskCreate, TaskUpdate."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ..folds.titles import one_line
from ..model.event import Record
from ..model.memory import MemoryItem
from .notes import packed, unpacked

MOST = 500
"""Maximum number of open items: no real list is longer."""

_CLOSED = frozenset({"completed", "cancelled", "canceled", "deleted", "done"})
_NUMBER = re.compile(r"task\s+#?(\d+)|\"(?:id|taskId)\":\s*\"?(\d+)", re.IGNORECASE)
_LENGTH = 300
_SCANNED = 500
"""Characters of a result that are searched for the number of a new task."""


class Todos:
    """The open items, each with the event that last set it."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, MemoryItem]] = {}
        self._created = 0

    def items(self) -> list[MemoryItem]:
        """Return the open items in the agent's order."""
        return [item for _, item in self._open.values()]

    def apply(self, tool: str, args: Record, output: str, item: MemoryItem) -> None:
        """Apply a successful call; `item` carries the source events."""
        if tool == "TodoWrite":
            self.write(args.get("todos"), item)
        elif tool == "TaskCreate":
            self._create(args, output, item)
        else:
            self._update(args, item)

    def write(self, todos: Any, item: MemoryItem) -> None:
        """Replace everything written before by a complete list."""
        if type(todos) is not list:
            return
        self._open = {key: kept for key, kept in self._open.items() if key.startswith("task:")}
        for place, todo in enumerate(todos[:MOST]):
            if type(todo) is dict:
                self._set(f"todo:{place}", todo.get("content"), todo.get("status"), item)

    def _create(self, args: Record, output: str, item: MemoryItem) -> None:
        self._created += 1
        found = _NUMBER.search(output[:_SCANNED])
        number = (found[1] or found[2]) if found else str(self._created)
        self._set(f"task:{number}", args.get("subject"), args.get("status"), item)

    def _update(self, args: Record, item: MemoryItem) -> None:
        number = args.get("taskId", args.get("id"))
        before = self._open.get(key := f"task:{number}")
        status = args.get("status")
        # An update without subject or status leaves what was there before.
        subject = args.get("subject") or (before[0] if before else f"Task {number}")
        if before or status:
            self._set(key, subject, status, item)

    def _set(self, key: str, subject: Any, status: Any, item: MemoryItem) -> None:
        state = status.casefold() if type(status) is str else ""
        words = one_line(subject, _LENGTH) if type(subject) is str else ""
        if state in _CLOSED or not words:
            self._open.pop(key, None)
            return
        text = f"{words} (in progress)" if state == "in_progress" else words
        self._open[key] = (words, replace(item, text=text))
        if len(self._open) > MOST:
            del self._open[next(iter(self._open))]

    def as_json(self) -> dict[str, Any]:
        """Return plain data for `restore`."""
        opened = [[key, words, packed(item)] for key, (words, item) in self._open.items()]
        return {"open": opened, "created": self._created}

    def restore(self, data: dict[str, Any]) -> None:
        """Continue from the result of `as_json`."""
        self._open = {key: (words, unpacked(item)) for key, words, item in data["open"]}
        self._created = data["created"]
