"""The keys of the screens: with an id, so that people can choose others, and a tooltip."""

from __future__ import annotations

from textual.binding import Binding, BindingType

DESK: list[BindingType] = [
    Binding(
        "question_mark",
        "help",
        "Help",
        key_display="?",
        tooltip="What can be done here, and with which keys",
        id="desk.help",
    ),
    Binding(
        "ctrl+q",
        "quit",
        "Quit",
        show=False,
        tooltip="Leave sessions",
        priority=True,  # from dialogs too
        id="desk.quit",
    ),
    Binding(
        "ctrl+z",
        "suspend",
        "Suspend",
        show=False,
        tooltip="Go back to the shell for now; fg continues",
        priority=True,  # from dialogs too
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
        tooltip="Words in all sessions",
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
    Binding("q,escape", "back", "Back", tooltip="One place back", id="place.back"),
]

FIND: list[BindingType] = [
    Binding("enter", "submit", "Find", tooltip="Find the words in the session", id="find.find"),
    Binding("escape", "screen.escape", "Leave", tooltip="Find nothing", id="find.leave"),
]

FILTER: list[BindingType] = [
    Binding("enter", "submit", "To the list", tooltip="Keep the filter", id="filter.keep"),
    Binding("escape", "screen.escape", "Show all", tooltip="End the filter", id="filter.end"),
]

READING: list[BindingType] = [
    Binding(
        "n",
        "jump('match', 1)",
        "Next match",
        tooltip="To the next event that holds the words looked for",
        id="timeline.next_match",
    ),
    Binding(
        "N",
        "jump('match', -1)",
        "Match before",
        False,
        tooltip="To the event before that holds them",
        id="timeline.match_before",
    ),
]
"""Work beside the timeline too, which has them itself."""

USAGE: list[BindingType] = [
    Binding(
        "s",
        "session",
        "This session",
        tooltip="What the session used that is open, or under the cursor of the list",
        id="usage.session",
    ),
    Binding("s", "all", "All sessions", tooltip="What all sessions used", id="usage.all_sessions"),
    *PLACE,
]

SEARCH: list[BindingType] = [
    Binding(
        "slash",
        "type",
        "Query",
        key_display="/",
        tooltip="To the box",
        priority=True,  # so that what is typed at once after it goes into the box
        id="search.type",
    ),
    Binding(
        "down",
        "hits",
        "Hits",
        key_display="↓",
        tooltip="From the box to the hits; enter does it too",
        priority=True,  # a box of one line would scroll
        id="search.hits",
    ),
    Binding(
        "ctrl+t",
        "include('reasoning')",
        "Thoughts",
        tooltip="Search in what the agents thought, too; or no longer",
        id="search.thoughts",
    ),
    Binding(
        "ctrl+o",
        "include('result')",
        "Calls",
        tooltip="Search in calls and their outputs, too; or no longer",
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
"""Instead of one place back, where one was shown something out of another place."""

BROWSE: list[BindingType] = [
    *RETURN,
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
    Binding("q", "leave", "Quit", tooltip="Leave sessions", id="browse.back"),
    Binding("q", "escape", "Back", tooltip="One place back", id="browse.back"),
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
        tooltip="To the next tab: event, memory, review, candidates, recovery",
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
        "less_than_sign",
        "kin('up')",
        "Whence",
        False,
        key_display="<",
        tooltip="From a sub-agent to its call, from a fork or a resumed session to the one before",
        id="browse.whence",
    ),
    Binding(
        "greater_than_sign",
        "kin('down')",
        "Whither",
        False,
        key_display=">",
        tooltip="From a call to its sub-agent, from a session to the one that goes on from it",
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
    Binding("t", "app.rename", "Title", False, tooltip="A title of your own", id="browse.title"),
    Binding(
        "asterisk",
        "app.pin",
        "Pin",
        False,
        key_display="*",
        tooltip="Pin the session to the top, or let it go",
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
        tooltip="Go on with the session in its agent; what will run is shown first",
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
