"""What MyCodeAgent writes, as events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.mycodeagent import AGENT
from sessions_tui.storage.agents.mycodeagent import reader as mycodeagent
from sessions_tui.storage.files.lines import split
from sessions_tui.storage.model.event import FOREIGN, Event, Place
from sessions_tui.storage.records.parsing import read_line

CASES = Path(__file__).parents[3] / "cases"
RUNS = CASES / "mycodeagent-runs"


def events_of(path: Path, inner: str | None = None) -> list[Event]:
    return [
        read_line(line.data, Place(path.stem, number, line.offset, 0, inner), AGENT)
        for number, line in enumerate(split(path.read_bytes(), 0, lone_cr=True), 1)
    ]


def run(name: str) -> list[Event]:
    """The events of a run's main transcript."""
    paths = (RUNS / name / "memory" / "transcripts").glob("transcript-s-*.jsonl")
    return events_of(next(iter(sorted(paths))))


def read(event_type: object, payload: Any, inner: object = None, **record: Any) -> Event:
    whole = {"event_type": event_type, "payload": payload, **record}
    return mycodeagent.read(whole, Place("s-1", 4, 0, 0, inner))


def message(role: object, content: object = "x", **metadata: Any) -> Event:
    return read("message", {"role": role, "content": content, "metadata": metadata})


def test_a_call_from_request_to_what_the_model_was_told() -> None:
    events = [event for event in run("b_multi_run_resume") if event.call_id]
    assert [(event.kind, event.stage, event.run, event.step) for event in events[:4]] == [
        ("call", "requested", "run-1", 1),
        ("call", "started", "run-1", 1),
        ("result", "ended", "run-1", 1),
        ("meta", "told", "run-1", 1),
    ]
    assert {(event.tool, event.call_id) for event in events} == {("Read", "call_1")}
    assert {event.run for event in events} == {"run-1", "run-2"}
    assert (events[0].args, events[0].text) == ({"path": "README.md"}, "README.md")
    assert events[2].text.startswith("Read 3 lines from 'README.md'")
    assert "Login lives in auth.py." in events[2].text


def test_how_runs_and_answers_end() -> None:
    events = run("b_multi_run_resume")
    finals = [event.text for event in events if event.outcome == "final" and event.kind == "answer"]
    assert finals == ["It is a demo project.", "login() checks admin/secret."]
    blocked = run("h_gate_blocked")
    assert [event.kind for event in blocked if event.role == "user"] == [
        "prompt",
        "injected",
        "injected",
    ]
    assert not [event for event in blocked if event.kind == "answer" and event.outcome]
    end = blocked[-1]
    assert (end.kind, end.outcome) == ("terminal", "failed")
    assert mycodeagent.failure(end) == "completion_gate_blocked"


def test_a_failed_task() -> None:
    failed = [event for event in run("e_subagent_failed") if event.outcome == "failed"]
    assert [(event.kind, mycodeagent.failure(event)) for event in failed] == [
        ("result", "INTERNAL_ERROR")
    ]


@pytest.mark.parametrize(
    ("event", "kind", "outcome"),
    [
        (message("user"), "prompt", ""),
        (message("user", source="completion_gate"), "injected", ""),
        (message("assistant", action_type="final"), "answer", "final"),
        (message("assistant", action_type="final_unverified"), "answer", "final"),
        (message("assistant", action_type="final_candidate"), "answer", ""),
        (message("assistant", action_type=["final"]), "answer", ""),
        (message("summary"), "summary", ""),
        (message("system"), "injected", ""),
        (message("Assistant"), "meta", ""),
        (message(None), "meta", ""),
        (read("message", {}), "answer", ""),
        (read("message", [["role", "user"]]), "prompt", ""),
        (read("message", "text"), "answer", ""),
        (read("state_transition", {"reason": "context_compacted"}), "transition", ""),
        (read("checkpoint", {"summary": "so far"}), "checkpoint", ""),
        (read("terminal", {"reason": "completed_unverified"}), "terminal", "final"),
        (read("terminal", {"reason": "interrupted"}), "terminal", "interrupted"),
        (read("terminal", {"reason": "max_steps"}), "terminal", "failed"),
        (read("terminal", {}), "terminal", ""),
        (read("tool_lifecycle", {"status": "Started", "tool_call_id": "c"}), "unknown", ""),
        (read("tool_lifecycle", {"status": []}), "unknown", ""),
        (read("MESSAGE", {}), "unknown", ""),
        (read(["message"], {}), "unknown", ""),
    ],
)
def test_kinds(event: Event, kind: str, outcome: str) -> None:
    assert (event.kind, event.outcome) == (kind, outcome)


@pytest.mark.parametrize("session", ["s-2", "S-1", 1, None])
def test_records_of_another_session_are_foreign(session: object) -> None:
    event = read("message", {"role": "user"}, inner="s-1", session_id=session)
    assert (event.kind, event.problem) == ("unknown", FOREIGN)
    own = read("message", {"role": "user"}, inner=str(session), session_id=str(session))
    assert own.kind == "prompt"


@pytest.mark.parametrize(
    ("call_id", "expected"),
    [("c", "c"), (7, "7"), ("", None), (0, None), (None, None), ([1], None)],
)
def test_call_ids(call_id: object, expected: str | None) -> None:
    event = read("tool_lifecycle", {"status": "started", "tool_call_id": call_id})
    assert event.call_id == expected


@pytest.mark.parametrize(
    ("step", "expected"), [(3, 3), ("3", 3), (2.9, 2), ("x", None), (None, None), ([], None)]
)
def test_steps(step: object, expected: int | None) -> None:
    assert read("message", {}, step=step).step == expected


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"result": {"text": "Ran", "data": {"stdout": "out", "stderr": "err"}}}, "Ran\nout\nerr"),
        ({"result": {"text": "said", "error": {"message": "said"}}}, "said"),
        ({"result": {"data": {"paths": ["a", "b"]}}}, "a\nb"),
        (
            {"result": {"data": {"matches": [{"file": "a.py", "line": 3, "text": "x = 1"}, None]}}},
            "a.py:3: x = 1",
        ),
        ({"result": {"data": {}}}, '{"data": {}}'),
        ({"result": "words"}, "words"),
        ({"result_text": "words"}, "words"),
        ({"error": "broken", "args": {}}, "broken"),
        ({}, ""),
    ],
)
def test_text_of_results(payload: dict[str, Any], text: str) -> None:
    assert read("tool_lifecycle", {"status": "completed", **payload}).text == text


def test_a_mention_is_taken_off_the_prompt() -> None:
    content = "fix @a.py\n\n<system-reminder>\nThe user mentioned @a.py.\n</system-reminder>"
    assert message("user", content).text == "fix @a.py"
    about = "Strip the <system-reminder> tag"
    assert (message("user", about).kind, message("user", about).text) == ("prompt", about)
    assert message("user", {"odd": 1}).text == '{"odd": 1}'
