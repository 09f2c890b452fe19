"""`sessions review`: verdicts on uncertain actions, with the evidence they were based on."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.decisions.decisions import Decisions

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"
ACTION = "transcript:talk:2"


@pytest.fixture
def talk(own_home: Path) -> Path:
    """A session whose Edit, of a file that is there, has no result."""
    project = own_home / "code"
    project.mkdir()
    (project / "a.py").write_text("one\ntwo\n")
    os.utime(project / "a.py", (1_778_500_000, 1_778_500_000))
    path = own_home / "store" / "projects" / "work" / "talk.jsonl"
    path.parent.mkdir(parents=True)
    edit = {"file_path": f"{project}/a.py", "old_string": "one", "new_string": "1"}
    records: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": "Do it"},
        {"type": "function_call", "name": "Edit", "arguments": edit, "callId": "c"},
    ]
    lines = [
        json.dumps(record | {"recorded_at": f"2026-05-11T14:02:1{n}+00:00"})
        for n, record in enumerate(records)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def review(sessions: Sessions, talk: Path) -> Sessions:
    """Runs `sessions review` on that store, with --json."""

    def run(*words: object) -> Any:
        return sessions("review", *words, "--json", "--root", talk.parents[2])

    return run


def test_a_verdict_and_back(sessions: Sessions, review: Sessions, talk: Path) -> None:
    given = review(ACTION, "not-applied", "--note", "the file says so").document
    assert (given["verdict"], given["note"]) == ("not-applied", "the file says so")
    assert given["decided_at"].endswith("Z")
    assert given["evidence"]["suggests"] == "not-applied"
    (listed,) = sessions("actions", "--root", talk.parents[2], "--json").document
    for shape in (listed, given):
        del shape["evidence"]["checked_at"]
    assert listed == given
    back = review(ACTION, "--undo").document
    assert (back["verdict"], back["note"], back["decided_at"]) == (None, None, None)
    again = review(ACTION, "--undo")
    assert (again.document["verdict"], again.code) == (None, 0)
    assert "No verdict to undo" in again.err


def test_the_same_verdict_twice_is_one(review: Sessions, own_home: Path, talk: Path) -> None:
    first = review(ACTION, "verified", "--note", "seen").document
    assert (
        review(ACTION, "verified", "--note", "seen").document["decided_at"] == first["decided_at"]
    )
    assert review(ACTION, "verified").document["note"] == "seen"
    (data,) = own_home.rglob("decisions.db")
    kept = Decisions(data.parent)
    assert len(kept.history()) == 1
    kept.close()
    assert data.stat().st_mode & 0o777 == 0o600
    assert data.parent.stat().st_mode & 0o777 == 0o700


def test_another_verdict_can_be_taken_back_to_the_first(review: Sessions) -> None:
    review(ACTION, "partial", "--note", "half")
    assert review(ACTION, "dismissed").document["note"] is None
    back = review(ACTION, "--undo").document
    assert (back["verdict"], back["note"]) == ("partial", "half")


def test_a_note_for_the_agent(sessions: Sessions, review: Sessions, talk: Path) -> None:
    words = ("actions", "--for-agent", "--root", talk.parents[2])
    assert "has not been checked" in sessions(*words).out
    review(ACTION, "partial", "--note", "half of it")
    (line,) = sessions(*words).out.splitlines()
    assert "Edit of" in line
    assert line.endswith("was checked by the user: partly applied — half of it")


def test_recovery_and_actions_tell_the_verdict(
    sessions: Sessions, review: Sessions, talk: Path
) -> None:
    review(ACTION, "verified")
    recovered = sessions("recover", "talk", "--root", talk.parents[2], "--json").document
    assert [action["verdict"] for action in recovered["uncertain"]] == ["verified"]
    assert "✓ applied" in sessions("recover", "talk", "--root", talk.parents[2]).out
    assert "✓ applied" in sessions("actions", "--root", talk.parents[2]).out


def test_the_list_goes_by_it(sessions: Sessions, review: Sessions, talk: Path) -> None:
    def uncertain() -> int:
        listed = sessions("list", "--root", talk.parents[2], "--json").document
        return int(listed["sessions"][0]["uncertain"])

    assert uncertain() == 1
    review(ACTION, "verified")
    assert uncertain() == 0


def test_a_verdict_against_the_evidence_is_kept_and_said(review: Sessions) -> None:
    ran = review(ACTION, "verified")
    assert (ran.code, ran.document["verdict"]) == (0, "verified")
    assert "evidence says otherwise" in ran.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("transcript:talk:9", "verified"), 2, "no event"),
        (("transcript:talk:1", "verified"), 2, "is no action"),
        ((ACTION,), 2, "either a verdict or --undo"),
        ((ACTION, "verified", "--undo"), 2, "either a verdict or --undo"),
        ((ACTION, "maybe"), 2, "invalid choice"),
        ((ACTION, "verified", "--session", "nobody"), 2, "no session"),
    ],
)
def test_wrong_usage(review: Sessions, words: tuple[str, ...], code: int, said: str) -> None:
    ran = review(*words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_what_has_a_result_cannot_be_judged(review: Sessions, talk: Path) -> None:
    with talk.open("a") as file:
        file.write('{"type":"function_call_result","callId":"c","output":{"content":"ok"}}\n')
    ran = review(ACTION, "verified")
    assert (ran.code, "it completed" in ran.err) == (1, True)


def test_what_runs_cannot_be_judged(sessions: Sessions, own_home: Path) -> None:
    store = own_home / "copy"
    shutil.copytree(CASES / "product-store", store)
    open_calls = sessions("actions", "--all", "--root", store, "--json").document
    running = next(action for action in open_calls if action["state"] == "running")
    ran = sessions("review", running["action"], "verified", "--root", store)
    assert (ran.code, "is running" in ran.err) == (1, True)


def test_a_changed_record_needs_a_new_verdict(review: Sessions, talk: Path) -> None:
    review(ACTION, "not-applied")
    talk.write_text(talk.read_text().replace('"1"', '"2"'))
    assert review(ACTION, "--undo").document["verdict"] is None
    assert review(ACTION, "partial").document["verdict"] == "partial"


def test_copies_of_a_session_are_told_apart(review: Sessions, talk: Path) -> None:
    copy = talk.parent.with_name("copy") / talk.name
    copy.parent.mkdir()
    copy.write_bytes(talk.read_bytes())
    ran = review(ACTION, "verified")
    assert (ran.code, str(copy) in ran.err) == (2, True)
    assert review(ACTION, "verified", "--session", copy).document["verdict"] == "verified"


def test_a_copy_is_judged_for_itself(sessions: Sessions, review: Sessions, talk: Path) -> None:
    copy = talk.parent.with_name("copy") / talk.name
    copy.parent.mkdir()
    copy.write_bytes(talk.read_bytes())
    review(ACTION, "verified", "--session", copy)
    listed = sessions("list", "--root", talk.parents[2], "--json").document["sessions"]
    assert {session["path"]: session["uncertain"] for session in listed} == {
        str(talk): 1,
        str(copy): 0,
    }
    talk.unlink()
    copy.rename(talk)
    (action,) = sessions("actions", "--root", talk.parents[2], "--json").document
    assert action["verdict"] == "verified"


def test_decisions_that_cannot_be_read_are_told(
    sessions: Sessions, review: Sessions, talk: Path, own_home: Path
) -> None:
    review(ACTION, "verified")
    (data,) = own_home.rglob("decisions.db")
    data.write_bytes(b"no database" * 1000)
    for name in ("-wal", "-shm"):
        data.with_name(data.name + name).unlink(missing_ok=True)
    root = ("--root", talk.parents[2], "--json")
    assert sessions("actions", *root).code == 6
    assert sessions("candidate", "list", *root).code == 6
    assert sessions("candidate", "export", *root).code == 1
    refused = review(ACTION, "verified")
    assert (refused.code, "Could not save" in refused.err) == (6, True)
    assert data.read_bytes() == b"no database" * 1000


def test_either_record_of_a_call_names_it(sessions: Sessions, own_home: Path) -> None:
    path = own_home / "agent" / "memory" / "transcripts" / "transcript-s.jsonl"
    path.parent.mkdir(parents=True)
    head = {
        "timestamp": "2026-05-11T14:02:11Z",
        "session_id": "s",
        "run_id": "run-1",
        "step": 1,
        "event_type": "tool_lifecycle",
    }
    call = {"tool_name": "Edit", "tool_call_id": "c", "args": {"path": "a.py"}}
    lines = [
        json.dumps({"event_id": f"evt-{status}", **head, "payload": call | {"status": status}})
        for status in ("requested", "started")
    ]
    path.write_text("\n".join(lines) + "\n")
    for event_id in ("evt-requested", "evt-started"):
        ran = sessions("review", event_id, "dismissed", "--root", own_home / "agent", "--json")
        assert (ran.document["action"], ran.document["verdict"]) == ("evt-started", "dismissed")


def test_notes_are_safe_to_print(sessions: Sessions, talk: Path) -> None:
    hostile = "\x1b]0;owned\x07 \u202eright [b]'; drop table decisions; -- $(touch owned)"
    words = ("review", ACTION, "verified", "--note", hostile, "--root", talk.parents[2])
    ran = sessions(*words)
    assert (ran.code, "right" in ran.out) == (0, True)
    assert not {"\x1b", "\x07", "\u202e"} & set(ran.out)
    kept = sessions("actions", "--root", talk.parents[2], "--json").document
    assert kept[0]["note"] == hostile


def test_deleting_the_index_loses_nothing(
    sessions: Sessions, review: Sessions, talk: Path, own_home: Path
) -> None:
    review(ACTION, "verified", "--note", "seen")
    (index,) = own_home.rglob("index.db")
    shutil.rmtree(index.parent)
    talk.parent.rename(talk.parent.with_name("renamed"))
    (action,) = sessions("actions", "--root", talk.parents[2], "--json").document
    assert (action["verdict"], action["note"]) == ("verified", "seen")


def test_the_verdict_may_follow_an_option(review: Sessions, talk: Path, sessions: Sessions) -> None:
    root = ("--root", talk.parents[2])
    (action,) = sessions("actions", *root, "--json").document
    given = sessions("review", action["action"], "--session", "talk", "applied", *root, "--json")
    assert (given.code, given.document["verdict"]) == (0, "verified")
