"""The keys of the candidates' pane: with an id, so that people can choose others, and a tooltip."""

from __future__ import annotations

from functools import partial

from textual.binding import Binding, BindingType

from ..base.keys import ROWS, key

_key = partial(key, group="candidates")

CANDIDATE_ROWS: list[BindingType] = [
    # Enter belongs to the pane, which edits with it also while the candidate itself has the keys.
    *(one for one in ROWS if isinstance(one, Binding) and one.id not in ("rows.open", "rows.mark")),
    _key("space", "mark", "mark", "Mark", "Mark it, or unmark it; keys act on all marked"),
]

CANDIDATES: list[BindingType] = [
    _key("a", "settle('approved')", "approve", "Approve", "Approve it for export", shown=True),
    _key("x", "settle('rejected')", "reject", "Reject", "Reject it", shown=True),
    _key("enter", "edit", "edit", "Edit", "Change its summary and reason", shown=True),
    _key("backspace", "undo", "undo", "Undo", "Undo the last decision on it", shown=True),
    _key("X", "export", "export", "Export", "Export approved candidates", shown=True),
    _key("o", "source", "source", "Event", "Go to its event in the timeline", shown=True),
    _key("y", "copy_id", "copy_id", "Copy id", "Copy the id of its event"),
    _key("right,l", "read", "read", "Read", "Read it in full"),
    _key("left,h", "back", "back", "List", "Back to the list"),
]
