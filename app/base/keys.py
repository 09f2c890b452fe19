"""The key bindings of the screens.

Each has an id, so that the user can choose other keys in the settings, and a tooltip, which the
help and the command palette show.
"""

from __future__ import annotations

from textual.binding import Binding, BindingType

DESK: list[BindingType] = [
    Binding(
        "question_mark",
        "help",
        "Help",
        key_display="?",
        tooltip="Show the keys for this screen",
        id="desk.help",
    ),
    Binding(
        "ctrl+q",
        "quit",
        "Quit",
        show=False,
        tooltip="Quit",
        priority=True,  # so that it works in dialogs
        id="desk.quit",
    ),
    Binding(
        "ctrl+z",
        "suspend",
        "Suspend",
        show=False,
        tooltip="Go back to the shell for now; fg continues",
        priority=True,  # so that it works in dialogs
        id="desk.suspend",
    ),
    Binding(
        "f1",
        "go('browse')",
        "Sessions",
        False,
        key_display="F1",
        tooltip="The list of sessions",
        id="desk.browse",
    ),
    Binding(
        "f2",
        "go('review')",
        "Review",
        key_display="F2",
        tooltip="The uncertain actions of all sessions",
        id="desk.review",
    ),
    Binding(
        "f3",
        "go('candidates')",
        "Candidates",
        key_display="F3",
        tooltip="The memory candidates of all sessions",
        id="desk.candidates",
    ),
    Binding(
        "f4",
        "go('search')",
        "Search",
        key_display="F4",
        tooltip="Search all sessions",
        id="desk.search",
    ),
    Binding(
        "f5",
        "go('usage')",
        "Usage",
        key_display="F5",
        tooltip="Tokens, calls and edits by day, workspace, model and tool",
        id="desk.usage",
    ),
]

PLACE: list[BindingType] = [
    Binding("q,escape", "back", "Back", tooltip="Go back", id="place.back"),
]

FIND: list[BindingType] = [
    Binding("enter", "submit", "Find", tooltip="Find the words in the session", id="find.find"),
    Binding("escape", "screen.escape", "Leave", tooltip="Cancel the search", id="find.leave"),
]

FILTER: list[BindingType] = [
    Binding("enter", "submit", "To the list", tooltip="Keep the filter", id="filter.keep"),
    Binding("escape", "screen.escape", "Show all", tooltip="Clear the filter", id="filter.end"),
]

READING: list[BindingType] = [
    Binding(
        "n",
        "jump('match', 1)",
        "Next match",
        tooltip="Go to the next match",
        id="timeline.next_match",
    ),
    Binding(
        "N",
        "jump('match', -1)",
        "Previous match",
        False,
        tooltip="Go to the previous match",
        id="timeline.match_before",
    ),
]
"""For the panes below the timeline; the timeline itself has bindings of its own for these keys."""

USAGE: list[BindingType] = [
    Binding(
        "s",
        "session",
        "This session",
        tooltip="Usage of the open (or selected) session",
        id="usage.session",
    ),
    Binding("s", "all", "All sessions", tooltip="Usage of all sessions", id="usage.all_sessions"),
    *PLACE,
]

SEARCH: list[BindingType] = [
    Binding(
        "slash",
        "type",
        "Query",
        key_display="/",
        tooltip="Edit the query",
        priority=True,  # so that text typed right after it goes into the box
        id="search.type",
    ),
    Binding(
        "down",
        "hits",
        "Hits",
        key_display="↓",
        tooltip="Move to the results (also enter)",
        priority=True,  # the single-line box would handle the key otherwise
        id="search.hits",
    ),
    Binding(
        "ctrl+t",
        "include('reasoning')",
        "Thoughts",
        tooltip="Toggle searching in thinking",
        id="search.thoughts",
    ),
    Binding(
        "ctrl+o",
        "include('result')",
        "Calls",
        tooltip="Toggle searching in tool calls and output",
        id="search.outputs",
    ),
    *PLACE,
]

RETURN: list[BindingType] = [
    Binding(
        key,
        f"return('{place}')",
        f"To {place}",
        key == "q",
        tooltip=f"Back to {place}, as you left it",
        id=f"browse.{'back' if key == 'q' else 'escape'}",
    )
    for place in ("review", "candidates", "search", "usage")
    for key in ("q", "escape")
]
"""For an event or filter that was opened from another place: return there."""

BROWSE: list[BindingType] = [
    *RETURN,
    Binding(
        "slash",
        "find",
        "Find",
        key_display="/",
        tooltip="Filter the sessions, or find words in the open one",
        priority=True,  # so that text typed right after it goes into the box
        id="browse.find",
    ),
    Binding(
        "enter",
        "demo",
        "Demo",
        tooltip="Open the demo (sample data, simulated agents)",
        priority=True,  # so that it works with any focus while there are no sessions
        id="browse.demo",
    ),
    Binding("q", "leave", "Quit", tooltip="Quit", id="browse.back"),
    Binding("q", "escape", "Back", tooltip="Go back", id="browse.back"),
    Binding(
        "escape",
        "escape",
        "Step back",
        False,
        tooltip="Cancel, or go back",
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
        tooltip="Next tab: event, memory, review, candidates, recovery",
        id="browse.next_tab",
    ),
    Binding(
        "left_square_bracket",
        "turn(-1)",
        "Previous tab",
        False,
        key_display="[",
        tooltip="Previous tab",
        id="browse.previous_tab",
    ),
    Binding(
        "less_than_sign",
        "kin('up')",
        "Go to parent",
        False,
        key_display="<",
        tooltip="A sub-agent's call, or the session this was forked or resumed from",
        id="browse.whence",
    ),
    Binding(
        "greater_than_sign",
        "kin('down')",
        "Go to child",
        False,
        key_display=">",
        tooltip="A call's sub-agent, or the session that continues this one",
        id="browse.whither",
    ),
    Binding(
        "m",
        "app.remember",
        "Remember",
        False,
        tooltip="Propose the event, or the marked ones, as memory candidates",
        id="browse.remember",
    ),
    Binding("t", "app.rename", "Title", False, tooltip="Rename the session", id="browse.title"),
    Binding(
        "asterisk",
        "app.pin",
        "Pin",
        False,
        key_display="*",
        tooltip="Pin or unpin the session",
        id="browse.pin",
    ),
    Binding(
        "H",
        "app.hide",
        "Hide",
        False,
        tooltip="Hide the session, or show it again; the filter status:hidden finds it",
        id="browse.hide",
    ),
    Binding(
        "R",
        "app.resume",
        "Resume",
        False,
        tooltip="Resume the session in its agent (the command is shown first)",
        id="browse.resume",
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
