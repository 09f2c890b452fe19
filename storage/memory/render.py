"""The session memory as a block of text for an agent.

However long, numerous or hostile the items are: the goal and what is uncertain come first, each
item is on a line of its own that cannot pass for a heading, and the block stays within its budget.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model.memory import ListName, MemoryItem, SessionMemory
from ..text.safe_text import one_line

BUDGET = 4000
"""Maximum length of a block, in characters."""

LENGTH = 300
"""Maximum length of an item, in characters."""

_SHORTEST = 24
"""Minimum length of an uncertain action, in characters; less would be meaningless."""

_TITLE = "## Session Memory"
_GROUPS: tuple[tuple[ListName, str], ...] = (
    ("todo_items", "Todo:"),
    ("verification_status", "Verification:"),
    ("key_decisions", "Key Decisions:"),
    ("failed_attempts", "Failed Attempts:"),
    ("completed_work", "Completed Work:"),
)
_FORGED = re.compile(
    r"[#>*+=`|~-]|\d+[.)]|(?:source|current goal|"
    + "|".join(title.rstrip(":") for _, title in _GROUPS)
    + r")\s*:",
    re.IGNORECASE,
)
"""How headings, list items and the block's own lines begin."""


def render(memory: SessionMemory, budget: int = BUDGET) -> str:
    """Return a block of at most `budget` characters; "" if there is nothing to remember."""
    return "" if memory.is_empty else _Block(memory, budget).text()


class _Group:
    """The lines of one list: its newest items, or for todo items the first ones."""

    def __init__(self, title: str, items: Sequence[MemoryItem], dropped: int) -> None:
        self.title = title
        self.lines: list[str] = []
        self._first_counts = title == "Todo:"
        self._ranked = items if self._first_counts else items[::-1]
        self._total = len(items) + dropped

    @property
    def next_text(self) -> str | None:
        """The most important item that has no line yet."""
        at = len(self.lines)
        return self._ranked[at].text if at < len(self._ranked) else None

    def price(self, line: str) -> int:
        """Return the number of characters that one more line would add to the block."""
        shown = len(self.lines)
        before = _cost(self._rest(shown)) if shown else -_cost(self.title)
        return _cost(line) + _cost(self._rest(shown + 1)) - before

    def text(self) -> list[str]:
        """Return title and lines, with the number of items left out."""
        if not self.lines:
            return []
        rest = [line for line in [self._rest(len(self.lines))] if line]
        lines = [*self.lines, *rest] if self._first_counts else [*rest, *reversed(self.lines)]
        return [self.title, *lines]

    def _rest(self, shown: int) -> str:
        left = self._total - shown
        return f"+ {left:,} {'more' if self._first_counts else 'earlier'}" if left else ""


class _Block:
    """A block that is filled with the most important lines first."""

    def __init__(self, memory: SessionMemory, budget: int) -> None:
        self._memory = memory
        self._room = budget + 1  # each line needs a line end, except for the last one
        self._groups = [
            _Group(title, memory.items(name), memory.dropped.get(name, 0))
            for name, title in _GROUPS
        ]

    def text(self) -> str:
        """Return the block."""
        title = self._take(_TITLE)
        goal = self._goal() if title else ""
        if title:
            self._add_uncertain()
        source = self._source() if title else ""
        if title:
            self._share()
        groups = [line for group in self._groups for line in group.text()]
        return "\n".join(line for line in [title, source, goal, *groups] if line)

    def _take(self, line: str) -> str:
        """Return the line if there is room for it, else ""."""
        if _cost(line) > self._room:
            return ""
        self._room -= _cost(line)
        return line

    def _goal(self) -> str:
        """Return the goal: in full if all else fits too, else in at least a third of the room."""
        goal, label = self._memory.goal, "Current Goal: "
        if not goal.strip():
            return ""
        length = max(self._room // 3, self._room - self._wanted()) - len(label) - 3
        return self._take(label + _quoted(goal, length)) if length > 0 else ""

    def _wanted(self) -> int:
        """Return the approximate number of characters that all items would take."""
        items = [item for name, _ in _GROUPS for item in self._memory.items(name)]
        frame = 30 * len(_GROUPS) + _cost(self._source_line())
        return frame + sum(min(len(item.text), LENGTH) + 5 for item in items)

    def _source(self) -> str:
        return self._take(self._source_line())

    def _source_line(self) -> str:
        first, last = self._memory.first_event_id, self._memory.last_event_id
        names = [_cut(event_id or "unknown", 120) for event_id in (first, last)]
        return f"Source: transcript events {names[0]}..{names[1]}"

    def _add_uncertain(self) -> None:
        """Add the uncertain actions, shortened so that all of them fit."""
        todo = self._groups[0]
        number = sum(item.uncertain for item in self._memory.todo_items)
        length = (self._room - _cost(todo.title)) // max(1, number) - 5
        for _ in range(number):
            if not self._add_next(todo, min(LENGTH, max(_SHORTEST, length))):
                break

    def _share(self) -> None:
        """Add one line to each group in turn, until no group has room for its next line."""
        groups = list(self._groups)
        while groups:
            groups = [group for group in groups if self._add_next(group, LENGTH)]

    def _add_next(self, group: _Group, length: int) -> bool:
        if (text := group.next_text) is None:
            return False
        line = f"- {_quoted(text, length)}"
        price = group.price(line)
        if price > self._room:
            return False
        self._room -= price
        group.lines.append(line)
        return True


def _cost(line: str) -> int:
    """Return the length of a line with its line end; empty lines are omitted and cost nothing."""
    return len(line) + 1 if line else 0


def _quoted(text: str, length: int) -> str:
    """Return a text on one line, quoted if it begins like a line with a special meaning."""
    line = _cut(text, length)
    return f'"{line}"' if _FORGED.match(line) else line


def _cut(text: str, length: int) -> str:
    """Return a text on one line of at most `length` characters, made safe as for the screen."""
    line = one_line(text.lstrip(), length)
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
