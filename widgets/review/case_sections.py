"""What the review shows of a case: the call, and the file as it is now, as passages. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...storage.model.action import Found
from ...storage.model.case import Case
from ...storage.model.edits import Change, Edit
from ...storage.model.evidence import Excerpt
from ..base.diff import diff
from ..base.passages import Passage
from ..words.amounts import count, duration, size
from ..words.cases import when
from ..words.safe import one_line

COMPARED = 200_000
"""Characters of an edit up to which its lines are compared; a longer one is shown as it stands."""

CHANGES = 100
"""Changes of one call that are shown."""

SHOWN = 200_000
"""Characters of an argument that is no text, laid out as JSON."""

ARGUMENTS = 50

_HOLDS = {"new": "the new text", "old": "the old text"}
_CUT = "The last response was cut off while it was written; its calls may have run."
_FOUND: dict[Found, str] = {
    "snapshot": "A snapshot names the file for a change, but no recorded call changes it.",
    "directory": "The file was written after that response began, and no recorded call names it.",
    "": "",
}
_LOOKS = {"new": "added", "old": "removed", "": "hunk"}


def call_passages(case: Case) -> Iterator[Passage]:
    """The call: an edit as a diff, all else by its arguments."""
    if case.action.found:
        yield from _effect(case)
        return
    if case.edit is not None:
        yield Passage("The call", "heading")
        yield from _edit(case.edit)
        return
    yield Passage("The call (never re-run from here)", "heading")
    yield from _arguments(case.action.args)
    if case.directory:
        yield Passage("directory", "label")
        yield Passage(case.directory)


def _effect(case: Case) -> Iterator[Passage]:
    """How a file was found that no call on record changes, and what changed since its backup."""
    yield Passage("No call recorded", "heading")
    yield Passage(_CUT, "muted")
    yield Passage(_FOUND[case.action.found], "muted")
    if case.edit is not None:
        yield Passage("")
        is_new = case.edit.changes[0].old is None
        yield Passage("The new file" if is_new else "Changed since its backup", "heading")
        yield from _edit(case.edit)


def file_passages(case: Case, now: int) -> Iterator[Passage]:
    """What the file holds now: the places that the evidence rests on, or why there are none."""
    evidence = case.action.evidence
    if evidence is None:
        yield Passage("The file now", "heading")
        yield Passage("No file was looked at.", "muted")
        return
    measure = "" if evidence.size is None else f" · {size(evidence.size)}"
    yield Passage(f"The file now{measure}", "heading")
    if evidence.modified_at is not None:
        what = "the last record" if case.action.found else "the call"
        yield Passage(_modified(evidence.modified_at, case.action.at, now, what), "muted")
    if not case.excerpts:
        yield Passage(one_line(evidence.reason), "muted")
    for excerpt in case.excerpts:
        yield from _excerpt(excerpt)


def _edit(edit: Edit) -> Iterator[Passage]:
    changes = edit.changes[:CHANGES]
    if sum(len(change.old or "") + len(change.new) for change in changes) <= COMPARED:
        yield from diff(Edit(edit.path, changes))
    else:
        for change in changes:
            yield from _whole(change)
    if more := len(edit.changes) - len(changes):
        yield Passage(f"and {count(more, 'more change')}; the event shows them all", "hunk")


def _whole(change: Change) -> Iterator[Passage]:
    """Both sides as they stand: to take a giant apart would take longer than to open it."""
    if change.old is None:
        yield Passage(f"whole file · {size(len(change.new))}", "hunk")
    elif change.old:
        yield Passage("old text", "hunk")
        yield Passage(change.old, "removed")
        yield Passage("new text", "hunk")
    yield Passage(change.new, "added")


def _arguments(args: Any) -> Iterator[Passage]:
    if not isinstance(args, dict):
        yield Passage(_laid_out(args))
        return
    for number, (name, value) in enumerate(args.items()):
        if number == ARGUMENTS:
            more = len(args) - ARGUMENTS
            yield Passage(f"and {count(more, 'more argument')}; the event shows them all", "hunk")
            return
        yield Passage(one_line(str(name)), "label")
        yield Passage(_laid_out(value))


def _laid_out(value: Any) -> str:
    """A text as it is, all else as JSON: of a giant its beginning."""
    if isinstance(value, str):
        return value
    parts, room = [], SHOWN
    # Indentation uses the room up long before nesting could use the stack up.
    for part in json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(value):
        parts.append(part[:room])
        room -= len(part)
        if room < 0:
            return "".join(parts) + "…"
    return "".join(parts)


def _modified(modified: int, called: int | None, now: int, what: str) -> str:
    """`modified 12:02:14, 3.0 s after the call`."""
    time = f"modified {when(modified, now, seconds=True)}"
    if called is None:
        return time
    side = "after" if modified >= called else "before"
    return f"{time}, {duration(abs(modified - called))} {side} {what}"


def _excerpt(excerpt: Excerpt) -> Iterator[Passage]:
    """Its lines with their numbers; those that hold what was looked for in the colour of it."""
    last = excerpt.first + len(excerpt.lines) - 1
    yield Passage(_title(excerpt, last), "hunk")
    begin, end = excerpt.marked
    for number, line in enumerate(excerpt.lines, excerpt.first):
        is_marked = bool(excerpt.holds) and begin <= number <= end
        look = _LOOKS[excerpt.holds] if is_marked else "plain"
        yield Passage(line, look, f"{number:>{len(str(last))}} {'▌' if is_marked else ' '} ")


def _title(excerpt: Excerpt, last: int) -> str:
    if not excerpt.holds or not excerpt.marked[0]:
        return _lines(excerpt.first, last)
    return f"{_lines(*excerpt.marked)}: {_HOLDS[excerpt.holds]}"


def _lines(first: int, last: int) -> str:
    return f"line {first:,}" if first >= last else f"lines {first:,}–{last:,}"
