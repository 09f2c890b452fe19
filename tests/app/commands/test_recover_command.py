"""`sessions recover`: what it prints and which exit code tells what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"
FIELDS = {
    *("session", "dialect", "integrity", "total_events", "next_sequence", "ignored_partial_tail"),
    *("title", "messages", "message_count", "reasoning_count", "file_snapshots", "pending"),
    *("running", "uncertain", "completed", "failed", "checkpoint", "terminal", "run_id", "step"),
    *("turn_count", "effects", "response_cut"),
}
CRASHED = CASES / "product" / "03a-crash-mid-edit.jsonl"
DAMAGED = CASES / "product" / "10a-third-party-rewrite.jsonl"
CORRUPT = CASES / "envelope" / "045_bad_middle_line.jsonl"
KILLED = next(CASES.glob("mycodeagent-runs/c_kill_bash/memory/transcripts/*.jsonl"))


@pytest.mark.parametrize(
    ("path", "code", "dialect"),
    [
        (CRASHED, 0, "product"),
        (DAMAGED, 1, "product"),
        (CORRUPT, 1, "envelope"),
        (KILLED, 0, "mycodeagent"),
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)
def test_every_field_is_there(sessions: Sessions, path: Path, code: int, dialect: str) -> None:
    ran = sessions("recover", path, "--root", path, "--json")
    assert ran.code == code
    assert ran.document.keys() == FIELDS
    assert ran.document["dialect"] == dialect


def test_corrupt_evidence_restores_nothing(sessions: Sessions) -> None:
    document = sessions("recover", CORRUPT, "--root", CORRUPT, "--json").document
    assert document["session"] == CORRUPT.stem
    assert document["integrity"]["kind"] == "bad_json"
    derived = FIELDS - {"session", "dialect", "integrity"}
    assert {document[name] for name in derived} == {None}


def test_what_was_interrupted_is_an_action(sessions: Sessions) -> None:
    document = sessions("recover", CRASHED, "--root", CRASHED, "--json").document
    (action,) = document["uncertain"]
    assert action["action"] == f"transcript:{CRASHED.stem}:11"
    assert (action["tool"], action["state"], action["verdict"]) == ("Edit", "uncertain", None)
    assert action["path"] == "/home/mei/src/parser/src/parse.py"
    assert action["at"].endswith("Z")
    assert document["message_count"] == len(document["messages"]) == 6
    assert len(document["completed"]) == 2


def test_the_window_is_the_last_events(sessions: Sessions) -> None:
    ran = sessions("recover", CRASHED, "--root", CRASHED, "--json", "--max-items", 2)
    assert [message["role"] for message in ran.document["messages"]] == ["assistant"]
    assert ran.document["total_events"] == 12


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_a_window_of_nothing_is_refused(sessions: Sessions, number: str) -> None:
    ran = sessions("recover", CRASHED, "--root", CRASHED, f"--max-items={number}")
    assert ran.code == 2
    assert "--max-items" in ran.err
    assert not ran.out


def test_a_page_says_it_in_words(sessions: Sessions) -> None:
    ran = sessions("recover", CRASHED, "--root", CRASHED)
    assert ran.code == 0
    for words in ("✓ ok", "Rename Lexer.next", "the next record is 13", "1 uncertain", "parse.py"):
        assert words in ran.out
    assert len(ran.out.split("\n")) < 30


def test_a_page_says_what_is_broken(sessions: Sessions) -> None:
    assert (
        "not available: the transcript is corrupt"
        in sessions("recover", CORRUPT, "--root", CORRUPT).out
    )
    assert "INTERRUPTED_UNCERTAIN" in sessions("recover", KILLED, "--root", KILLED).out


@pytest.mark.parametrize("name", ["152_terminal_escapes", "153_long_line_70k", "134_roles_odd"])
def test_foreign_text_is_harmless(sessions: Sessions, name: str) -> None:
    path = CASES / "envelope" / f"{name}.jsonl"
    ran = sessions("recover", path, "--root", path)
    assert ran.code == 0
    assert not any(ord(sign) < 32 and sign != "\n" for sign in ran.out)
    assert max(map(len, ran.out.split("\n"))) <= 500


def test_an_unknown_session_is_wrong_usage(sessions: Sessions) -> None:
    assert sessions("recover", "nobody", "--root", CRASHED).code == 2
