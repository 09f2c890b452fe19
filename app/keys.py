"""The keys of the screens: with an id, so that people can choose others, and a tooltip."""

from __future__ import annotations

from textual.binding import Binding, BindingType

BROWSE: list[BindingType] = [
    Binding(
        "slash",
        "find",
        "Find",
        key_display="/",
        tooltip="Filter the sessions, or find words in the open one",
        priority=True,  # so that what is typed at once after it goes into the box
        id="browse.find",
    ),
    Binding(
        "enter",
        "demo",
        "Demo",
        tooltip="A made-up store with agents at work in it",
        priority=True,  # whatever has the keys while there is nothing to show
        id="browse.demo",
    ),
    Binding("q", "back", "Back", tooltip="One place back; from the list, leave", id="browse.back"),
    Binding(
        "escape",
        "escape",
        "Step back",
        False,
        tooltip="End what was begun, or go one place back",
        id="browse.escape",
    ),
    Binding(
        "w", "group", "Group", False, tooltip="Group by day, or by workspace", id="browse.group"
    ),
    Binding(
        "right_square_bracket",
        "turn(1)",
        "Tabs",
        key_display="]",
        tooltip="To the next tab: event, memory, recovery",
        id="browse.next_tab",
    ),
    Binding(
        "left_square_bracket",
        "turn(-1)",
        "Tab before",
        False,
        key_display="[",
        tooltip="To the tab before",
        id="browse.previous_tab",
    ),
    Binding(
        "exclamation_mark",
        "read_all",
        "All read",
        False,
        key_display="!",
        tooltip="Mark all sessions as read",
        id="browse.read_all",
    ),
    Binding(
        "tab",
        "app.focus_next",
        "Next pane",
        False,
        tooltip="To the next pane; shift+tab goes back",
        id="browse.next_pane",
    ),
]
