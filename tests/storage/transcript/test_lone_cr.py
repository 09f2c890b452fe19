"""A lone CR ends a line in the strict formats: a bad line that ends in one was not cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.recording import (
    EnvelopeRecorder,
    MyCodeAgentRecorder,
    TornTail,
    Untrusted,
    resume,
)
from sessions_tui.storage.transcript.overview import glance, overview_of
from sessions_tui.storage.transcript.transcript import Transcript

BAD = [b'{"a', b'{"a"', b"x", b'"\xe4\xbf', b"12", b"[]", b"\x00\x00", b'{"a":1}{}']
FORMATS = ["envelope", "mycodeagent"]


def record(format: str, number: int) -> bytes:
    if format == "envelope":
        fields: dict[str, Any] = {
            "schema_version": 1,
            "sequence": number,
            "session_id": "s",
            "event_id": f"transcript:s:{number}",
            "recorded_at": "2026-11-30T08:00:00.000001+00:00",
            "type": "message",
            "role": "user",
            "content": "x",
        }
    else:
        fields = {
            "event_id": f"evt-{number}",
            "timestamp": "2026-11-30T08:00:00Z",
            "session_id": "s",
            "run_id": "run-1",
            "step": 0,
            "event_type": "message",
            "payload": {"role": "user", "content": "x", "metadata": {}},
        }
    return json.dumps(fields).encode()


def path_in(folder: Path, format: str) -> Path:
    return folder / ("s.jsonl" if format == "envelope" else "transcript-s.jsonl")


def read(path: Path) -> Transcript:
    transcript = Transcript(path, "s")
    transcript.read()
    return transcript


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("head", ["", "\n", "\r"])
def test_a_bad_last_line_with_its_end_is_corrupt(
    tmp_path: Path, format: str, bad: bytes, head: str
) -> None:
    path = path_in(tmp_path, format)
    good = record(format, 1) + (head.encode() or b"\n")
    path.write_bytes(good + bad + b"\r")
    transcript = read(path)
    verdict = transcript.integrity()
    assert (transcript.agent.name, verdict.state, verdict.line) == (format, "corrupt", 2)
    assert overview_of(transcript).events == 1
    assert glance(path, "s").integrity == verdict
    assert not transcript.is_torn()
    path.write_bytes(good + bad + b"\r \r")
    assert read(path).integrity().state == "corrupt"


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_cut_behind_a_cr_is_torn(tmp_path: Path, format: str) -> None:
    path = path_in(tmp_path, format)
    path.write_bytes(record(format, 1) + b"\n" + record(format, 2) + b"\r" + b'{"a')
    transcript = read(path)
    assert transcript.integrity().state == "partial-tail"
    assert transcript.is_torn()
    assert overview_of(transcript).events == 2


@pytest.mark.parametrize("format", FORMATS)
def test_whole_lines_that_end_in_cr_are_read(tmp_path: Path, format: str) -> None:
    path = path_in(tmp_path, format)
    path.write_bytes(b"".join(record(format, number) + b"\r" for number in (1, 2, 3)))
    transcript = read(path)
    assert transcript.integrity().state == "ok"
    assert [event.place.number for event in transcript.tail()] == [1, 2, 3]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_a_line_that_grows_byte_by_byte_is_judged_anew(
    tmp_path: Path, format: str, end: bytes
) -> None:
    """Growth in any pieces, CR and LF of one line end in two of them, gives what the whole does."""
    path = path_in(tmp_path, format)
    data = record(format, 1) + end + record(format, 2) + end
    path.write_bytes(b"")
    transcript = Transcript(path, "s")
    for size in range(1, len(data) + 1):
        with path.open("ab") as file:
            file.write(data[size - 1 : size])
        transcript.read()
        assert transcript.integrity() == read(path).integrity()
        assert transcript.integrity().is_trusted, data[:size]
    assert transcript.integrity().state == "ok"
    assert overview_of(transcript).events == 2


@pytest.mark.parametrize("format", FORMATS)
def test_cr_and_lf_of_a_bad_line_in_two_appends(tmp_path: Path, format: str) -> None:
    path = path_in(tmp_path, format)
    path.write_bytes(record(format, 1) + b"\n" + b"x")
    transcript = Transcript(path, "s")
    states = []
    for piece in (b"", b"\r", b"\n"):
        with path.open("ab") as file:
            file.write(piece)
        transcript.read()
        states.append(transcript.integrity().state)
        assert transcript.integrity() == read(path).integrity()
    # MyCodeAgent leaves out a bad last line with an LF, for as long as nothing follows it.
    last = "corrupt" if format == "envelope" else "partial-tail"
    assert states == ["partial-tail", "corrupt", last]


def recorder(path: Path) -> EnvelopeRecorder | MyCodeAgentRecorder:
    kind = MyCodeAgentRecorder if path.name.startswith("transcript-") else EnvelopeRecorder
    return kind(path, sync=False)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("bad", BAD)
def test_a_recorder_does_not_go_on_behind_it(tmp_path: Path, format: str, bad: bytes) -> None:
    path = path_in(tmp_path, format)
    before = record(format, 1) + b"\n" + bad + b"\r"
    path.write_bytes(before)
    kind = MyCodeAgentRecorder if format == "mycodeagent" else EnvelopeRecorder
    with recorder(path) as one, pytest.raises(Untrusted):
        one.message("user", "x")
    with pytest.raises(Untrusted):
        kind.continuing(path)
    with pytest.raises(Untrusted):
        resume(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("format", FORMATS)
def test_a_recorder_takes_in_lines_that_end_in_cr(tmp_path: Path, format: str) -> None:
    path = path_in(tmp_path, format)
    path.write_bytes(record(format, 1) + b"\n" + record(format, 2) + b"\r" + record(format, 3))
    with recorder(path) as one:
        assert one.memory().event_count == 3
        with path.open("ab") as file:
            file.write(b"\n")
        one.message("user", "y")
        assert one.memory().event_count == 4
    assert resume(path).total_events == 4
    path.write_bytes(record(format, 1) + b"\r" + record(format, 2))
    with recorder(path) as other, pytest.raises(TornTail):
        other.message("user", "y")
