"""The rows of a transcript: which there are at each depth, what they say, how they grow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.model.timeline import Row
from sessions_tui.storage.timeline import rows as module
from sessions_tui.storage.timeline.rows import CUT, Rows
from sessions_tui.storage.transcript.transcript import Transcript, open_at_end

CASES = Path(__file__).parents[2] / "cases"
PATHS = sorted(CASES.glob("**/*.jsonl"))
AT = 1_795_320_000_000


def record(at: int, kind: str, **fields: Any) -> bytes:
    return json.dumps({"timestamp": AT + at, "sessionId": "s", "type": kind, **fields}).encode()


def message(at: int, role: str, text: str) -> bytes:
    return record(at, "message", role=role, content=[{"type": "output_text", "text": text}])


def call(at: int, name: str, call_id: str, **args: Any) -> bytes:
    arguments = json.dumps(args)
    return record(at, "function_call", name=name, callId=call_id, arguments=arguments)


def result(at: int, call_id: str, text: str, **raw: Any) -> bytes:
    extra = {"toolResult": {"rawResponse": raw}}
    output = {"type": "text", "text": text}
    fields = {"callId": call_id, "status": "completed", "output": output, "providerData": extra}
    return record(at, "function_call_result", **fields)


EDIT = {"file_path": "/a.py", "old_string": "a\nb", "new_string": "a\nB\nc"}
SESSION = [
    message(0, "user", "Fix it"),
    record(1, "reasoning", rawContent=[{"type": "reasoning_text", "text": "hm hm"}]),
    message(2, "assistant", ""),
    call(3, "Edit", "c1", **EDIT),
    result(45, "c1", "done"),
    call(50, "Bash", "c2", command="pytest -q"),
    result(60, "c2", "boom", exitCode=2),
    record(61, "ai-title", aiTitle="A title"),
    message(70, "assistant", "y" * 5_000),
    call(80, "Bash", "c3", command="make"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n".join(SESSION) + b"\n")
    return path


def read(path: Path) -> Transcript:
    transcript = Transcript(path, path.stem.removeprefix("transcript-"))
    transcript.read()
    return transcript


def shown(rows: Rows) -> list[Row]:
    return [rows[at] for at in range(len(rows))]


@pytest.mark.parametrize(
    ("depth", "numbers"),
    [(1, [1, 9]), (2, [1, 4, 6, 9, 10]), (3, [1, 2, 4, 6, 9, 10]), (4, [1, 2, 3, 4, 6, 8, 9, 10])],
)
def test_each_depth_shows_more(path: Path, depth: int, numbers: list[int]) -> None:
    assert [row.number for row in shown(Rows(read(path), depth))] == numbers


def test_what_rows_say(path: Path) -> None:
    prompt, thought, edit, failed, answer, open_call = shown(Rows(read(path)))
    assert (prompt.kind, prompt.text, prompt.at) == ("prompt", "Fix it", AT)
    assert (prompt.event_id, prompt.offset) == ("transcript:s:1", 0)
    assert (thought.kind, thought.size) == ("reasoning", 5)
    assert (edit.tool, edit.text, edit.state, edit.detail) == ("Edit", "/a.py", "completed", "")
    assert (edit.added, edit.removed, edit.duration, edit.size) == (2, 1, 42, 4)
    assert (failed.state, failed.detail, failed.duration) == ("failed", "exit 2", 10)
    assert (len(answer.text), answer.state) == (CUT, "")
    assert (open_call.state, open_call.detail) == ("uncertain", "no result")
    assert Rows(read(path), alive=True)[5].state == "running"


def test_rows_grow_and_a_result_joins_its_call(path: Path) -> None:
    transcript = read(path)
    rows = Rows(transcript)
    before = shown(rows)
    assert rows.grow() == []
    with path.open("ab") as file:
        file.write(result(90, "c3", "made") + b"\n" + message(95, "assistant", "Done") + b"\n")
    transcript.read()
    assert rows.grow() == [5]
    assert shown(rows)[:5] == before[:5]
    assert (rows[5].state, rows[5].duration, rows[6].text) == ("completed", 10, "Done")
    assert shown(rows) == shown(Rows(read(path)))


def test_a_call_that_the_session_went_on_without_is_not_running(path: Path) -> None:
    transcript = read(path)
    rows = Rows(transcript, alive=True)
    assert rows[-1 + len(rows)].state == "running"
    with path.open("ab") as file:
        file.write(message(90, "user", "Never mind, go on") + b"\n")
    transcript.read()
    last_call = len(rows) - 1
    assert rows.grow() == [last_call]
    assert rows[last_call].state == "uncertain"


def test_rows_begin_anew_with_another_file(path: Path) -> None:
    transcript = read(path)
    rows = Rows(transcript)
    assert len(shown(rows)) == 6
    path.write_bytes(message(0, "user", "Another") + b"\n")
    assert rows[2].tool == "Edit"
    transcript.read()
    rows.grow()
    assert [row.text for row in shown(rows)] == ["Another"]


def test_a_file_that_is_gone_leaves_rows_that_say_so(path: Path) -> None:
    rows = Rows(read(path))
    path.unlink()
    row = rows[0]
    assert (row.kind, row.text) == ("damaged", "not read: No such file or directory")


@pytest.mark.parametrize(
    ("jump", "start", "step", "found"),
    [
        ("prompt", 5, -1, 0),
        ("prompt", 0, 1, None),
        ("uncertain", 0, 1, 5),
        ("uncertain", 5, 1, 5),
        ("uncertain", 5, -1, 5),
        ("match", 0, 1, 1),
        ("match", 1, 1, 4),
        ("match", 4, -1, 1),
        ("match", 4, 1, 1),
    ],
)
def test_jumps(path: Path, jump: str, start: int, step: int, found: int | None) -> None:
    rows = Rows(read(path))
    rows.matches = [1, 4, 8]  # the second is a result that its call's row speaks for
    assert rows.next_of(jump, start, step) == found


def test_places(path: Path) -> None:
    transcript = read(path)
    rows = Rows(transcript)
    offsets = transcript.positions.offsets
    assert [rows.place_of(offset) for offset in offsets] == [0, 1, 2, 2, 3, 3, 4, 4, 4, 5]
    assert rows.place_of(offsets[0] + 1) == 1
    assert rows.place_of(offsets[-1] + 1) is None
    assert [rows.record_index(row) for row in range(len(rows))] == [0, 1, 3, 5, 8, 9]


def test_rows_are_read_once_and_only_when_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    read_at = Transcript._read_at

    def counted(transcript: Transcript, fd: int, index: int) -> Any:
        asked.append(index)
        return read_at(transcript, fd, index)

    monkeypatch.setattr(Transcript, "_read_at", counted)
    monkeypatch.setattr(module, "KEPT", 2)
    rows = Rows(read(path))
    assert asked == []
    assert rows[0] == rows[0]
    assert asked == [0]
    assert [rows[at].number for at in (1, 2, 0)] == [2, 4, 1]
    assert asked == [0, 1, 3, 4, 0]


def test_rows_of_a_session_opened_at_its_end(path: Path) -> None:
    late = open_at_end(path, "s", lines=3, limit=1 << 20)
    late.read()
    rows = Rows(late, depth=4)
    assert not rows.complete
    whole = shown(Rows(read(path), depth=4))[-3:]
    assert [(row.offset, row.text, row.state) for row in shown(rows)] == [
        (row.offset, row.text, row.state) for row in whole
    ]
    assert {row.number for row in shown(rows)} == {None}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(CASES)))
def test_every_row_of_every_case_can_be_read(path: Path) -> None:
    transcript = read(path)
    for depth in (1, 2, 3, 4):
        rows = shown(Rows(transcript, depth))
        assert not any(row.text.startswith("not read: ") for row in rows)
        assert [row.offset for row in rows] == sorted({row.offset for row in rows})
        assert all(row.state for row in rows if row.kind == "call")
