"""No text that is recorded is taken for a line end, whatever a reader splits lines at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_tui.storage.recording import EnvelopeRecorder, MyCodeAgentRecorder, TraceSink
from sessions_tui.storage.recording.facts import Fact

from .recordings import integrity

SEPARATORS = "\x85\u2028\u2029\x0b\x0c\x1c\x1d\x1e\r\n"
TEXTS = st.text(
    st.sampled_from(SEPARATORS + '\\"{}, :u2028字é…“a') | st.characters(exclude_categories=["Cs"]),
    max_size=40,
)
VALUES = st.recursive(
    TEXTS | st.integers(-9, 9) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
PROPERTY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def records(path: Path) -> list[dict[str, Any]]:
    """The records as a reader has them that splits the text at every line end of Unicode."""
    data = path.read_bytes()
    lines = data.decode().splitlines()
    assert len(lines) == data.count(b"\n")
    return [json.loads(line) for line in lines]


@PROPERTY
@given(text=TEXTS, args=st.dictionaries(TEXTS, VALUES, max_size=3), output=VALUES)
def test_an_envelope_has_one_line_per_record(
    tmp_path: Path, text: str, args: dict[str, Any], output: Any
) -> None:
    path = tmp_path / "s.jsonl"
    path.unlink(missing_ok=True)
    with EnvelopeRecorder(path, sync=False) as recorder:
        said = recorder.message("user", text)
        recorder.message("user", [{"type": "text", "text": text}])
        call = recorder.call(text or "x", args, "c")
        recorder.result("c", output)
        recorder.record("other", {text or "x": args} if text != "type" else {})
    found = records(path)
    assert [record["sequence"] for record in found] == [1, 2, 3, 4, 5]
    assert found[0]["content"] == text == said.record["content"]
    assert found[1]["content"][0]["text"] == text
    assert (found[2]["name"], found[2]["arguments"]) == (text or "x", args)
    assert call.record["arguments"] == args
    assert found[3]["output"] == output
    assert integrity(path).state == "ok"


@PROPERTY
@given(text=TEXTS, args=st.dictionaries(TEXTS, VALUES, max_size=3), output=VALUES)
def test_mycodeagent_has_one_line_per_record(
    tmp_path: Path, text: str, args: dict[str, Any], output: Any
) -> None:
    path = tmp_path / "transcript-s.jsonl"
    path.unlink(missing_ok=True)
    with MyCodeAgentRecorder(path, sync=False) as recorder:
        said = recorder.message("user", text, {text: args})
        recorder.tool("requested", text or "x", "c", args=args)
        recorder.tool("completed", text or "x", "c", result=output)
    found = records(path)
    assert len(found) == 3
    payload = found[0]["payload"]
    assert (payload["content"], payload["metadata"]) == (text, {text: args})
    assert said.record["payload"] == payload
    assert found[1]["payload"]["args"] == args
    assert found[2]["payload"].get("result") == output
    assert integrity(path).state == "ok"


@pytest.mark.parametrize("separator", SEPARATORS)
def test_names_and_traces_are_one_line_too(tmp_path: Path, separator: str) -> None:
    trace = TraceSink(tmp_path / "trace.jsonl", f"s{separator}")
    trace.emit(Fact("user_input", {f"a{separator}": f"b{separator}"}))
    trace.close()
    assert records(trace.path)[0]["payload"] == {f"a{separator}": f"b{separator}"}
    if separator in "\x85\u2028\u2029":
        path = tmp_path / f"s{separator}.jsonl"
        with EnvelopeRecorder(path, sync=False, limit=1) as recorder:
            recorder.message("user", "x")
            recorder.message("user", "y")
            later = recorder.path
        assert records(path)[0]["session_id"] == f"s{separator}"
        assert records(later)[0]["continues"] == f"s{separator}"
