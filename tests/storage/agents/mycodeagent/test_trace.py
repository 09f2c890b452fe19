"""Tokens that only a trace tells: read once, by hour and model, whatever happens to the file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_tui.storage.agents.mycodeagent.trace import By, Spent, Trace
from sessions_tui.storage.model.event import Usage

QUARTER_0 = 494_030 * 4
"""Quarters of hours from 1970 to 2026-05-11 14:00 UTC."""


def line(event: str, payload: Any, at: str = "2026-05-11T14:02:11.123456+00:00") -> bytes:
    record = {"ts": at, "session_id": "***", "step": 1, "event": event, "payload": payload}
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def output(
    prompt: int, completion: int, minutes: int = 0, cached: int = 0, model: str = "hy3"
) -> bytes:
    usage = {"prompt_tokens": prompt, "completion_tokens": completion}
    details = {"prompt_tokens_details": {"cached_tokens": cached}}
    payload = {"raw": "…", "usage": usage, "raw_response": {"model": model, "usage": details}}
    at = f"2026-05-11T{14 + minutes // 60:02}:{minutes % 60:02}:00+00:00"
    return line("model_output", payload, at)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "memory" / "traces"
    folder.mkdir(parents=True)
    return folder / "trace-s-20260511-140211-a1b2.jsonl"


def spent(trace: Trace) -> dict[By, Spent]:
    """All that a reading adds, as whoever keeps sums would have it."""
    sums: dict[By, Spent] = {}
    for found in trace.advance():
        for by, (tokens, responses) in found.items():
            sums[by] = sums.get(by, Spent(Usage(), 0)).plus(tokens, responses)
    return {by: one for by, one in sums.items() if one != (Usage(), 0)}


def test_tokens_are_told_by_quarter_and_model(path: Path) -> None:
    path.write_bytes(
        line("run_start", {"run_id": 1, "input": "hi"})
        + output(1_200, 80, cached=1_000)
        + output(300, 20, minutes=9)
        + output(10, 1, minutes=60)
        + output(7, 3, model="glm-5")
        + line("session_summary", {"total_usage": {"prompt_tokens": 1_517}})
    )
    assert spent(Trace(path)) == {
        (QUARTER_0, "hy3"): Spent(Usage(500, 1_000, 100), 2),
        (QUARTER_0 + 4, "hy3"): Spent(Usage(10, 0, 1), 1),
        (QUARTER_0, "glm-5"): Spent(Usage(7, 0, 3), 1),
    }


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        "usage",
        {},
        {"usage": None},
        {"usage": []},
        {"usage": None, "raw_response": "ChatCompletion(…)"},
        {"usage": {}, "raw_response": {"usage": None}},
    ],
    ids=str,
)
def test_an_output_without_usage_tells_nothing(path: Path, payload: Any) -> None:
    path.write_bytes(line("model_output", payload))
    assert spent(Trace(path)) == {}


@pytest.mark.parametrize(
    "junk",
    [
        b'"model_output"\n',
        b'["model_output"]\n',
        b'{"event": "model_output"\n',
        b'{"event": ["model_output"], "payload": {"usage": {"prompt_tokens": 5}}}\n',
        line("tool_result", {"result": '"event": "model_output", "usage": {"prompt_tokens": 9}'}),
        line("model_output_seen", {"model_output": {"usage": {"prompt_tokens": 9}}}),
        b'\xff\xfe \x00 "model_output"\n',
        b"\n\r\n \n",
        b"[" * 50_000 + b'"model_output"\n',
    ],
    ids=range(9),
)
def test_nothing_else_counts(path: Path, junk: bytes) -> None:
    path.write_bytes(junk + output(5, 2) + junk)
    assert spent(Trace(path)) == {(QUARTER_0, "hy3"): Spent(Usage(5, 0, 2), 1)}


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 10**15, "completion_tokens": 1}, Usage(10**15, 0, 1)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, Usage()),
        ({"prompt_tokens": "many", "completion_tokens": None}, Usage()),
        ({"prompt_tokens": -5, "completion_tokens": 1.5}, Usage()),
        ({"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 9}}, Usage(0, 9, 0)),
    ],
    ids=str,
)
def test_absurd_numbers(path: Path, usage: dict[str, Any], tokens: Usage) -> None:
    path.write_bytes(line("model_output", {"usage": usage}))
    found = [one for found in Trace(path).advance() for one in found.values()]
    assert [(one.tokens.input, one.tokens.cached) for one in found] == [
        (tokens.input, tokens.cached)
    ]


@pytest.mark.parametrize(
    "at", ["", "yesterday", "2026-05-11T14:02:11Z", "2026-05-11T16:02:11+02:00"]
)
def test_times(path: Path, at: str) -> None:
    path.write_bytes(line("model_output", {"usage": {"prompt_tokens": 1}}, at))
    quarters = [quarter for quarter, _ in spent(Trace(path))]
    assert quarters == [QUARTER_0 if at.startswith("2026") else 0]


def test_only_what_is_new_is_read(path: Path) -> None:
    path.write_bytes(output(5, 2))
    trace = Trace(path)
    spent(trace)
    assert trace.bytes_read == path.stat().st_size
    assert spent(trace) == {}
    with path.open("ab") as file:
        file.write(more := output(3, 1))
    assert spent(trace) == {(QUARTER_0, "hy3"): Spent(Usage(3, 0, 1), 1)}
    assert trace.bytes_read == path.stat().st_size
    assert len(more) < trace.bytes_read


def test_a_half_line_waits(path: Path) -> None:
    whole = output(5, 2)
    path.write_bytes(whole[:-1])
    trace = Trace(path)
    assert spent(trace) == {}
    assert trace.bytes_read == 0
    path.write_bytes(whole)
    assert spent(trace) == {(QUARTER_0, "hy3"): Spent(Usage(5, 0, 2), 1)}


def stored(trace: Trace) -> Trace:
    """The same trace in a later run."""
    again = Trace(trace.path)
    again.load(json.loads(json.dumps(trace.as_json())))
    return again


def test_a_second_run_reads_nothing(path: Path) -> None:
    path.write_bytes(output(5, 2) + output(8, 1, model="glm-5"))
    trace = Trace(path)
    spent(trace)
    again = stored(trace)
    assert spent(again) == {}
    assert again.bytes_read == 0
    with path.open("ab") as file:
        file.write(output(3, 1))
    assert spent(again) == {(QUARTER_0, "hy3"): Spent(Usage(3, 0, 1), 1)}


@pytest.mark.parametrize("later", [False, True], ids=["same run", "later run"])
def test_what_is_not_there_any_more_is_taken_back(path: Path, later: bool) -> None:
    path.write_bytes(output(5, 2) + output(9, 9, minutes=70))
    trace = Trace(path)
    sums = spent(trace)
    path.write_bytes(output(6, 2) + output(1, 1, model="glm-5"))
    for by, (tokens, responses) in spent(stored(trace) if later else trace).items():
        sums[by] = sums.get(by, Spent(Usage(), 0)).plus(tokens, responses)
    assert {by: one for by, one in sums.items() if one.responses} == {
        (QUARTER_0, "hy3"): Spent(Usage(6, 0, 2), 1),
        (QUARTER_0, "glm-5"): Spent(Usage(1, 0, 1), 1),
    }
    assert sums[QUARTER_0 + 4, "hy3"] == (Usage(), 0)


@given(cuts=st.lists(st.integers(0, 3_000), max_size=6))
def test_written_in_any_pieces_it_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    path = tmp_path_factory.mktemp("traces") / "trace-s.jsonl"
    whole = b"".join(output(n, n, minutes=9 * n, model=f"模型{n % 2}") for n in range(9))
    path.write_bytes(b"")
    trace, sums = Trace(path), dict[By, Spent]()
    for upto in [*sorted(min(cut, len(whole)) for cut in cuts), len(whole)]:
        with path.open("ab") as file:
            file.write(whole[file.tell() : upto])
        for by, (tokens, responses) in spent(trace).items():
            sums[by] = sums.get(by, Spent(Usage(), 0)).plus(tokens, responses)
    assert sums == spent(Trace(path))


def test_lines_of_megabytes_are_passed_over_unparsed(path: Path) -> None:
    giant = line("model_view_build", {"messages": ["x" * 100_000] * 40})
    path.write_bytes(giant + output(5, 2) + giant)
    trace = Trace(path)
    slices = list(trace.advance())
    assert [one for one in slices if one] == [{(QUARTER_0, "hy3"): Spent(Usage(5, 0, 2), 1)}]
    assert trace.bytes_read == path.stat().st_size


def test_no_trace_tells_nothing(path: Path) -> None:
    trace = Trace(path)
    assert spent(trace) == {}
    path.mkdir()
    assert spent(trace) == {}
    path.rmdir()
    os.mkfifo(path)
    assert spent(trace) == {}
    path.unlink()
    path.write_bytes(output(5, 2))
    assert spent(trace) == {(QUARTER_0, "hy3"): Spent(Usage(5, 0, 2), 1)}
    path.unlink()
    assert spent(trace) == {}


def test_a_trace_is_never_written(path: Path) -> None:
    path.write_bytes(output(5, 2) + b"half")
    path.chmod(0o400)
    before, names = path.stat(), sorted(path.parent.iterdir())
    spent(Trace(path))
    after = path.stat()
    assert (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns)
    assert sorted(path.parent.iterdir()) == names


@pytest.mark.parametrize(
    ("transcript", "trace"),
    [
        ("p/memory/transcripts/transcript-s-1.jsonl", "p/memory/traces/trace-s-1.jsonl"),
        ("p/memory/transcripts/transcript-subagent-s-2.jsonl", "p/memory/traces/trace-s-2.jsonl"),
        ("p/memory/transcripts/transcript-中.jsonl", "p/memory/traces/trace-中.jsonl"),
        ("p/memory/transcripts/other.jsonl", None),
        ("p/transcripts/transcript-s-1.jsonl", None),
        ("projects/src-shop/s-1.jsonl", None),
        ("transcript-s-1.jsonl", None),
    ],
)
def test_where_it_lies(transcript: str, trace: str | None) -> None:
    found = Trace.beside(Path(transcript))
    assert (found.path if found else None) == (Path(trace) if trace else None)


@pytest.mark.parametrize(
    "data", [{}, {"fingerprint": {}}, {"fingerprint": {}, "spent": [[1]]}], ids=str
)
def test_what_is_of_another_shape_is_refused(path: Path, data: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Trace(path).load(data)
