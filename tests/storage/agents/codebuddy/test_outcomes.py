"""Failures that the product writes as completed calls, in every place that reports an outcome."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy import AGENT
from sessions_tui.storage.agents.codebuddy import reader as product
from sessions_tui.storage.decisions.decisions import Decisions
from sessions_tui.storage.memory.fold import MemoryFold
from sessions_tui.storage.model.event import Event, Place
from sessions_tui.storage.review.cases import judged_actions
from sessions_tui.storage.transcript.transcript import Transcript
from tests.storage.crashes import NOW
from tests.storage.laid import laid_out

OWN = {"messageId": "0" * 32, "conversationRequestId": "c" * 32, "agent": "cli"}
REFUSED = "An error occurred while parsing tool arguments. Please try again with valid JSON."
DENIED = "No (tell CodeBuddy what to do differently)"


def result(
    tool: str, text: str, shown: object = None, status: str = "completed", **extra: Any
) -> Event:
    """The result of a call as the product records it."""
    given = {} if shown is None else {"toolResult": shown}
    record = {
        "type": "function_call_result",
        "name": tool,
        "callId": "c",
        "status": status,
        "output": {"type": "text", "text": text},
        "providerData": OWN | given | extra,
    }
    return product.read(record, Place("s", 1, 0, 0))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (result("NotebookEdit", REFUSED), "arguments refused"),
        (result("Grep", "Something else than a result"), "Something else than a result"),
        (result("Skill", "Skill rejected: x", {"content": "Skill rejected: x"}), None),
        (result("TaskStop", "No such task", {"content": "No such task"}), "No such task"),
        (result("SendMessage", "Not in a team.", {"content": "Not in a team."}), "Not in a team."),
        (result("Agent", "No active team", {"content": "No active team"}), "No active team"),
        (
            result("Agent", "It broke", {"content": "It broke", "renderer": {"type": "text"}}),
            "It broke",
        ),
        (result("WebFetch", "Error: no host", {"content": "Error: no host"}), "Error: no host"),
        (result("Bash", DENIED, status="incomplete", error=DENIED), "denied by you"),
        (
            result(
                "Bash",
                "Background commands are refused",
                {"renderer": {"type": "text"}, "rawResponse": {"tool_error_code": "8009"}},
            ),
            "Background commands are refused",
        ),
        (
            product.read(
                {
                    "type": "function_call_result",
                    "name": "Read",
                    "callId": "c",
                    "output": [{"type": "text", "text": "Error: no such file"}],
                },
                Place("s", 1, 0, 0),
            ),
            "Error: no such file",
        ),
    ],
)
def test_a_failure_that_says_completed(event: Event, words: str | None) -> None:
    assert event.outcome == "failed"
    assert product.failure(event) == (words or product.failure(event)) != ""


@pytest.mark.parametrize(
    "event",
    [
        result("ToolSearch", "Found 2 tools", {"content": "Found 2 tools"}),
        result("Agent", "Done", {"content": "Done", "subAgent": {"sessionId": "agent-1"}}),
        result("Agent", "Spawned", {"content": "", "renderer": {"type": "team-member-spawned"}}),
        result("Skill", "Base directory", {"content": "x", "renderer": {"type": "text"}}),
        result("Grep", "Error: in a.py", {"content": "…", "renderer": {"type": "list"}}),
    ],
)
def test_a_success_that_lacks_something(event: Event) -> None:
    assert event.outcome == ""


@pytest.mark.parametrize(("text", "outcome"), [("ok", ""), ("Error: no", "failed")])
def test_another_writer_of_the_format_notes_less(text: str, outcome: str) -> None:
    record = {"type": "function_call_result", "name": "Edit", "callId": "c", "output": text}
    assert product.read(record, Place("s", 1, 0, 0)).outcome == outcome


def test_failures_everywhere(tmp_path: Path) -> None:
    home = laid_out("cb04-failures-as-done", tmp_path)
    path = next(home.glob("projects/*/*.jsonl"))
    transcript = Transcript(path, path.stem)
    transcript.read()
    with closing(Decisions(tmp_path / "decisions")) as decisions:
        actions = list(judged_actions(transcript, False, True, decisions, NOW))
    assert {action.state for action in actions} == {"failed"}
    assert len(actions) == 5
    fold = MemoryFold(path.stem, AGENT)
    with transcript.reading() as read:
        for index in range(len(transcript.positions)):
            fold.add(read(index))
    memory = fold.memory()
    assert [item.text for item in memory.completed_work] == ["Answered: Nothing of that worked."]
    assert len(memory.failed_attempts) == 5
