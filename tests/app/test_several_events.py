"""Records of several events, and mirrors: each event is shown once and found by its own id."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions_tui.storage import agents
from tests.agents.test_contract import BLOCKS
from tests.agents.toys import blocks
from tests.app.conftest import Sessions


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(agents.AGENTS, "blocks", blocks.AGENT)
    home = tmp_path / ".blocks"
    home.mkdir()
    (tmp_path / "shop").mkdir()
    records = [{**BLOCKS[0], "cwd": str(tmp_path / "shop")}, *BLOCKS[1:]]
    (home / "s.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return home


def test_each_block_is_an_event(home: Path, sessions: Sessions) -> None:
    events = sessions("--root", home, "show", "s", "--json").objects
    assert [(event["event_id"], event["kind"], event["number"]) for event in events] == [
        ("transcript:s:1", "prompt", 1),
        ("transcript:s:2", "meta", 2),
        ("transcript:s:3", "answer", 3),
        ("transcript:s:3#2", "call", 3),
        ("transcript:s:3#3", "call", 3),
        ("transcript:s:4", "result", 4),
    ]
    assert [event["state"] for event in events[3:5]] == ["completed", "uncertain"]
    assert len({(event["offset"], event["bytes"]) for event in events[2:5]}) == 1


def test_what_counts(home: Path, sessions: Sessions) -> None:
    (session,) = sessions("--root", home, "list", "--json").document["sessions"]
    assert session["events"] == 5  # without the mirror
    assert session["tokens"]["output"] == 7
    again = sessions("--root", home, "list", "--json").document["sessions"]
    assert again == [session]


def test_an_event_is_found_by_its_id(home: Path, sessions: Sessions) -> None:
    (event,) = sessions(
        "--root", home, "show", "s", "--event", "transcript:s:3#3", "--json"
    ).objects
    assert event["tool"] == "Write"
    assert "b.txt" in json.dumps(event)


def test_a_word_is_found_in_its_block(home: Path, sessions: Sessions) -> None:
    (hit,) = sessions("--root", home, "search", "完成", "--json").objects
    assert (hit["event_id"], hit["kind"]) == ("transcript:s:3", "answer")


def test_two_calls_of_a_record_are_two_verdicts(home: Path, sessions: Sessions) -> None:
    (action,) = json.loads(sessions("--root", home, "actions", "s", "--json").out)
    assert (action["action"], action["path"]) == (
        "transcript:s:3#3",
        str(home.parent / "shop" / "b.txt"),
    )
    assert action["evidence"]["suggests"] == "not-applied"
    assert sessions("--root", home, "review", action["action"], "not-applied").code == 0
    settled = json.loads(sessions("--root", home, "actions", "s", "--all", "--json").out)
    verdicts = {one["action"]: one["verdict"] for one in settled}
    assert verdicts == {"transcript:s:3#2": None, "transcript:s:3#3": "not-applied"}
