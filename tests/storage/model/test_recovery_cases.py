"""What is restored of every case at hand, against what the agents' own readers make of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.insight.recover import recover_of
from sessions_tui.storage.model.action import Action
from sessions_tui.storage.model.recovery import Recovery
from sessions_tui.storage.text.folding import well_formed
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
ENVELOPE = sorted(CASES.glob("envelope/*.jsonl"))
MYCODEAGENT = sorted(CASES.glob("mycodeagent*/**/*.jsonl"))

READ_THOUGH_REFUSED = {
    # MyCodeAgent's next append mends a character that was cut at the very end.
    "a11_partial_utf8_tail": "partial-tail",
    # No record belongs to the session that the loader asks for: nothing is there, nothing broken.
    "a18_numeric_session_id": "ok",
}
"""Cases that the loader refuses and that are not called corrupt, with the state that they have."""


def recovered(path: Path) -> Recovery:
    transcript = Transcript(path, path.stem.removeprefix("transcript-"))
    transcript.read()
    return recover_of(transcript)


def expected_of(path: Path) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    return expected


def comparable(value: Any) -> Any:
    """The value as strict JSON in valid UTF-8 has it."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [comparable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@pytest.mark.parametrize("path", ENVELOPE, ids=lambda path: path.stem)
def test_envelope_cases(path: Path) -> None:
    expected, recovery = expected_of(path), recovered(path)
    assert recovery.integrity.state == expected["verdict"].replace("_", "-")
    restored = recovery.restored
    if expected["verdict"] == "corrupt":
        assert restored is None
        return
    assert restored is not None
    assert recovery.ignored_partial_tail == (expected["verdict"] == "partial_tail")
    for name in ("messages", "title", "file_snapshots", "total_events", "next_sequence"):
        if name in expected:
            assert comparable(getattr(restored, name)) == comparable(expected[name]), name
    assert restored.reasoning_count == expected.get("reasoning_count", restored.reasoning_count)


@pytest.mark.parametrize("path", MYCODEAGENT, ids=lambda path: path.stem)
def test_mycodeagent_cases(path: Path) -> None:
    expected, recovery = expected_of(path), recovered(path)
    if "error" in expected:
        assert recovery.integrity.state == READ_THOUGH_REFUSED.get(path.stem, "corrupt")
        assert (recovery.restored is None) == (path.stem not in READ_THOUGH_REFUSED)
        return
    restored = recovery.restored
    assert restored is not None
    assert comparable(restored.messages) == comparable(expected["history"])
    for name in ("pending", "uncertain"):
        assert list(map(called, getattr(restored, name))) == list(map(call, expected[name]))
    assert [action.replay_allowed for action in restored.uncertain] == [
        action["replay_allowed"] for action in expected["uncertain"]
    ]
    assert sorted(restored.completed) == sorted(expected["completed"])
    assert sorted(restored.failed) == sorted(expected["failed"])
    for name in ("checkpoint", "terminal", "run_id"):
        assert comparable(getattr(restored, name)) == comparable(expected[name]), name
    assert restored.step == expected["loop_state"]["step"]
    assert restored.turn_count == expected["loop_state"]["turn_count"]
    assert restored.total_events == expected["event_count"]
    assert restored.next_sequence is None


def called(action: Action) -> tuple[Any, ...]:
    return action.call_id, action.tool, action.args, action.step


def call(expected: dict[str, Any]) -> tuple[Any, ...]:
    args = expected["payload"].get("args")
    return expected["tool_call_id"], expected["tool_name"], args, expected["step"]


@pytest.mark.parametrize(
    ("name", "state", "messages", "uncertain", "completed", "failed"),
    [
        ("01-ordinary-edits", "ok", None, [], None, None),
        ("03a-crash-mid-edit", "ok", 6, ["Edit"], 2, 0),
        ("03b-user-interrupt", "ok", 3, [], 1, 0),
        ("03c-torn-last-line", "partial-tail", None, ["Edit"], None, None),
        ("04-compaction", "ok", 3, [], 2, 0),
        ("08a-waiting-question", "ok", 2, ["AskUserQuestion"], 0, 0),
        ("08b-waiting-approval-or-running", "ok", None, ["Bash"], None, None),
        ("10a-third-party-rewrite", "damaged", 2, [], 0, 0),
        ("10b-empty", "ok", 0, [], 0, 0),
        ("10c-bad-utf8-lone-surrogate", "damaged", None, None, None, None),
    ],
)
def test_product_cases(
    name: str,
    state: str,
    messages: int | None,
    uncertain: list[str] | None,
    completed: int | None,
    failed: int | None,
) -> None:
    recovery = recovered(CASES / "product" / f"{name}.jsonl")
    restored = recovery.restored
    assert restored is not None
    assert recovery.integrity.state == state
    assert recovery.ignored_partial_tail == (state == "partial-tail")
    counts = len(restored.messages), len(restored.completed), len(restored.failed)
    for count, wanted in zip(counts, (messages, completed, failed), strict=True):
        assert wanted is None or count == wanted
    if uncertain is not None:
        assert [action.tool for action in restored.uncertain] == uncertain
