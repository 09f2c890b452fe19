"""What a row says of a question that waits for its person."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessions_tui.storage.model.timeline import Alive, CallState
from sessions_tui.storage.timeline.rows import Rows
from sessions_tui.storage.transcript.transcript import Transcript

CASE = Path(__file__).parents[2] / "cases" / "product" / "08a-waiting-question.jsonl"


@pytest.mark.parametrize(
    ("alive", "state", "detail"),
    [(alive, "running", "asks you") for alive in (True, False, None)],
)
def test_an_open_question_asks(alive: Alive, state: CallState, detail: str) -> None:
    transcript = Transcript(CASE, CASE.stem)
    transcript.read()
    rows = Rows(transcript, alive=alive)
    asked = [row for at in range(len(rows)) if (row := rows[at]).tool == "AskUserQuestion"]
    assert [(row.state, row.detail) for row in asked[-1:]] == [(state, detail)]
