"""`sessions show` and `sessions tail`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.event import KINDS

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[1] / "cases"
PATHS = sorted(CASES.glob("**/*.jsonl"))
EDITS = CASES / "product" / "01-ordinary-edits.jsonl"
KILLED = next(CASES.glob("mycodeagent-runs/c_kill_bash/memory/transcripts/*.jsonl"))
RESENT = next(CASES.glob("product-store/projects/*/2a028bbf-*.jsonl"))
NONE = type(None)
EVENT: dict[str, Any] = {
    "event_id": (str, NONE),
    "number": int,
    "offset": int,
    "bytes": int,
    "at": (str, NONE),
    "kind": str,
    "role": (str, NONE),
    "text": str,
    "tool": (str, NONE),
    "args": object,
    "call_id": (str, NONE),
    "action": (str, NONE),
    "state": (str, NONE),
    "model": (str, NONE),
    "branch": str,
}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(CASES)))
def test_every_case_can_be_shown(sessions: Sessions, path: Path) -> None:
    events = sessions("show", path, "--json").objects
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    for event in events:
        assert all(isinstance(event[name], kind) for name, kind in EVENT.items())
        assert event["kind"] in KINDS
        assert (event["event_id"] is None) == (event["kind"] == "damaged")
        assert (event["state"] is not None) == (event["kind"] == "call")
    ran = sessions("show", path)
    assert (ran.code, len(ran.out.splitlines())) == (0, len(events))
    assert sessions("show", path, "--json", "--last", 2).objects == events[-2:]
    assert sessions("show", path, "--last", 0).out == ""
    for event in events[-1:]:
        kind = event["kind"]
        expected = [one for one in events if one["kind"] == kind]
        assert sessions("show", path, "--json", "--kind", kind).objects == expected
        words = ("--json", "--kind", kind, "--last", 1)
        assert sessions("show", path, *words).objects == [event]
        if event["event_id"]:
            shown = sessions("show", path, "--json", "--event", event["event_id"]).objects
            assert event in shown


def test_one_event_is_shown_whole(sessions: Sessions) -> None:
    prompt, *_ = sessions("show", EDITS, "--json", "--kind", "prompt").objects
    first, *text = sessions("show", EDITS, "--event", prompt["event_id"]).out.splitlines()
    assert "prompt" in first
    assert text == prompt["text"].splitlines()


def test_damaged_lines_are_shown_in_their_place(sessions: Sessions) -> None:
    ran = sessions("show", CASES / "product" / "10a-third-party-rewrite.jsonl", "--json")
    damaged = [event["number"] for event in ran.objects if event["kind"] == "damaged"]
    assert damaged
    assert "damaged" in ran.err


def test_the_actions_of_a_killed_run(sessions: Sessions) -> None:
    events = sessions("show", KILLED, "--json").objects
    calls = [(event["tool"], event["state"]) for event in events if event["kind"] == "call"]
    assert calls == [("Bash", "uncertain"), ("Bash", "uncertain")]


def test_the_branch_that_was_left(sessions: Sessions) -> None:
    events = sessions("show", RESENT, "--json").objects
    assert [event["number"] for event in events if event["branch"] == "abandoned"] == [7, 9, 10]


def record(number: int) -> bytes:
    content = [{"type": "input_text", "text": f"say {number}"}]
    fields = {"timestamp": 1_795_320_000_000, "sessionId": "s", "type": "message", "role": "user"}
    return json.dumps({**fields, "content": content}).encode() + b"\n"


@contextmanager
def following(program: str, path: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`sessions tail` of a file, killed if it is still there at the end."""
    command = [program, "tail", str(path), *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def next_text(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return str(json.loads(process.stdout.readline())["text"])


def test_tail_prints_the_last_and_then_follows(program: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(map(record, range(5))))
    with following(program, path, "--last", "2", "--json") as process:
        assert [next_text(process), next_text(process)] == ["say 3", "say 4"]
        for number in range(5, 10):
            with path.open("ab") as file:
                file.write(record(number)[:30])
                file.flush()
                file.write(record(number)[30:])
            assert next_text(process) == f"say {number}"
        other = tmp_path / "other"
        other.write_bytes(b"".join(map(record, range(11))))
        other.replace(path)
        assert next_text(process) == "say 10"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "")


def test_tail_waits_for_a_file_that_went_away(program: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(0))
    with following(program, path, "--json") as process:
        assert next_text(process) == "say 0"
        path.unlink()
        assert process.stderr
        assert "waiting for it" in process.stderr.readline()
        path.write_bytes(record(0) + record(1))
        assert next_text(process) == "say 1"


def test_tail_ends_quietly_when_its_reader_goes(program: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(0))
    with following(program, path, "--json") as process:
        assert next_text(process) == "say 0"
        assert process.stdout
        process.stdout.close()
        with path.open("ab") as file:
            file.write(record(1))
        assert process.wait(timeout=30) == 141
        assert process.stderr
        assert process.stderr.read() == ""


def test_tail_follows_in_lines_for_a_person(program: str, tmp_path: Path) -> None:
    path = tmp_path / EDITS.name
    shutil.copy(EDITS, path)
    with following(program, path, "--last", "1") as process:
        assert process.stdout
        first = process.stdout.readline()
        os.truncate(path, 0)
        path.write_bytes(record(1))
        assert "say 1" in process.stdout.readline()
    assert first.split()[0].isdigit()
