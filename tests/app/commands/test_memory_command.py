"""`sessions memory`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.model.memory import LISTS

from ..conftest import alone

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"
CRASHED = CASES / "product" / "03a-crash-mid-edit.jsonl"
MANY = CASES / "mycodeagent" / "g02_many_items.jsonl"
BROKEN = CASES / "envelope" / "093_sequence_gap.jsonl"
REFUSED = CASES / "mycodeagent" / "b04_no_event_id.jsonl"
TORN = CASES / "product" / "03c-torn-last-line.jsonl"


def test_json(sessions: Sessions) -> None:
    ran = sessions("memory", CRASHED, "--json")
    assert (ran.code, ran.err) == (0, "")
    memory = ran.document
    assert memory["session"] == "03a-crash-mid-edit"
    event = "transcript:03a-crash-mid-edit:11"
    assert memory["todo_items"] == [
        {
            "text": "Resolve uncertain action Edit src/parse.py before claiming completion.",
            "source": {
                "start_event_id": event,
                "end_event_id": event,
                "start_step": None,
                "end_step": None,
            },
        }
    ]
    assert memory["event_count"] == 12
    assert memory["last_event_id"] == "transcript:03a-crash-mid-edit:12"
    assert memory["dropped"] == dict.fromkeys(LISTS, 0)


def test_mycodeagents_own_memory(sessions: Sessions) -> None:
    expected = json.loads(MANY.with_suffix(".expected.json").read_text("utf-8"))["session_memory"]
    everything = sessions("memory", MANY, "--all", "--json").document
    for name in ("current_goal", *LISTS, "event_count", "last_event_id"):
        assert everything[name] == expected[name]
    newest = sessions("memory", MANY, "--json").document
    assert newest["completed_work"] == expected["completed_work"][-50:]
    assert newest["dropped"]["completed_work"] == 150


@pytest.mark.parametrize("path", [BROKEN, REFUSED], ids=lambda path: path.stem)
def test_nothing_is_built_on_corrupt_evidence(sessions: Sessions, path: Path) -> None:
    memory = sessions("memory", path, "--json")
    assert memory.code == 1
    assert memory.document["integrity"]["state"] == "corrupt"
    assert all(memory.document[name] is None for name in ("current_goal", *LISTS, "dropped"))
    for how in ((), ("--render",)):
        ran = sessions("memory", path, *how)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.count("\n") == 1
        assert "corrupt" in ran.err


def test_what_is_readable_of_a_torn_file_stands(sessions: Sessions) -> None:
    ran = sessions("memory", TORN, "--json")
    assert ran.code == 0
    assert "partial-tail" in ran.err
    assert ran.document["todo_items"]


def test_page(sessions: Sessions) -> None:
    ran = sessions("memory", CRASHED)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[:2] == ["Goal", "  Rename Lexer.next to Lexer.advance everywhere"]
    todo = lines[lines.index("Todo") + 1]
    assert todo.startswith("  ⚠ Resolve uncertain action Edit src/parse.py")
    assert todo.endswith("transcript:03a-crash-mid-edit:11]")
    assert "+ 150 earlier" in sessions("memory", MANY).out
    assert "earlier" not in sessions("memory", MANY, "--all").out


@pytest.mark.parametrize("budget", [0, 10, 120, 400])
def test_render(sessions: Sessions, budget: int) -> None:
    ran = sessions("memory", CRASHED, "--render", "--budget", budget)
    assert ran.code == 0
    assert len(ran.out.removesuffix("\n")) <= budget
    whole = sessions("memory", CRASHED, "--render").out
    assert whole.startswith("## Session Memory\nSource: transcript events transcript:03a")


UNSEEN = ("\U000e0049", "\u200b", "\u200d", "\ufeff", "\u00ad", "\ufe0f", "\u202e")


def test_nothing_is_hidden_in_the_block(sessions: Sessions) -> None:
    path = CASES / "hostile" / "tags.jsonl"
    block = sessions("memory", path, "--render").out
    assert "Current Goal: Fix it� now" in block
    assert not set(UNSEEN) & set(block)
    stack = sessions("memory", CASES / "hostile" / "stack.jsonl", "--render").out
    assert "ก" + "\u0e49" * 3 + " " in stack
    assert "\u0e49" * 4 not in stack


def test_wrong_usage(sessions: Sessions) -> None:
    assert sessions("memory", "nowhere").code == 2
    assert sessions("memory", CRASHED, "--render", "--budget", -1).code == 2
    assert sessions("memory").code == 2


def test_an_empty_session(sessions: Sessions) -> None:
    path = CASES / "product" / "10b-empty.jsonl"
    assert sessions("memory", path, "--json").document["current_goal"] is None
    assert sessions("memory", path, "--render").out == ""
    ran = sessions("memory", path)
    assert (ran.code, ran.out) == (0, "")
    assert "nothing to remember" in ran.err


@pytest.mark.parametrize("how", [(), ("--json",), ("--render",)], ids=" ".join)
def test_every_case_can_be_remembered(
    sessions: Sessions, tmp_path: Path, how: tuple[str, ...]
) -> None:
    for path in sorted(CASES.glob("[ep]*/**/*.jsonl")):
        ran = sessions("memory", alone(path, tmp_path), *how)
        assert ran.code in (0, 1), path
        ran.out.encode()
        if how != ("--json",):
            assert all(c.isprintable() or c == "\n" for c in ran.out), path
