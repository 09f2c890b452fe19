"""Events with the action, state and branch that only their transcript knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.timeline.annotated import AnnotatedEvent, Annotator
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
PATHS = sorted(CASES.glob("**/*.jsonl"))
AT = 1_795_320_000_000


def annotator(path: Path, alive: bool = False) -> list[AnnotatedEvent]:
    transcript = Transcript(path, path.stem.removeprefix("transcript-"))
    transcript.read()
    return list(Annotator(transcript, alive).events())


def product(step: str) -> dict[str, Any]:
    kind, call = step.split()
    record: dict[str, Any] = {"timestamp": AT, "sessionId": "s", "callId": call, "name": "Edit"}
    if kind == "call":
        return record | {"type": "function_call", "arguments": "{}"}
    error = {"toolResult": {"error": "no"}} if kind == "failed" else {}
    return record | {"type": "function_call_result", "status": "completed", "providerData": error}


def envelope(step: str) -> dict[str, Any]:
    kind, call = step.split()
    if kind == "call":
        return {"type": "function_call", "callId": call, "name": "Edit", "arguments": {}}
    output = {"content": "x", "is_error": kind == "failed"}
    return {"type": "function_call_result", "callId": call, "output": output}


def mycodeagent(step: str) -> dict[str, Any]:
    status, call = step.split()
    payload: dict[str, Any] = {"tool_name": "Edit", "tool_call_id": call, "status": status}
    kind = "tool_lifecycle"
    if status == "told":
        kind = "message"
        metadata = {"tool_name": "Edit", "tool_call_id": call}
        payload = {"role": "tool", "content": "x", "metadata": metadata}
    return {
        "event_id": f"{status}-{call}",
        "timestamp": "2026-11-20T10:00:00Z",
        "session_id": "s",
        "run_id": "run-1",
        "step": 1,
        "event_type": kind,
        "payload": payload,
        "schema_version": 1,
    }


WRITERS = {"product": product, "envelope": envelope, "mycodeagent": mycodeagent}
FIRST, SECOND = "transcript:s:1", "transcript:s:2"


@pytest.mark.parametrize(
    ("dialect", "steps", "kinds", "actions", "states"),
    [
        ("product", ["call a", "done a"], ["call", "result"], [None, FIRST], ["completed", ""]),
        ("product", ["call a", "failed a"], ["call", "result"], [None, FIRST], ["failed", ""]),
        ("product", ["call a"], ["call"], [None], ["uncertain"]),
        (
            "product",
            ["call a", "call b", "done b"],
            ["call", "call", "result"],
            [None, None, SECOND],
            ["uncertain", "completed", ""],
        ),
        ("product", ["done a"], ["result"], [None], [""]),
        ("envelope", ["call a", "done a"], ["call", "result"], [None, FIRST], ["completed", ""]),
        ("envelope", ["call a", "failed a"], ["call", "result"], [None, FIRST], ["failed", ""]),
        (
            "mycodeagent",
            ["requested a", "started a", "completed a", "told a"],
            ["call", "call", "result", "meta"],
            [None, None, "started-a", "started-a"],
            ["completed", "completed", "", ""],
        ),
        (
            "mycodeagent",
            ["requested a", "failed a", "told a"],
            ["call", "result", "meta"],
            [None, "requested-a", "requested-a"],
            ["failed", "", ""],
        ),
        ("mycodeagent", ["requested a"], ["call"], [None], ["pending"]),
        (
            "mycodeagent",
            ["requested a", "started a"],
            ["call", "call"],
            [None, None],
            ["uncertain", "uncertain"],
        ),
        (
            "mycodeagent",
            ["requested a", "requested b", "started b", "started a", "completed a", "told b"],
            ["call", "call", "call", "call", "result", "meta"],
            [None, None, None, None, "started-a", "started-b"],
            ["completed", "uncertain", "uncertain", "completed", "", ""],
        ),
    ],
)
def test_actions_and_states(
    tmp_path: Path,
    dialect: str,
    steps: list[str],
    kinds: list[str],
    actions: list[str | None],
    states: list[str],
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(WRITERS[dialect](step)) + "\n" for step in steps))
    told = annotator(path)
    assert [one.event.agent.name for one in told] == [dialect] * len(steps)
    assert [one.event.kind for one in told] == kinds
    assert [one.action for one in told] == actions
    assert [one.state for one in told if one.event.kind == "call"] == [
        state for state, kind in zip(states, kinds, strict=True) if kind == "call"
    ]
    running = [one.state for one in annotator(path, alive=True)]
    assert "uncertain" not in running
    assert running.count("running") == [one.state for one in told].count("uncertain")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(CASES)))
def test_every_case_is_told_whole(path: Path) -> None:
    told = annotator(path)
    ids = {one.event.event_id for one in told}
    assert all(one.action in ids for one in told if one.action is not None)
    assert all(one.action is None for one in told if one.event.kind == "call")
    assert all(one.state for one in told if one.event.kind == "call")
    numbers = [one.event.place.number for one in told]
    assert numbers == list(range(1, len(told) + 1))


def test_an_unterminated_last_record_is_told_too(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(product("call a")) + "\n" + json.dumps(product("call b")))
    assert [one.event.call_id for one in annotator(path)] == ["a", "b"]
    transcript = Transcript(path, "s")
    transcript.read()
    assert len(list(Annotator(transcript, alive=False).events(0, 1))) == 1
    assert [one.event.call_id for one in Annotator(transcript, False).events(1)] == ["b"]


@pytest.mark.parametrize("dialect", WRITERS)
def test_an_unterminated_result_belongs_to_its_call(tmp_path: Path, dialect: str) -> None:
    write = WRITERS[dialect]
    first, last = ("started a", "failed a") if dialect == "mycodeagent" else ("call a", "failed a")
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(write(first)) + "\n" + json.dumps(write(last)))
    call, result = annotator(path)
    assert (call.state, result.action, result.state) == ("uncertain", call.event.event_id, "")
