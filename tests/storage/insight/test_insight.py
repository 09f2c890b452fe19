"""Memory and recovery of an open transcript: in slices, as it grows, equal to folding it whole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sessions_tui.storage.insight import insight as module
from sessions_tui.storage.insight.insight import Insight
from sessions_tui.storage.insight.recover import recover_of
from sessions_tui.storage.transcript.transcript import Transcript

CASES = Path(__file__).parents[2] / "cases"
PATHS = [
    CASES / "product" / "01-ordinary-edits.jsonl",
    CASES / "product" / "04-compaction.jsonl",
    CASES / "envelope" / "004_six_types.jsonl",
    CASES / "envelope" / "093_sequence_gap.jsonl",
    CASES / "mycodeagent" / "c22_uncertain_then_later_run.jsonl",
]


def whole(path: Path) -> Insight:
    transcript = Transcript(path, path.stem)
    transcript.read()
    insight = Insight(transcript)
    while insight.advance():
        pass
    return insight


@pytest.mark.parametrize("source", PATHS, ids=lambda path: path.stem)
def test_a_record_at_a_time_equals_the_whole(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SLICE", 2)
    path = tmp_path / source.name
    path.write_bytes(b"")
    transcript = Transcript(path, path.stem)
    transcript.read()
    insight = Insight(transcript)
    for line in source.read_bytes().splitlines(keepends=True):
        with path.open("ab") as file:
            file.write(line)
        transcript.read()
        while insight.advance():
            pass
    assert insight.memory(alive=False) == whole(path).memory(alive=False)
    assert insight.recovery(alive=False) == recover_of(transcript)


def test_another_file_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    shutil.copy(PATHS[0], path)
    insight = whole(path)
    assert insight.share == 1.0
    path.write_bytes(PATHS[1].read_bytes())
    insight.transcript.read()
    while insight.advance():
        pass
    assert insight.memory(alive=False) == whole(path).memory(alive=False)


def test_broken_evidence_restores_nothing() -> None:
    recovery = whole(CASES / "envelope" / "093_sequence_gap.jsonl").recovery(alive=True)
    assert (recovery.integrity.state, recovery.restored) == ("corrupt", None)


@pytest.mark.parametrize(
    ("alive", "states"),
    [
        (True, ["uncertain", "running"]),
        (False, ["uncertain"] * 2),
        (None, ["uncertain", "unknown"]),
    ],
)
def test_of_the_open_calls_one_that_may_still_end_runs(
    tmp_path: Path, alive: bool | None, states: list[str]
) -> None:
    def call(name: str, second: int) -> dict[str, object]:
        return {"type": "function_call", "callId": name, "name": "Bash", "arguments": "{}"} | {
            "id": name,
            "sessionId": "s",
            "timestamp": 1_778_508_131_000 + second,
        }

    answer = {"type": "message", "role": "assistant", "sessionId": "s", "content": [], "id": "a"}
    path = tmp_path / "s.jsonl"
    records = [call("lost", 1), answer | {"timestamp": 1_778_508_131_002}, call("current", 3)]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    restored = whole(path).recovery(alive).restored
    assert restored is not None
    shown = [*restored.uncertain, *restored.running]
    assert [action.state for action in shown] == states
