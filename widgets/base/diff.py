"""Renders an edit as a unified diff, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from ...storage.model.edits import Change, Edit
from .passages import Passage

COMPARED = 1_000
"""Lines on both sides together up to which they are compared: the work grows with the square."""


def diff(edit: Edit) -> Iterator[Passage]:
    """Yield the changes of an edit one after another, each line as a passage."""
    for number, change in enumerate(edit.changes, 1):
        where = f"{number} of {len(edit.changes)}" if len(edit.changes) > 1 else ""
        what = "whole file" if change.old is None else "everywhere" if change.everywhere else ""
        if title := " · ".join(part for part in (where, what) if part):
            yield Passage(title, "hunk")
        yield from _change(change)


def _change(change: Change) -> Iterator[Passage]:
    old = (change.old or "").split("\n") if change.old else []
    new = change.new.split("\n") if change.new else []
    if len(old) + len(new) > COMPARED or not old or not new:
        yield from _block("-", old, "removed")
        yield from _block("+", new, "added")
        return
    # Behind the names of both files and the place of the first hunk, which are not known here.
    for line in list(unified_diff(old, new, lineterm="", n=3))[3:]:
        look = {"+": "added", "-": "removed", "@": "hunk"}.get(line[:1], "plain")
        yield Passage("⋯" if look == "hunk" else line, look)


def _block(sign: str, lines: list[str], look: str) -> Iterator[Passage]:
    """Yield all lines of one side as one passage, so that a huge text does not become a million."""
    if lines:
        yield Passage("\n".join(sign + line for line in lines), look)
