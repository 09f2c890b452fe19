"""Events are found by their ids alone, whichever dialect wrote them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.library.locate import events_with, locate
from sessions_tui.storage.stores.roots import find_roots
from tests.opened import opened

CASES = Path(__file__).parents[2] / "cases"


def library(*roots: Path) -> Library:
    found = opened(Library(find_roots(roots, {}, roots[0], roots[0]).found, None))
    found.rescan()
    return found


def envelope(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two stores, one a copy of the other, and a project of MyCodeAgent's."""
    store = tmp_path / "one" / "projects" / "work"
    store.mkdir(parents=True)
    (store / "a:b.jsonl").write_bytes(
        envelope(*({"type": "message", "role": "user", "content": f"{n}"} for n in range(3)))
    )
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    transcripts = tmp_path / "agent" / "memory" / "transcripts"
    transcripts.mkdir(parents=True)
    for path in sorted((CASES / "mycodeagent").glob("*.jsonl"))[:3]:
        shutil.copy(path, transcripts / path.name)
    return tmp_path


def test_by_position(home: Path) -> None:
    (one,) = locate(library(home / "one"), "transcript:a:b:2")
    assert (one.path.name, one.event.text, one.event.place.number) == ("a:b.jsonl", "1", 2)


@pytest.mark.parametrize(
    "event_id", ["transcript:a:b:4", "transcript:a:b:0", "transcript:x:1", "a", "", "transcript::"]
)
def test_what_is_not_there(home: Path, event_id: str) -> None:
    assert locate(library(home / "one", home / "agent"), event_id) == []


def test_copies_are_told_apart_by_their_paths(home: Path) -> None:
    both = library(home / "one", home / "two")
    found = locate(both, "transcript:a:b:1")
    assert len({located.path for located in found}) == 2
    assert [one.path for one in locate(both, "transcript:a:b:1", found[1].path)] == [found[1].path]


def test_every_id_of_an_agents_own_making(home: Path) -> None:
    agent = library(home / "agent")
    agent.read_all()
    for file in agent.files():
        transcript = agent.transcript(file.path)
        for event in transcript.events():
            if event.event_id is not None:
                found = locate(agent, event.event_id, file.path)
                assert event.place in [located.event.place for located in found]


def test_an_unterminated_record_is_found_too(home: Path) -> None:
    path = home / "one" / "projects" / "work" / "a:b.jsonl"
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    (one,) = locate(library(home / "one"), "transcript:a:b:3")
    assert one.event.text == "2"


def test_ids_that_stand_in_other_fields_are_no_events(tmp_path: Path) -> None:
    transcripts = tmp_path / "memory" / "transcripts"
    transcripts.mkdir(parents=True)
    record = {
        "event_id": "evt-1",
        "timestamp": "2026-05-11T14:02:11Z",
        "session_id": "s",
        "run_id": "run-1",
        "step": 0,
        "event_type": "message",
        "payload": {"role": "user", "content": "evt-2 \\ \u2028 名"},
    }
    odd = record | {"event_id": 'evt "\u4e2d\\'}
    (transcripts / "transcript-s.jsonl").write_bytes(envelope(record, odd))
    agent = library(tmp_path)
    assert locate(agent, "evt-2") == []
    (found,) = locate(agent, 'evt "中\\')
    assert found.event.place.number == 2
    assert len(list(events_with(agent.transcript(found.path), "evt-1"))) == 1
