"""Eligible are messages and file snapshots with a time, in logs that can be trusted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sessions_tui.storage.candidates.eligibility import refusal_of
from sessions_tui.storage.model.integrity import Integrity
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
ENVELOPE = [
    path
    for path in sorted((CASES / "envelope").glob("*.jsonl"))
    if "eligible" in json.loads(path.with_suffix(".expected.json").read_text())
]


def read(path: Path) -> Transcript:
    transcript = Transcript(path, path.stem)
    transcript.read()
    return transcript


def eligible(transcript: Transcript) -> list[str]:
    """The ids of the events that may be remembered, those after the last line end too."""
    integrity, tail = transcript.ending()
    events = [*transcript.events(), *tail]
    return [e.event_id for e in events if e.event_id and not refusal_of(e, integrity)]


@pytest.mark.parametrize("path", ENVELOPE, ids=lambda path: path.stem)
def test_the_envelope_cases(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    assert eligible(read(path)) == expected["eligible"]


def test_nothing_of_a_broken_log_is_eligible() -> None:
    assert eligible(read(CASES / "envelope" / "093_sequence_gap.jsonl")) == []


def test_every_refusal_has_its_reason() -> None:
    transcript = read(CASES / "product" / "01-ordinary-edits.jsonl")
    reasons = {event.kind: refusal_of(event, Integrity()) for event in transcript.events()}
    assert reasons["prompt"] == reasons["answer"] == reasons["snapshot"] == ""
    assert "thought" in reasons["reasoning"]
    assert "tool call" in reasons["call"]
    assert "tool result" in reasons["result"]
