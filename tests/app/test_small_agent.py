"""An agent that is added to the table alone is found, shown, searched, folded and reviewed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions_tui.storage import agents
from tests.agents.test_contract import NOTES
from tests.agents.toys import notes
from tests.app.conftest import Sessions


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the agent, with a session that ended and one that died in a call."""
    monkeypatch.setitem(agents.AGENTS, "notes", notes.AGENT)
    home = tmp_path / ".notes"
    home.mkdir()
    for name, records in (("whole", NOTES), ("dead", NOTES[:2])):
        (tmp_path / "shop").mkdir(exist_ok=True)
        records = [{**records[0], "cwd": str(tmp_path / "shop")}, *records[1:]]
        text = "".join(json.dumps(record) + "\n" for record in records)
        (home / f"{name}.jsonl").write_text(text)
    return home


def test_it_is_listed(home: Path, sessions: Sessions) -> None:
    document = sessions("--root", home, "list", "--json").document
    listed = {one["session"]: one for one in document["sessions"]}
    assert {name: one["dialect"] for name, one in listed.items()} == {
        "whole": "notes",
        "dead": "notes",
    }
    assert listed["whole"]["title"] == "Write it down"
    assert (listed["whole"]["status"], listed["dead"]["status"]) == ("done", "crashed")
    assert listed["whole"]["workspace"] == str(home.parent / "shop")


def test_it_is_shown_and_checked(home: Path, sessions: Sessions) -> None:
    events = sessions("--root", home, "show", "whole", "--json").objects
    assert [event["kind"] for event in events] == ["prompt", "call", "result", "answer"]
    assert events[1]["event_id"] == "transcript:whole:2"
    assert events[1]["state"] == "completed"
    assert sessions("--root", home, "check", "--json").code == 0


def test_it_is_searched(home: Path, sessions: Sessions) -> None:
    found = sessions("--root", home, "search", "完成", "--json").objects
    assert [hit["session"] for hit in found] == ["whole"]


def test_it_is_remembered_and_restored(home: Path, sessions: Sessions) -> None:
    memory = json.loads(sessions("--root", home, "memory", "whole", "--json").out)
    assert memory["current_goal"]["text"] == "Write it down"
    restored = json.loads(sessions("--root", home, "recover", "dead", "--json").out)
    assert [call["tool"] for call in restored["uncertain"]] == ["Write"]
    assert restored["messages"][0] == {"role": "user", "content": "Write it down"}


def test_its_open_call_is_reviewed(home: Path, sessions: Sessions) -> None:
    (action,) = json.loads(sessions("--root", home, "actions", "dead", "--json").out)
    assert (action["tool"], action["state"]) == ("Write", "uncertain")
    assert action["evidence"]["suggests"] == "not-applied"
    assert sessions("--root", home, "review", action["action"], "applied").code == 0


def test_it_cannot_be_resumed_and_says_so(home: Path, sessions: Sessions) -> None:
    ran = sessions("--root", home, "resume", "whole", "--dry-run")
    assert ran.code != 0
    assert "Sessions of Notes cannot be resumed from here." in ran.err


def test_its_messages_are_no_candidates_unless_it_says_so(home: Path, sessions: Sessions) -> None:
    ran = sessions("--root", home, "candidate", "add", "transcript:whole:4", "--summary", "s",
                   "--reason", "r")  # fmt: skip
    assert ran.code != 0
    assert "only messages and file snapshots can be remembered" in ran.err
