"""The keys of the review: with an id, so that people can choose others, and a tooltip."""

from __future__ import annotations

from functools import partial

from textual.binding import Binding, BindingType

from ..base.keys import key

_key = partial(key, group="review")
_verdict = partial(_key, shown=True, at_once=True)
"""What is typed right after a verdict goes into its note."""

CASES: list[BindingType] = [
    _key("enter", "open", "open", "Case", "Show the call and the current file"),
    _key("space", "mark", "mark", "Mark", "Mark the case, or unmark it; keys act on all marked"),
]

REVIEW: list[Binding] = [
    _verdict("v", "judge('verified')", "verified", "Applied", "Mark as applied"),
    _verdict("x", "judge('not-applied')", "not_applied", "Not applied", "Mark as not applied"),
    _verdict("p", "judge('partial')", "partial", "Partial", "Mark as partly applied"),
    _verdict("z", "judge('dismissed')", "dismissed", "Dismiss", "Dismiss without checking"),
    _key("backspace", "undo", "undo", "Undo", "Undo your last decision", shown=True),
    _key(
        "c",
        "copy_note",
        "copy_note",
        "Copy",
        "Copy a note for the agent with your verdict",
        shown=True,
    ),
    _key("e", "open_file", "open_file", "Edit file", "Open the file in your editor"),
    _key("o", "source", "source", "Event", "Go to the event in its session"),
]

DEFAULTS = {binding.action: binding.key for binding in REVIEW}
"""What leads to each action, unless the person has chosen another key."""

PROMPT: list[BindingType] = [
    _key("escape", "drop", "drop", "Cancel", "Cancel", shown=True),
]
