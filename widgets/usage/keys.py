"""The keys of the usage: with an id, so that people can choose others, and a tooltip."""

from __future__ import annotations

from functools import partial

from textual.binding import Binding, BindingType

from ..base.keys import ROWS, key

_key = partial(key, group="usage")

USAGE: list[BindingType] = [
    _key("m", "measure(1)", "measure", "Metric", "Tokens, calls, edits or sessions", shown=True),
    _key("M", "measure(-1)", "measure_before", "Previous metric", "Show the previous metric"),
    _key("d", "period(1)", "period", "Period", "The last 7, 30 or 90 days, or all", shown=True),
    _key("D", "period(-1)", "period_before", "Previous period", "Show the previous period"),
    _key(
        "tab",
        "part(1)",
        "next",
        "Next",
        "Next list: workspaces, models, tools",
        shown=True,
    ),
    _key("shift+tab", "part(-1)", "before", "Before", "Previous list, or the days"),
]

CHART: list[BindingType] = [
    _key("left,h", "move(-1)", "day_before", "Previous day", "Previous column"),
    _key("right,l", "move(1)", "next_day", "Next day", "Next column"),
    _key("home,g", "first", "first_day", "First day", "First column"),
    _key("end,G", "last", "last_day", "Last day", "Last column"),
    _key("enter", "open", "day", "Sessions", "Sessions of this day", shown=True),
    _key("j,down", "leave", "down", "Lists", "Move to the lists"),
]

SHARES: list[BindingType] = [
    _key("enter", "open", "share", "Sessions", "Sessions of this bar", shown=True),
    _key("left,h", "aside(-1)", "list_before", "Previous list", "Previous list"),
    _key("right,l", "aside(1)", "next_list", "Next list", "Next list"),
    *(one for one in ROWS if isinstance(one, Binding) and one.id not in ("rows.open", "rows.mark")),
]

SESSION: list[BindingType] = [
    _key("tab", "part(1)", "session_next", "Next", "From models to tools", shown=True),
    _key("shift+tab", "part(-1)", "session_before", "Before", "From tools to models"),
]
