"""One event whole: the call with its result, the edit, the record as it stands in the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.timeline.detail import RAW_CUT, detail_of
from sessions_tui.storage.transcript.transcript import Transcript


def product(type: str, **more: Any) -> dict[str, Any]:
    return {"type": type, "timestamp": 1_778_508_000_000, "cwd": "/src", "providerData": {}, **more}


def call(name: str, args: Any, id: str = "c") -> dict[str, Any]:
    arguments = args if isinstance(args, str) else json.dumps(args)
    return product("function_call", name=name, callId=id, arguments=arguments)


def result(text: str, id: str = "c") -> dict[str, Any]:
    output = {"type": "text", "text": text}
    more = {"status": "completed", "output": output, "timestamp": 1_778_508_002_500}
    return product("function_call_result", callId=id, name="Bash") | more


def transcript(tmp_path: Path, *records: dict[str, Any] | bytes) -> Transcript:
    path = tmp_path / "s.jsonl"
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    found = Transcript(path, "s")
    found.read()
    return found


def test_a_call_comes_with_its_result(tmp_path: Path) -> None:
    found = transcript(tmp_path, call("Bash", {"command": "make"}), result("built"))
    detail = detail_of(found, 0, alive=False)
    assert (detail.kind, detail.tool, detail.args) == ("call", "Bash", {"command": "make"})
    assert (detail.result, detail.state, detail.duration) == ("built", "completed", 2_500)
    assert (detail.number, detail.offset, detail.cwd) == (1, 0, "/src")
    assert [json.loads(line)["type"] for line in detail.raw.splitlines()] == [
        "function_call",
        "function_call_result",
    ]


@pytest.mark.parametrize(("alive", "state"), [(True, "running"), (False, "uncertain")])
def test_without_a_result_it_matters_who_is_alive(tmp_path: Path, alive: bool, state: str) -> None:
    detail = detail_of(transcript(tmp_path, call("Bash", {"command": "make"})), 0, alive)
    assert (detail.result, detail.state) == (None, state)


def test_an_edit_tells_what_it_would_change(tmp_path: Path) -> None:
    args = {"file_path": "a.py", "old_string": "a\n", "new_string": "b\n"}
    detail = detail_of(transcript(tmp_path, call("Edit", args)), 0, alive=False)
    assert detail.edit is not None
    assert detail.path == "a.py"


@pytest.mark.parametrize(
    ("args", "path"),
    [
        ({"file_path": "a.py"}, "a.py"),
        ({"path": "/b.py"}, "/b.py"),
        ({"file_path": 7}, None),
        ({"command": "make"}, None),
        ("not { json", None),
        ([1, 2], None),
    ],
)
def test_the_file_that_a_call_concerns(tmp_path: Path, args: Any, path: str | None) -> None:
    assert detail_of(transcript(tmp_path, call("Read", args)), 0, alive=True).path == path


def test_a_damaged_line_is_shown_with_its_problem(tmp_path: Path) -> None:
    found = transcript(tmp_path, call("Read", {}), b'{"type": "mess\xff')
    detail = detail_of(found, 1, alive=False)
    assert detail.kind == "damaged"
    assert detail.problem
    assert detail.raw == '{"type": "mess\ufffd'


def test_a_giant_record_is_cut(tmp_path: Path) -> None:
    found = transcript(tmp_path, result("x" * (RAW_CUT + 10)))
    detail = detail_of(found, 0, alive=False)
    assert len(detail.raw) == RAW_CUT + 1
    assert detail.raw.endswith("x…")
    assert detail.result == "x" * (RAW_CUT + 10)


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    found = transcript(tmp_path, call("Read", {}))
    found.path.unlink()
    with pytest.raises(FileNotFoundError):
        detail_of(found, 0, alive=False)
