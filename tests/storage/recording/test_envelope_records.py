"""Envelopes as they are written: byte for byte, and behind what other agents wrote."""

from __future__ import annotations

import json
import shutil
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    EnvelopeForm,
    EnvelopeRecorder,
    MyCodeAgentForm,
    RecordRefused,
    Store,
    TornTail,
    Untrusted,
    chain_of,
)
from sessions_tui.storage.recording.envelope_form import RESERVED

from .recordings import CASES, Ticking, integrity, is_strict, records

PRODUCT = CASES / "envelope" / "159_real_workbuddy_like.jsonl"
ENVELOPES = sorted({*CASES.glob("envelope/*.jsonl")} - {PRODUCT})
WRITTEN = """\
{"content": "修复 \\u2028 \\"x\\"\\n", "event_id": "transcript:夜 a.b:1", "recorded_at": \
"2026-11-30T08:00:01.000001+00:00", "role": "user", "schema_version": 1, "sequence": 1, \
"session_id": "夜 a.b", "type": "message"}
{"content": "read first", "event_id": "transcript:夜 a.b:2", "recorded_at": \
"2026-11-30T08:00:02.000002+00:00", "schema_version": 1, "sequence": 2, \
"session_id": "夜 a.b", "type": "reasoning"}
{"arguments": {"a": 1, "path": "x"}, "callId": "c1", "event_id": "transcript:夜 a.b:3", \
"name": "Edit", "recorded_at": "2026-11-30T08:00:03.000003+00:00", "schema_version": 1, \
"sequence": 3, "session_id": "夜 a.b", "type": "function_call"}
{"callId": "c1", "event_id": "transcript:夜 a.b:4", "output": {"content": "ok"}, \
"recorded_at": "2026-11-30T08:00:04.000004+00:00", "schema_version": 1, "sequence": 4, \
"session_id": "夜 a.b", "type": "function_call_result"}
{"event_id": "transcript:夜 a.b:5", "hash": "beef", "path": "x", "recorded_at": \
"2026-11-30T08:00:05.000005+00:00", "schema_version": 1, "sequence": 5, \
"session_id": "夜 a.b", "type": "file-history-snapshot"}
{"event_id": "transcript:夜 a.b:6", "recorded_at": "2026-11-30T08:00:06.000006+00:00", \
"schema_version": 1, "sequence": 6, "session_id": "夜 a.b", "title": "T", "type": "ai-title"}
"""


def test_every_type_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "夜 a.b.jsonl"
    with EnvelopeRecorder(path, clock=Ticking()) as recorder:
        recorder.message("user", '修复 \u2028 "x"\n')
        recorder.reasoning("read first")
        call = recorder.call("Edit", {"path": "x", "a": 1}, "c1")
        recorder.result(call.call_id, {"content": "ok"})
        recorder.snapshot("x", "beef")
        recorder.title("T")
    assert path.read_text("utf-8") == WRITTEN
    assert is_strict(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_text_is_written_as_the_standard_library_writes_it(tmp_path: Path) -> None:
    every = "".join(map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1))))
    fields = {"type": "message", every[:0x3000]: "", "content": every}
    with EnvelopeRecorder(tmp_path / "s.jsonl", sync=False) as recorder:
        event = recorder.record("message", fields)
    line = recorder.path.read_bytes()
    record = json.loads(line)
    assert record == event.record
    assert record.items() >= fields.items()
    written = json.dumps(record, ensure_ascii=False, sort_keys=True)
    for separator in "\x85\u2028\u2029":
        written = written.replace(separator, f"\\u{ord(separator):04x}")
    assert line.decode() == written + "\n"


class Moment(datetime):
    """A time of a class that somebody made of the common one."""


@pytest.mark.parametrize("kind", [datetime, Moment])
@pytest.mark.parametrize("microsecond", [0, 1, 120_000, 999_999])
@pytest.mark.parametrize("year", [1, 999, 2026, 9999])
def test_a_time_is_written_as_isoformat_writes_it(
    tmp_path: Path, kind: type[datetime], microsecond: int, year: int
) -> None:
    at = kind(year, 11, 30, 8, 0, 1, microsecond, tzinfo=UTC)
    with EnvelopeRecorder(tmp_path / "s.jsonl", sync=False, clock=lambda: at) as recorder:
        recorder.title("T")
    assert records(recorder.path)[0]["recorded_at"] == at.isoformat()


def test_a_whole_second_has_no_fraction(tmp_path: Path) -> None:
    clock = Ticking()
    with EnvelopeRecorder(tmp_path / "s.jsonl", clock=lambda: clock.now) as recorder:
        recorder.title("T")
    assert records(tmp_path / "s.jsonl")[0]["recorded_at"] == "2026-11-30T08:00:00+00:00"


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_the_envelopes_own_fields_are_refused(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path / "s" / "s.jsonl", EnvelopeForm())
    with pytest.raises(RecordRefused, match=name):
        store.append({"type": "message", name: None})
    assert not list(tmp_path.iterdir())


def test_the_event_is_what_a_reader_has(tmp_path: Path) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        written = [recorder.message("user", ("a", "tuple")), recorder.call("Bash", {"x": None})]
        seen: list[object] = []
        recorder._recording.store.follow(seen.append)
    assert seen == written
    assert written[0].record["content"] == ["a", "tuple"]


def test_a_products_own_session_is_not_continued(tmp_path: Path) -> None:
    path = Path(shutil.copy(PRODUCT, tmp_path))
    with EnvelopeRecorder(path) as recorder, pytest.raises(Untrusted, match="written as product"):
        recorder.title("T")
    assert path.read_bytes() == PRODUCT.read_bytes()


@pytest.mark.parametrize("case", ENVELOPES, ids=lambda path: path.stem)
def test_what_others_wrote_is_continued_or_left_alone(tmp_path: Path, case: Path) -> None:
    expected = json.loads(case.with_suffix(".expected.json").read_text("utf-8"))
    path = Path(shutil.copy(case, tmp_path))
    before = path.read_bytes()
    is_ended = not before or before.endswith(b"\n")
    if expected["verdict"] == "corrupt":
        with EnvelopeRecorder(path) as recorder, pytest.raises(Untrusted):
            recorder.title("T")
        with pytest.raises(Untrusted):
            EnvelopeRecorder.continuing(path)
        assert path.read_bytes() == before
    elif not is_ended:
        with EnvelopeRecorder(path) as recorder, pytest.raises(TornTail, match="begin a new file"):
            recorder.title("T")
        assert path.read_bytes() == before
        with EnvelopeRecorder.continuing(path) as successor:
            assert successor.title("T").place.number == 1
        assert list(chain_of(successor.path)) == [path, tmp_path / f"{path.stem}_2.jsonl"]
        assert is_strict(successor.path)
    else:
        with EnvelopeRecorder(path) as recorder:
            event = recorder.title("T")
        assert path.read_bytes().startswith(before)
        if "total_events" in expected:
            assert event.place.number == expected["total_events"] + 1
        assert integrity(path).state == "ok"


@pytest.mark.parametrize(
    ("now", "written"),
    [
        (datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2))), "2025-12-31T22:00:00+00:00"),
        (datetime(2026, 1, 1, 12), datetime(2026, 1, 1, 12).astimezone(UTC).isoformat()),
    ],
)
def test_times_are_told_in_utc(tmp_path: Path, now: datetime, written: str) -> None:
    with EnvelopeRecorder(tmp_path / "s.jsonl", clock=lambda: now) as recorder:
        recorder.title("T")
    assert records(recorder.path)[0]["recorded_at"] == written


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "3", True])
def test_a_limit_is_a_number_of_records(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(ValueError, match="limit must be a whole number"):
        EnvelopeRecorder(tmp_path / "s.jsonl", limit=wrong)


@pytest.mark.parametrize("wrong", [-1, float("nan"), "3", None, True])
def test_patience_is_a_number_of_seconds(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(ValueError, match="patience must be a number of seconds"):
        EnvelopeRecorder(tmp_path / "s.jsonl", patience=wrong)


def test_any_mapping_is_an_object(tmp_path: Path) -> None:
    args = MappingProxyType({"b": 1, "a": MappingProxyType({})})
    with EnvelopeRecorder(tmp_path / "s.jsonl") as recorder:
        assert recorder.call("Bash", args).record["arguments"] == {"a": {}, "b": 1}


@pytest.mark.parametrize("names", [(1, "1"), (True, "true"), (None, "null"), (1.0, "1.0")])
def test_names_that_are_one_in_json_are_refused(tmp_path: Path, names: tuple[Any, Any]) -> None:
    one, other = names
    form = MyCodeAgentForm()
    fields = {"run_id": "run-1", "step": 0, "event_type": "terminal"}
    store = Store(tmp_path / "transcript-s.jsonl", form)
    with pytest.raises(RecordRefused, match="two names"):
        store.append({**fields, "payload": {"details": {"deep": [({one: 1, other: 2},)]}}})
    assert not list(tmp_path.iterdir())
    store.append({**fields, "payload": {"reason": "x", "details": {one: 1, "2": 2}}})
    store.close()
