"""What holds for every agent: recognition, a kind for every record, and no record that raises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.agents import AGENTS, detect
from sessions_tui.storage.files.lines import split
from sessions_tui.storage.model.agent import Agent
from sessions_tui.storage.model.event import KINDS, Event, Place, Record
from sessions_tui.storage.records.parsing import is_blank, parse, read_line

CASES = Path(__file__).parents[2] / "cases"
PATHS = sorted(CASES.glob("**/*.jsonl"))


def records_of(path: Path) -> Iterator[Record]:
    for line in split(path.read_bytes(), 0, lone_cr=True):
        parsed = parse(line.data, strict=False)
        if isinstance(parsed, dict):
            yield parsed


def everything(event: Event) -> tuple[Any, ...]:
    """Everything that an event and its agent's reader can be asked."""
    reader, record = event.agent.reader, event.record
    return (
        event.text,
        event.args,
        reader.title(event),
        reader.failure(event),
        reader.cwd(record),
        reader.model(record),
        reader.usage(record),
        reader.session_in(record),
    )


@pytest.mark.parametrize(
    ("record", "dialect"),
    [
        ({"event_type": "message", "payload": {}}, "mycodeagent"),
        ({"event_id": "transcript:s:1", "type": "message"}, "envelope"),
        ({"sequence": 1, "schema_version": 1}, "envelope"),
        ({"timestamp": 1795320001500, "sessionId": "s", "type": "session-meta"}, "product"),
        ({"timestamp": 1795320001500, "providerData": {}}, "product"),
        ({"timestamp": 1795320001500, "content": []}, "product"),
        ({"timestamp": 1709123456, "sessionId": "s"}, "envelope"),
        ({"timestamp": True, "sessionId": "s"}, "envelope"),
        ({"type": "message", "role": "user", "content": "hi"}, "envelope"),
        ({}, "envelope"),
    ],
)
def test_recognition(record: Record, dialect: str) -> None:
    assert dialect == detect([{}, {"type": "topic", "topic": "t"}, record]).name


def test_the_first_record_that_tells_decides() -> None:
    own: Record = {"event_type": "message", "payload": {}}
    assert detect(iter([own, {"sequence": 1, "schema_version": 1}])).name == "mycodeagent"
    assert detect([]).name == "envelope"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(CASES)))
def test_every_record_of_every_case_has_a_kind(path: Path) -> None:
    agent = detect(records_of(path))
    for number, line in enumerate(split(path.read_bytes(), 0, agent.reader.strict), 1):
        if is_blank(line.data):
            continue
        event = read_line(line.data, Place(path.stem, number, line.offset, 0), agent)
        assert event.kind in KINDS
        assert (event.kind == "damaged") == (not event.record and bool(event.problem))
        everything(event)


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda agent: agent.name)
def test_ids_are_by_position_or_not_at_all(agent: Agent) -> None:
    assert agent.reader.read({}, Place("a b", 7, 0, 0)).event_id == "transcript:a b:7"
    assert agent.reader.read({}, Place("a b", None, 0, 0)).event_id is None


SAMPLES = [
    record
    for pattern in ("product/0*.jsonl", "envelope/1[34]*.jsonl", "mycodeagent/[cdef]*.jsonl")
    for path in sorted(CASES.glob(pattern))
    for record in records_of(path)
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def paths_in(value: Any, base: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a record values stand."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield (*base, key)
        if isinstance(item, dict | list):
            yield from paths_in(item, (*base, key))


def put(record: Record, path: tuple[Any, ...], value: Any) -> Record:
    """A copy of a record with another value at one place."""
    copy: Record = json.loads(json.dumps(record))
    holder: Any = copy
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return copy


@given(st.data())
def test_no_record_raises(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(SAMPLES))
    for _ in range(data.draw(st.integers(1, 3))):
        places = sorted(paths_in(record), key=str)
        if places:
            record = put(record, data.draw(st.sampled_from(places)), data.draw(JSON))
    for agent in AGENTS.values():
        agent.reader.recognises(record)
        event = agent.reader.read(
            record, Place("s", 1, 0, 0, data.draw(st.none() | st.just("s-adv")))
        )
        assert event.kind in KINDS
        assert isinstance(event.text, str)
        hash((event.event_id, event.role, event.tool, event.call_id, event.run, event.step))
        everything(event)


@pytest.mark.parametrize("agent", AGENTS.values(), ids=lambda agent: agent.name)
def test_deep_records_do_not_raise(agent: Agent) -> None:
    parsed = parse(
        b'{"type":"message","role":"user","content":' + b"[" * 900 + b"]" * 900 + b"}", True
    )
    assert isinstance(parsed, dict)
    everything(agent.reader.read(parsed, Place("s", 1, 0, 0)))
    payload = {"event_type": "message", "event_id": parsed, "payload": parsed, "type": "message"}
    everything(agent.reader.read(payload, Place("s", 1, 0, 0)))
