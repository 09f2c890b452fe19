"""MyCodeAgent's records as they are written, and the tails that its own writer leaves behind."""

from __future__ import annotations

import json
import shutil
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.model.event import Event
from sessions_tui.storage.recording import (
    CannotContinue,
    MyCodeAgentForm,
    MyCodeAgentRecorder,
    RecordRefused,
    Store,
    TornTail,
    Untrusted,
    resume,
)

from .recordings import CASES, Ticking, integrity, is_strict, records

TRANSCRIPTS = sorted(CASES.glob("mycodeagent*/**/*.jsonl"))
WRITTEN = """\
{"event_id": "evt-1", "timestamp": "2026-11-30T08:00:01.000001Z", "session_id": "s1", \
"run_id": "run-1", "step": 0, "event_type": "message", "payload": {"role": "user", "content": \
"修", "metadata": {}}, "schema_version": 1}
{"event_id": "evt-2", "timestamp": "2026-11-30T08:00:02.000002Z", "session_id": "s1", \
"run_id": "run-1", "step": 0, "event_type": "state_transition", "payload": {"from_state": null, \
"to_state": "user_input", "reason": "user_input", "details": {"pending_input_len": 1}}, \
"schema_version": 1}
{"event_id": "evt-3", "timestamp": "2026-11-30T08:00:03.000003Z", "session_id": "s1", \
"run_id": "run-1", "step": 1, "event_type": "tool_lifecycle", "payload": {"tool_name": "Edit", \
"tool_call_id": "c1", "status": "started", "args": {"path": "x", "a": 1}}, "schema_version": 1}
{"event_id": "evt-4", "timestamp": "2026-11-30T08:00:04.000004Z", "session_id": "s1", \
"run_id": "run-1", "step": 1, "event_type": "checkpoint", "payload": {"summary": "S", \
"runtime_state": {"k": 1}, "checkpoint_id": "compact_1"}, "schema_version": 1}
{"event_id": "evt-5", "timestamp": "2026-11-30T08:00:05.000005Z", "session_id": "s1", \
"run_id": "run-1", "step": 1, "event_type": "terminal", "payload": {"reason": "completed", \
"details": {}}, "schema_version": 1}
"""


def record_all(path: Path, **options: Any) -> None:
    ids = count(1)
    with MyCodeAgentRecorder(path, new_id=lambda: f"evt-{next(ids)}", **options) as recorder:
        recorder.message("user", "修")
        recorder.transition("user_input", {"pending_input_len": 1})
        recorder.step = 1
        recorder.tool("started", "Edit", "c1", args={"path": "x", "a": 1})
        recorder.checkpoint("S", "compact_1", runtime_state={"k": 1})
        recorder.terminal("completed")


def test_every_type_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "transcripts" / "transcript-s1.jsonl"
    record_all(path, clock=Ticking())
    assert path.read_text("utf-8") == WRITTEN
    assert is_strict(path)


def test_what_a_file_continues_stands_last_and_first_only(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s1.jsonl"
    record_all(path, clock=Ticking(), continues="s0")
    first, rest = WRITTEN.split("}\n", 1)
    assert path.read_text("utf-8") == first + ', "continues": "s0"}\n' + rest
    assert is_strict(path)


def test_runs_are_counted_on(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s1.jsonl"
    record_all(path)
    with MyCodeAgentRecorder.continuing(path) as recorder:
        event = recorder.transition("user_input")
        assert event.record["payload"]["from_state"] is None
        assert recorder.run == "run-2"
        recorder.begin_run()
        recorder.begin_run()
        assert recorder.run is None
        assert recorder.terminal("completed").run == "run-3"


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("note", {}),
        ("message", {"role": "assistant", "metadata": {"tool_calls": ["c1"]}}),
        ("message", {"role": "user", "content": "x", "metadata": "text"}),
        ("state_transition", {"reason": "user_input", "details": 5}),
        ("message", {"role": "user", "content": {"text": "x"}}),
        ("message", {"role": "assistant", "content": None}),
        ("tool_lifecycle", {"tool_name": "Edit", "tool_call_id": "c1", "status": "running"}),
        ("tool_lifecycle", {"tool_name": "Edit", "tool_call_id": "c1", "status": ["started"]}),
        ("tool_lifecycle", {"tool_name": "Edit", "tool_call_id": "c1"}),
        ("message", 5),
    ],
)
def test_what_the_loader_would_refuse_or_nobody_can_use_is_refused(
    tmp_path: Path, name: str, payload: Any
) -> None:
    path = tmp_path / "s" / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path) as recorder, pytest.raises(RecordRefused):
        recorder.record(name, payload)
    assert not path.exists()


@pytest.mark.parametrize("status", ["running", "done", "", None])
def test_a_call_has_a_status_that_is_known(tmp_path: Path, status: Any) -> None:
    path = tmp_path / "s" / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path) as recorder:
        with pytest.raises(RecordRefused, match="requested, started, completed, failed"):
            recorder.tool(status, "Edit", "c1", args={})
        with pytest.raises(TypeError, match="output"):
            recorder.tool("completed", "Edit", "c1", output="lost")  # type: ignore[call-arg]
    assert not path.exists()


def test_a_record_has_its_fields_and_no_others(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.jsonl", MyCodeAgentForm())
    fields = {"run_id": "run-1", "step": 0, "event_type": "terminal", "payload": {}}
    for wrong in ({**fields, "session_id": "x"}, {"step": 0}):
        with pytest.raises(RecordRefused):
            store.append(wrong)
    assert not list(tmp_path.iterdir())


WHOLE = WRITTEN.splitlines()[1]
TAILS = [
    ("", "", None),
    (WHOLE, WHOLE + "\n", None),
    (WHOLE + " \r", WHOLE + " \r\n", None),
    (WHOLE[:-1], "", None),
    ("{", "", None),
    ("\0\0\0", "", None),
    ("  ", "", None),
    ("12", "12", Untrusted),
    ("[]", "[]", Untrusted),
    (WHOLE.replace("state_transition", "odd"), None, Untrusted),
]


@pytest.mark.parametrize(("tail", "kept", "error"), TAILS)
def test_tails_are_mended_as_the_agent_does(
    tmp_path: Path, tail: str, kept: str | None, error: type[Exception] | None
) -> None:
    path = tmp_path / "transcript-s1.jsonl"
    head = WRITTEN.splitlines(keepends=True)[0]
    path.write_text(head + tail, "utf-8", newline="")
    before = path.read_bytes()
    with MyCodeAgentRecorder(path) as recorder:
        if error:
            with pytest.raises(error):
                recorder.terminal("completed")
            assert path.read_bytes() == before
            return
        recorder.terminal("completed")
    mended = f"{head}{kept}".encode()
    assert path.read_bytes().startswith(mended)
    assert path.read_bytes().count(b"\n") == mended.count(b"\n") + 1
    assert is_strict(path)


def test_half_a_character_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s1.jsonl"
    first, _ = WRITTEN.encode().split("修".encode())
    path.write_bytes(WRITTEN.encode() + first + "修".encode()[:2])
    with MyCodeAgentRecorder.continuing(path) as recorder:
        recorder.terminal("completed")
    assert path.read_bytes().startswith(WRITTEN.encode() + b'{"event_id"')
    assert is_strict(path)


@pytest.mark.parametrize("left", [b"", b"\n", b'{"event_id": "evt', b" \n\n{"])
def test_a_writer_that_died_in_its_first_record(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "transcript-s1.jsonl"
    path.write_bytes(left)
    resume(path)
    record_all(path)
    assert is_strict(path)
    assert len(resume(path).history) == 1


def test_a_bad_last_line_with_a_line_end_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s1.jsonl"
    path.write_text(WRITTEN + "{torn\n", "utf-8")
    before = path.read_bytes()
    with MyCodeAgentRecorder(path) as recorder, pytest.raises(TornTail):
        recorder.terminal("completed")
    with MyCodeAgentRecorder.continuing(path) as recorder:
        recorder.message("user", "go on")
    assert path.read_bytes() == before
    assert recorder.path.name == "transcript-s1_2.jsonl"
    assert records(recorder.path)[0]["continues"] == "s1"
    assert resume(path).total_events == 6


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=lambda path: path.stem)
def test_what_the_agent_wrote_is_continued_or_left_alone(tmp_path: Path, case: Path) -> None:
    path = Path(shutil.copy(case, tmp_path))
    before, was = path.read_bytes(), integrity(path)
    with MyCodeAgentRecorder(path) as recorder:
        try:
            event = recorder.message("user", "go on")
        except CannotContinue:
            assert path.read_bytes() == before
            assert was.state in ("corrupt", "partial-tail")
            return
    whole = before[: before.rfind(b"\n") + 1]
    assert path.read_bytes().startswith(whole)
    assert integrity(path).state == "ok"
    last = records_of_last_line(path)
    assert last["event_id"] == event.event_id
    restored = resume(path)
    assert restored.history[-1]["content"] == "go on"
    assert restored.run_id == last["run_id"]


def records_of_last_line(path: Path) -> dict[str, Any]:
    last: dict[str, Any] = json.loads(path.read_bytes().splitlines()[-1])
    return last


def test_no_two_recorders_are_in_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path) as one, MyCodeAgentRecorder(path) as other:
        one.message("user", "a")
        other.tool("started", "Edit", "call_0", args={})
        one.begin_run()
        other.message("user", "between")
        assert one.tool("completed", "Edit", "call_0", result={}).run == "run-3"
    assert [record["run_id"] for record in records(path)] == ["run-1", "run-2", "run-2", "run-3"]
    assert [action.call_id for action in resume(path).uncertain] == ["call_0"]


def test_the_highest_run_counts_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    with MyCodeAgentRecorder(path, limit=2) as early, MyCodeAgentRecorder(path, limit=2) as late:
        for recorder in (early, late, early, early):
            recorder.message("user", "x")
    assert records(early.path)[-1]["run_id"] == "run-1"
    with MyCodeAgentRecorder.continuing(path) as third:
        assert third.message("user", "x").run == "run-3"


def test_a_run_that_was_not_kept_has_no_number(tmp_path: Path) -> None:
    with MyCodeAgentRecorder(tmp_path / "transcript-s.jsonl") as recorder:
        with pytest.raises(RecordRefused):
            recorder.message("user", "\ud800")
        assert recorder.run is None
        assert recorder.message("user", "x").run == "run-1"


def test_a_callback_records_into_the_same_run(tmp_path: Path) -> None:
    runs: list[str | None] = []

    def answer(event: Event) -> None:
        runs.append(event.run)
        if len(runs) == 1:
            recorder.message("assistant", "from the callback")

    recorder = MyCodeAgentRecorder(tmp_path / "transcript-s.jsonl", on_record=answer)
    recorder.message("user", "x")
    recorder.close()
    assert runs == ["run-1", "run-1"]


def test_the_step_that_an_agent_set_is_written(tmp_path: Path) -> None:
    path = tmp_path / "transcript-s.jsonl"
    record_all(path)
    with MyCodeAgentRecorder.continuing(path) as recorder:
        recorder.step = 3
        assert recorder.message("assistant", "x").step == 3
        recorder.begin_run()
        assert recorder.message("user", "x").step == 0


@pytest.mark.parametrize("tail", [WRITTEN.replace("\n", "\r"), WHOLE + "\r" + WHOLE[:40]])
@pytest.mark.parametrize("head", ["", WRITTEN])
def test_lines_that_end_in_cr_are_never_cut(tmp_path: Path, head: str, tail: str) -> None:
    path = tmp_path / "transcript-s1.jsonl"
    path.write_text(head + tail, "utf-8", newline="")
    before, events = path.read_bytes(), resume(path).total_events
    assert events
    with MyCodeAgentRecorder(path) as recorder, pytest.raises(TornTail):
        recorder.message("user", "go on")
    with MyCodeAgentRecorder.continuing(path) as recorder:
        recorder.message("user", "go on")
    assert path.read_bytes() == before
    assert recorder.path.name == "transcript-s1_2.jsonl"
    assert resume(path).total_events == events + 1
