"""Creates the key bindings of widgets: with an id, for user keymaps, and a tooltip."""

from __future__ import annotations

from textual.binding import Binding, BindingType


def key(
    keys: str,
    action: str,
    id: str,
    name: str,
    tooltip: str,
    *,
    shown: bool = False,
    group: str = "",
    at_once: bool = False,
) -> Binding:
    """Return a binding whose id begins with `group`; `at_once`: before the focused widget."""
    display, id = {"plus": "+", "minus": "-"}.get(keys), f"{group}.{id}" if group else id
    return Binding(keys, action, name, shown, display, at_once, tooltip, id)


ROWS: list[BindingType] = [
    key("j,down", "move(1)", "rows.down", "Down", "One row down"),
    key("k,up", "move(-1)", "rows.up", "Up", "One row up"),
    key("pagedown,ctrl+f", "page(1)", "rows.page", "Page down", "A page down"),
    key("pageup,ctrl+b", "page(-1)", "rows.page_up", "Page up", "A page up"),
    key("ctrl+d", "page(0.5)", "rows.half", "Half a page down", "Half a page down"),
    key("ctrl+u", "page(-0.5)", "rows.half_up", "Half a page up", "Half a page up"),
    key("g,home", "first", "rows.first", "First", "Go to the first row"),
    key("G,end", "last", "rows.last", "Last", "Go to the last row"),
    key("enter", "open", "rows.open", "Open", "Open the selected item", shown=True),
    key("space", "mark", "rows.mark", "Mark", "Mark the row, or unmark it"),
]

TEXT: list[BindingType] = [
    key("j,down", "lines(1)", "text.down", "Down", "One line down"),
    key("k,up", "lines(-1)", "text.up", "Up", "One line up"),
    key("pagedown,ctrl+f", "screens(1)", "text.page", "Page down", "A page down"),
    key("pageup,ctrl+b", "screens(-1)", "text.page_up", "Page up", "A page up"),
    key("ctrl+d", "screens(0.5)", "text.half", "Half a page down", "Half a page down"),
    key("ctrl+u", "screens(-0.5)", "text.half_up", "Half a page up", "Half a page up"),
    key("g,home", "first", "text.first", "Beginning", "Go to the beginning of the text"),
    key("G,end", "last", "text.last", "End", "Go to the end of the text"),
]

LIST: list[BindingType] = [
    key("right", "fold(True)", "list.unfold", "Unfold", "Show the sub-agents of this session"),
    key("left", "fold(False)", "list.fold", "Fold", "Hide the sub-agents of this session"),
    key("o", "toggle_fold", "list.toggle_fold", "Sub-agents", "Show or hide the sub-agents"),
]

TIMELINE: list[BindingType] = [
    key("f", "follow", "timeline.follow", "Follow", "Follow new events", shown=True),
    key("plus", "depth(1)", "timeline.more", "More", "Show more kinds of events", shown=True),
    key("minus", "depth(-1)", "timeline.less", "Less", "Show fewer kinds of events"),
    key("J", "jump('prompt', 1)", "timeline.next_prompt", "Next prompt", "Go to your next prompt"),
    key(
        "K",
        "jump('prompt', -1)",
        "timeline.prompt_before",
        "Previous prompt",
        "Go to your previous prompt",
    ),
    key(
        "u",
        "jump('uncertain', 1)",
        "timeline.uncertain",
        "⚠ Next",
        "Go to the next action with an unknown outcome",
        shown=True,
    ),
    key(
        "U",
        "jump('uncertain', -1)",
        "timeline.uncertain_before",
        "Previous uncertain",
        "Go to the previous action with an unknown outcome",
    ),
    key("n", "jump('match', 1)", "timeline.next_match", "Next match", "Go to the next match"),
    key(
        "N",
        "jump('match', -1)",
        "timeline.match_before",
        "Previous match",
        "Go to the previous match",
    ),
]

EVENT: list[BindingType] = [
    key("1", "section('event')", "event.event", "Event", "Formatted"),
    key("2", "section('arguments')", "event.arguments", "Arguments", "Arguments of the call"),
    key("3", "section('result')", "event.result", "Result", "Result of the call"),
    key("4", "section('raw')", "event.raw", "Record", "Raw JSON"),
    key("y", "copy_id", "event.copy_id", "Copy id", "Copy the event id", shown=True),
    key("Y", "copy_text", "event.copy_text", "Copy text", "Copy the text", shown=True),
    key("e", "open_file", "event.open", "Edit file", "Open the file in your editor", shown=True),
]
