"""What the search screen says besides hits: how to search, how far it is, what was not found."""

from __future__ import annotations

from textual.content import Content

from ..storage.event import Kind
from ..widgets.amounts import count
from ..widgets.safe import fit
from .search_message import HitsTold

EXAMPLES = (
    ("reserve stock", "messages that hold both words, in any session"),
    ('"out of stock"', "words that stand together"),
    ("reser*", "how a word begins"),
    ("超卖", "any part of a sentence without spaces"),
    ("", ""),
    ("kind:you", "what you said; also kind:answer kind:thought kind:output"),
    ("since:3d", "since:2h, since:today, since:2026-11-20"),
    ("workspace:shop", "in one workspace; also model: tool: status: has:"),
    ("file:stock.py", "in sessions that edited a file"),
)
"""Queries, and what they find."""

SOURCES: dict[Kind, str] = {
    "prompt": "prompts",
    "answer": "answers",
    "reasoning": "thoughts",
    "result": "outputs",
}
KEYS: dict[Kind, str] = {"reasoning": "ctrl+t", "result": "ctrl+o"}
"""What searches in that too."""


def how_to() -> Content:
    """What can be searched for."""
    width = max(len(query) for query, _ in EXAMPLES) + 3
    parts: list[tuple[str, str]] = [("What was said in any session\n\n", "bold $text-accent")]
    for query, finds in EXAMPLES:
        parts += [(fit(query, width), "bold $text-primary"), (finds + "\n", "$foreground-muted")]
    parts.append(("\nThoughts and outputs of calls: ", "$foreground-muted"))
    parts += [("ctrl+t", "bold $text-primary"), (" and ", "$foreground-muted")]
    parts += [("ctrl+o", "bold $text-primary"), (" search them too.", "$foreground-muted")]
    return Content.assemble(*parts)


HOW_TO = how_to()

SEARCHING = Content.styled("Searching …", "$foreground-muted")


def nothing(searched: frozenset[Kind]) -> Content:
    """That nothing was found, and where else one could look."""
    others = [kind for kind in KEYS if kind not in searched]
    parts: list[tuple[str, str]] = [("Nothing was found", "bold $foreground")]
    names = [name for kind, name in SOURCES.items() if kind in searched]
    parts.append((f" in {', '.join(names[:-1])}{' and ' * bool(names[1:])}{names[-1]}.", ""))
    for kind in others:
        parts += [("\n\n" if kind == others[0] else "\n", ""), (KEYS[kind], "bold $text-primary")]
        parts.append((f"  searches in {SOURCES[kind]} too", "$foreground-muted"))
    return Content.assemble(*parts)


def sources(searched: frozenset[Kind]) -> Content:
    """What is searched."""
    return Content(" + ".join(name for kind, name in SOURCES.items() if kind in searched))


def counts(told: HitsTold) -> list[str]:
    """How many hits there are, how far the search is, and what it does not reach."""
    hits, sessions = len(told.hits), count(told.sessions, "session")
    found = [f"{hits:,} newest of more" if told.more else count(hits, "hit")]
    if not told.finished and told.percent is not None:
        found.append(f"{told.percent} % of {sessions} read")
    elif not told.finished:
        found.append(f"{told.looked_at:,} of {sessions} looked at")
    elif not told.more:
        found.append(f"in {sessions}")
    if told.unsearched:
        verb = "is" if told.unsearched == 1 else "are"
        found.append(f"{count(told.unsearched, 'session')} {verb} not indexed yet")
    if told.too_long:
        found.append(f"lines too long to be searched in {count(told.too_long, 'session')}")
    return found
