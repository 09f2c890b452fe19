"""The evidence envelope and legacy logs, as events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.envelope import AGENT
from sessions_tui.storage.agents.envelope import reader as envelope
from sessions_tui.storage.files.lines import split
from sessions_tui.storage.model.event import Event, Place
from sessions_tui.storage.records.parsing import read_line

CASES = Path(__file__).parents[3] / "cases" / "envelope"


def case(name: str) -> list[Event]:
    path = CASES / f"{name}.jsonl"
    return [
        read_line(line.data, Place(name, number, line.offset, len(line.data)), AGENT)
        for number, line in enumerate(split(path.read_bytes(), 0, lone_cr=True), 1)
    ]


def read(**record: Any) -> Event:
    return envelope.read(record, Place("s", 3, 0, 0))


def test_the_six_types() -> None:
    events = case("004_six_types")
    assert {event.kind for event in events} == {
        "prompt",
        "answer",
        "reasoning",
        "call",
        "result",
        "snapshot",
        "title",
    }
    assert [event.event_id for event in events] == [
        f"transcript:004_six_types:{number}" for number in range(1, len(events) + 1)
    ]
    assert all(event.at for event in events)


def test_a_call_and_its_refusal() -> None:
    call, result = case("139_permission_blocked_result")
    assert (call.tool, call.call_id, call.stage) == ("bash", "c1", "started")
    assert (call.args, call.text) == ({"command": "sudo ls"}, "sudo ls")
    assert (result.call_id, result.stage, result.outcome) == ("c1", "ended", "failed")
    assert result.text.startswith("Permission blocked [bash.hard_deny]")
    assert envelope.failure(result) == "error"


def test_roles() -> None:
    kinds = [event.kind for event in case("134_roles_odd")]
    assert kinds == ["injected", "meta", "meta", "meta", "prompt"]


@pytest.mark.parametrize(
    ("name", "kind", "problem"),
    [
        ("126_message_without_role", "meta", "malformed: the message has no role"),
        ("127_message_without_content", "prompt", "malformed: the message has no content"),
    ],
)
def test_malformed_records_stay(name: str, kind: str, problem: str) -> None:
    (event,) = case(name)
    assert (event.kind, event.problem) == (kind, problem)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("fix <b>", "prompt"),
        ("", "prompt"),
        ("Strip the <system-reminder> tag", "prompt"),
        ("<environments>a</environments>", "prompt"),
        ("<system-reminder>all of it</system-reminder>", "injected"),
        ([{"type": "text", "text": "<cb_summary>The goal.</cb_summary>"}], "summary"),
        ("<cb_summary> is ugly", "prompt"),
    ],
)
def test_what_a_user_message_is(content: object, kind: str) -> None:
    assert read(type="message", role="user", content=content).kind == kind


@pytest.mark.parametrize("type_of", ["Message", "session_start", None, 5, [], {}])
def test_unknown_types(type_of: object) -> None:
    event = read(type=type_of)
    assert (event.kind, event.problem) == ("unknown", "")


@pytest.mark.parametrize(
    ("record", "event_id"),
    [
        ({"event_id": "transcript:other:9"}, "transcript:other:9"),
        ({"event_id": 5}, "transcript:s:3"),
        ({"event_id": ""}, "transcript:s:3"),
        ({}, "transcript:s:3"),
    ],
)
def test_event_ids(record: dict[str, Any], event_id: str) -> None:
    assert read(**record).event_id == event_id


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hi", "hi"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ("<user_query>typed</user_query>", "typed"),
        (
            "<system-reminder>all of it</system-reminder>",
            "<system-reminder>all of it</system-reminder>",
        ),
        ({"text": "t"}, "t"),
        (5, "5"),
        (None, ""),
    ],
)
def test_text_of_prompts(content: object, text: str) -> None:
    assert read(type="message", role="user", content=content).text == text


@pytest.mark.parametrize(
    ("output", "text"),
    [({"content": "out"}, "out"), ("out", "out"), ({"a": 1}, '{"a": 1}'), ([1], "1"), (None, "")],
)
def test_text_of_results(output: object, text: str) -> None:
    assert read(type="function_call_result", callId="c", output=output).text == text


def test_the_last_title_that_says_something_counts() -> None:
    titles = [envelope.title(event) for event in case("141_titles_last_is_null")]
    assert any(title and title.source == "ai-title" for title in titles)
    assert titles[-1] is None
