"""`sessions tail`."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CASES = Path(__file__).parents[2] / "cases"
EDITS = CASES / "product" / "01-ordinary-edits.jsonl"
KILLED = next(CASES.glob("mycodeagent-runs/c_kill_bash/memory/transcripts/*.jsonl"))


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


def test_tail_ends_though_nothing_comes_when_its_reader_goes(program: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(0))
    with following(program, path, "--json") as process:
        assert next_text(process) == "say 0"
        assert process.stdout
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr
        assert process.stderr.read() == ""


def test_tail_ends_when_its_terminal_goes(program: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(0))
    ours, theirs = pty.openpty()
    command = [program, "tail", str(path), "--json"]
    # Not the controlling terminal, so no SIGHUP tells of its end.
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        try:
            assert b"say 0" in os.read(ours, 1000)
            os.close(ours)
            assert process.wait(timeout=60) == 141
        finally:
            process.kill()


@pytest.mark.parametrize("ignored", [False, True], ids=["foreground", "background"])
def test_tail_ends_on_sigterm(program: str, tmp_path: Path, ignored: bool) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(record(0))
    command = [program, "tail", str(path), "--json"]
    if ignored:  # as a shell starts what runs in the background
        command = ["sh", "-c", 'trap "" INT; exec "$0" "$@"', *command]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert next_text(process) == "say 0"
            process.terminate()
            assert process.wait(timeout=60) == -signal.SIGTERM
        finally:
            process.kill()


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


def in_a_terminal(program: str, path: Path) -> str:
    """What a person reads on standard error once `tail` stands at the end."""
    ours, theirs = pty.openpty()
    command = [program, "tail", str(path), "--last", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        try:
            read = b""
            while not read.endswith(b"\n"):
                read += os.read(ours, 200)
            return read.decode()
        finally:
            process.kill()
            os.close(ours)


def test_tail_says_that_it_waits(program: str) -> None:
    assert in_a_terminal(program, EDITS).endswith("Waiting for new records; ctrl+c ends.\r\n")


def test_tail_gives_a_call_one_line(program: str) -> None:
    with following(program, KILLED, "--last", "2") as process:
        assert process.stdout
        lines = [process.stdout.readline().split() for _ in range(2)]
    assert [(line[0], line[4]) for line in lines] == [("4", "answer"), ("5", "Bash")]
