"""The keys of the review: with an id, so that people can choose others, and a tooltip."""

from __future__ import annotations

from textual.binding import Binding, BindingType


def _key(
    key: str, action: str, id: str, name: str, tooltip: str, *, shown: bool = False
) -> Binding:
    # At once, so that what is typed right after a verdict goes into its note.
    at_once = action.startswith("judge(")
    return Binding(key, action, name, shown, tooltip=tooltip, id=f"review.{id}", priority=at_once)


CASES: list[BindingType] = [
    _key("enter", "open", "open", "Case", "Show the call and the current file"),
    _key("space", "mark", "mark", "Mark", "Mark the case, or unmark it; keys act on all marked"),
]

REVIEW: list[Binding] = [
    _key("v", "judge('verified')", "verified", "Applied", "Mark as applied", shown=True),
    _key(
        "x", "judge('not-applied')", "not_applied", "Not applied", "Mark as not applied", shown=True
    ),
    _key("p", "judge('partial')", "partial", "Partial", "Mark as partly applied", shown=True),
    _key("z", "judge('dismissed')", "dismissed", "Dismiss", "Dismiss without checking", shown=True),
    _key(
        "backspace",
        "undo",
        "undo",
        "Undo",
        "Undo your last decision",
        shown=True,
    ),
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
