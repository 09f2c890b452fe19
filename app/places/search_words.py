"""The texts of the search screen: how to search, progress, and what to try without hits."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from ...storage.model.event import Kind
from ...widgets.words.amounts import count
from ...widgets.words.safe import fit, one_line
from ..feed.messages import HitsChanged

EXAMPLES = (
    ("reserve stock", "messages that hold both words, in any session"),
    ('"out of stock"', "exact phrase"),
    ("reser*", "prefix (the last word is a prefix while you type)"),
    ("超卖", "any part of a sentence without spaces"),
    ("", ""),
    ("kind:you", "what you said; also answer, thought, call, output"),
    ("since:3d", "since:2h, since:today, since:2026-11-20"),
    ("workspace:shop", "in one workspace; also model: tool: status: has:"),
    ("file:stock.py", "in sessions that edited a file"),
)
"""Sample queries, and what each finds."""

SOURCES: dict[Kind, str] = {
    "prompt": "prompts",
    "answer": "answers",
    "reasoning": "thoughts",
    "call": "calls",
    "result": "outputs",
}
KEYS: dict[Kind, str] = {"reasoning": "ctrl+t", "result": "ctrl+o"}
"""The keys that include these kinds in the search."""

WIDER: dict[Kind, str] = {
    "reasoning": "searches in thoughts too",
    "result": "searches in calls too: commands, arguments, outputs",
}
OTHER_WAYS = (
    ("word*", "matches a prefix; other words match whole"),
    ("F1 /", "finds titles, in the list of sessions"),
)
"""Other ways to search, shown if there are no hits."""


def how_to() -> Content:
    """Return the introduction with sample queries."""
    width = max(len(query) for query, _ in EXAMPLES) + 3
    parts: list[tuple[str, str]] = [("What was said in any session\n\n", "bold $text-accent")]
    for query, finds in EXAMPLES:
        parts += [(fit(query, width), "bold $text-primary"), (finds + "\n", "$foreground-muted")]
    parts += [("\nctrl+t", "bold $text-primary"), (" searches in thoughts too, ", "")]
    parts += [("ctrl+o", "bold $text-primary"), (" in calls and their outputs.", "")]
    return Content.assemble(*parts)


HOW_TO = how_to()

NO_SESSIONS = Content.styled(
    "There are no sessions yet: what agents say is found here as soon as they say it.",
    "$foreground-muted",
)
SEARCHING = Content.styled("Searching …", "$foreground-muted")


def nothing(searched: frozenset[Kind]) -> Content:
    """Return the message that there are no hits, with hints how to widen the search."""
    names = [name for kind, name in SOURCES.items() if kind in searched]
    where = f" in {', '.join(names[:-1])}{' and ' * bool(names[1:])}{names[-1]}."
    hints = [(KEYS[kind], finds) for kind, finds in WIDER.items() if kind not in searched]
    parts: list[tuple[str, str]] = [("No match", "bold $foreground"), (where + "\n", "")]
    for key, finds in (*hints, *OTHER_WAYS):
        parts += [("\n" + fit(key, 8), "bold $text-primary"), (finds, "$foreground-muted")]
    return Content.assemble(*parts)


def impossible(faults: Sequence[str]) -> Content:
    """Return the message that the query is not valid, with the reasons."""
    lines = "".join("\n\n" + one_line(fault) for fault in faults)
    return Content.assemble(("This query is not valid", "bold $foreground"), lines)


def sources(searched: frozenset[Kind]) -> Content:
    """Return the names of the kinds that are searched."""
    return Content(" + ".join(name for kind, name in SOURCES.items() if kind in searched))


def counts(told: HitsChanged) -> list[str]:
    """Return the number of hits, the progress of the search, and what it does not cover."""
    hits, sessions = len(told.hits), count(told.sessions, "session")
    found = [f"{hits:,} newest — scroll for more" if told.more else count(hits, "hit")]
    if not told.finished and told.percent is not None:
        found.append(f"{told.percent} % of {sessions} read")
    elif not told.finished:
        found.append(f"searched {told.looked_at:,} of {sessions}")
    elif not told.more:
        found.append(f"{sessions} searched")
    if told.unsearched:
        verb = "is" if told.unsearched == 1 else "are"
        found.append(f"{count(told.unsearched, 'session')} {verb} not indexed yet")
    if told.too_long:
        found.append(f"lines too long to be searched in {count(told.too_long, 'session')}")
    return found
