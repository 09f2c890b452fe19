"""A session's memory as lines: goal, todo, checks, decisions, failures and work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ...storage.model.memory import ListName, MemoryItem, SessionMemory
from ...storage.model.timeline import Verdict
from ..words.cases import DECIDED
from .pane import SHOWN, Fact, Tone
from .recovery import NONE

GROUPS: tuple[tuple[ListName, str], ...] = (
    ("todo_items", "todo"),
    ("verification_status", "checks"),
    ("key_decisions", "decided"),
    ("failed_attempts", "failed"),
    ("completed_work", "done"),
)
"""The lists in their order on screen, each with its name there."""


def memory_facts(memory: SessionMemory, verdicts: Mapping[str, Verdict] = NONE) -> list[Fact]:
    """The lines, those that a person looks for first at the top.

    `verdicts` are those on interrupted actions, by event id.
    """
    return [_settled(fact, verdicts) for fact in _facts(memory)]


def _settled(fact: Fact, verdicts: Mapping[str, Verdict]) -> Fact:
    """A line on an uncertain action with what was decided on that."""
    verdict = verdicts.get(fact.event_id or "") if fact.uncertain else None
    if verdict is None:
        return fact
    text = f"{fact.text} — your verdict: {DECIDED[verdict].text}"
    return replace(fact, text=text, uncertain=False)


def _facts(memory: SessionMemory) -> Iterator[Fact]:
    if memory.current_goal and memory.goal:
        yield _fact("goal", memory.current_goal, memory.goal, "strong", is_first=True)
    for name, group in GROUPS:
        items = memory.items(name)
        tone: Tone = "bad" if group == "failed" else "plain"
        # What is to be done stands in its order, all else with the newest first.
        for place, item in enumerate(items if name == "todo_items" else items[::-1]):
            yield _fact(group, item, item.text, tone, is_first=not place)
        if dropped := memory.dropped.get(name, 0):
            word = "more" if name == "todo_items" else "earlier"
            yield Fact(group, f"+ {dropped:,} {word}", is_item=False, tone="quiet")


def _fact(group: str, item: MemoryItem, text: str, tone: Tone, is_first: bool) -> Fact:
    return Fact(
        group,
        text[:SHOWN],
        item.at,
        item.source.start_event_id,
        item.offset,
        item.uncertain,
        is_first,
        tone=tone,
    )
