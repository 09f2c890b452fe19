"""Folding a memory: in pieces, put away and taken up again, or at once, it comes out the same."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.memory.fold import MemoryFold
from sessions_tui.storage.memory.notes import KEPT
from sessions_tui.storage.memory.render import render
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import Event, Record
from sessions_tui.storage.model.memory import LISTS, SessionMemory
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
PATHS = sorted(path for path in CASES.glob("**/*.jsonl") if path.name != "history.jsonl")


def told(path: Path) -> tuple[Agent, list[Event]]:
    transcript = Transcript(path, path.stem)
    events = [event for events in transcript.advance() for event in events]
    return transcript.agent, events + transcript.tail()


def through_json(agent: Agent, fold: MemoryFold) -> MemoryFold:
    return MemoryFold.from_json(agent, json.loads(json.dumps(fold.as_json())))


def memory_of(agent: Agent, events: list[Event], keep_all: bool) -> SessionMemory:
    fold = MemoryFold("s", agent, keep_all)
    for event in events:
        fold.add(event)
    return fold.memory()


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(PATHS), st.sets(st.integers(0, 60)), st.booleans(), st.booleans())
def test_any_pieces_make_the_same(path: Path, cuts: set[int], keep_all: bool, alive: bool) -> None:
    agent, events = told(path)
    whole = MemoryFold("s", agent, keep_all)
    pieces = MemoryFold("s", agent, keep_all)
    for index, event in enumerate(events):
        whole.add(event)
        if index in cuts:
            before = pieces.memory(alive)
            pieces = through_json(agent, pieces)
            assert pieces.memory(alive) == before
        pieces.add(event)
    assert pieces.memory(alive) == whole.memory(alive)
    assert through_json(agent, pieces).as_json() == pieces.as_json()


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PATHS), st.integers(1, 40))
def test_the_bounded_memory_is_the_end_of_all(path: Path, times: int) -> None:
    agent, events = told(path)
    events = repeated(events, times)
    bounded = memory_of(agent, events, keep_all=False)
    everything = memory_of(agent, events, keep_all=True)
    for name in LISTS:
        items, whole = bounded.items(name), everything.items(name)
        assert len(items) <= KEPT
        assert len(items) + bounded.dropped[name] == len(whole)
        urgent = [item for item in whole if item.uncertain]
        assert [item for item in items if item.uncertain] == urgent[-KEPT:]
        if name != "todo_items" and not urgent:
            assert items == whole[-KEPT:]


def repeated(events: list[Event], times: int) -> list[Event]:
    """Events as if their file held them several times over."""
    size = 1 + max((event.place.offset for event in events), default=0)
    return [
        event._replace(place=event.place._replace(offset=event.place.offset + size * turn))
        for turn in range(times)
        for event in events
    ]


VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 1e308, "", " ", "x" * 5_000, "\ud800\x1b[2J\n# ", [], {}, [[]], {"a": []}]
) | st.integers(1, 1_000).map(lambda depth: orjson.loads("[" * depth + "]" * depth))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(PATHS), st.data())
def test_no_record_breaks_it(path: Path, data: st.DataObject) -> None:
    agent, events = told(path)
    fold = MemoryFold("s", agent)
    for event in events[:40]:
        record = changed(event.record, data) if event.kind != "damaged" else {}
        fold.add(event.agent.reader.read(record, event.place))
    memory = fold.memory()
    assert len(render(memory, 1_000)) <= 1_000
    assert through_json(agent, fold).memory() == memory


def changed(record: Record, data: st.DataObject) -> Record:
    """A record with one of its values, at any depth, exchanged for another."""
    if not record:
        return record
    key = data.draw(st.sampled_from(sorted(record)))
    value = record[key]
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        return {**record, key: changed(value, data)}
    return {**record, key: data.draw(VALUES)}


@pytest.mark.parametrize("dialect", ["product", "envelope", "mycodeagent"])
def test_what_is_kept_does_not_grow(dialect: str) -> None:
    paths = sorted(CASES.glob(f"{dialect}/*.jsonl"))
    events = closed([event for path in paths for event in told(path)[1]])
    fold = MemoryFold("s", AGENTS[dialect])
    sizes = []
    for times in (60, 60):
        for event in events * times:
            fold.add(event)
        sizes.append(len(json.dumps(fold.as_json())))
    assert sizes[1] < sizes[0] + 500


def closed(events: list[Event]) -> list[Event]:
    """Events whose calls all end: what is open is not forgotten."""
    calls, results = (
        Counter(event.call_id for event in events if event.stage == stage)
        for stage in ("started", "ended")
    )
    return [event for event in events if calls[event.call_id] <= results[event.call_id]]
