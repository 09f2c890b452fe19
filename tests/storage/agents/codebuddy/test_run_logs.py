"""What CodeBuddy's logs tell of a long call: that it runs, or waits for the user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessions_tui.storage.agents.codebuddy import run_logs
from sessions_tui.storage.agents.codebuddy.run_logs import RunLogs
from sessions_tui.storage.files.lines import pread
from sessions_tui.storage.model.process import Run
from tests.storage.agents.codebuddy.test_claims import MINUTE, SECOND, Home, age

START = "[SessionRunStateMachine]"


def line(
    session: str, event: str, state: str, tool: str = "", stamp: str = "1:02:03 PM.004"
) -> str:
    named = f" | toolName={tool}" if tool else ""
    return (
        f"[11/30/2026, {stamp}] [Info] {START} transition | sessionId={session} | event={event} | "
        f"from=model_done | to={state} | lifecycle=running | busy=true | queueBusy=true | "
        f"elapsedSinceLastTransitionMs=74{named}\n"
    )


INVALID = (
    f"[11/30/2026, 1:02:03 PM.004] [Warning] {START} ignored invalid transition | sessionId=s1 | "
    "event=RUN_PREPARING | current=waiting_for_permission | lifecycle=waiting | to=idle\n"
)


def write(home: Path, *lines: str, name: str = "shop__0123", date: str = "2026-11-30") -> Path:
    path = home / "logs" / date / f"{name}.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(["Workspace Path: /src/shop\n", *lines]))
    return path


@pytest.mark.parametrize(
    ("lines", "run"),
    [
        ([line("s1", "TOOL_STARTED", "tool_executing", "Bash")], Run("running", "Bash")),
        (
            [
                line("s1", "TOOL_STARTED", "tool_executing", "Bash"),
                line("s1", "WAITING_FOR_PERMISSION", "waiting_for_permission", "Edit"),
                INVALID,
                line("s2", "AGENT_ENDED", "idle"),
            ],
            Run("waiting", "Edit"),
        ),
        # In other words for times, and times that go backwards: the order counts.
        (
            [
                line(
                    "s1", "WAITING_FOR_PERMISSION", "waiting_for_permission", "Bash", "下午9:24:51"
                ),
                line("s1", "TOOL_STARTED", "tool_executing", "Bash", "01.02.2025, 09:24:50,004"),
            ],
            Run("running", "Bash"),
        ),
        ([line("s2", "TOOL_STARTED", "tool_executing", "Bash")], None),
        ([INVALID], None),
        (["\x00\xff not a log\n"], None),
    ],
)
def test_the_last_valid_line_of_a_session_counts(
    tmp_path: Path, lines: list[str], run: Run | None
) -> None:
    write(tmp_path, *lines)
    assert RunLogs(tmp_path).run("s1", "/src/shop", 0) == run


def test_only_logs_of_its_directory_that_were_written_since(tmp_path: Path) -> None:
    logs = RunLogs(tmp_path)
    assert logs.run("s1", "/src/shop", 0) is None
    text = line("s1", "TOOL_STARTED", "tool_executing", "Bash")
    write(tmp_path, text, name="other__0123")
    assert logs.run("s1", "/src/shop", 0) is None
    path = write(tmp_path, text)
    os.utime(path, (1_000, 1_000))
    assert logs.run("s1", "/src/shop", 1_000_000) == Run("running", "Bash")
    assert logs.run("s1", "/src/shop", 1_000_001) is None


def test_a_log_is_read_where_it_grew_and_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "x" * (2 * run_logs.TAIL) + "\n", line("s1", "A", "tool_executing"))
    logs, read = RunLogs(tmp_path), []

    def counted(fd: int, size: int, offset: int) -> bytes:
        read.append(size)
        return pread(fd, size, offset)

    monkeypatch.setattr("sessions_tui.storage.agents.codebuddy.run_logs.pread", counted)
    for _ in range(5):
        assert logs.run("s1", "/src/shop", 0) == Run("running")
    assert read == [run_logs.TAIL]
    with path.open("a") as file:
        file.write(line("s1", "B", "idle"))
    assert logs.run("s1", "/src/shop", 0) == Run("")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("tool_executing", "running for"),
        ("waiting_for_permission", "waiting for your approval for"),
        ("model_done", "running or waiting for approval for"),
    ],
)
def test_a_long_call_is_told_for_sure(tmp_path: Path, state: str, words: str) -> None:
    home = Home(tmp_path)
    home.register(os.getpid(), age(os.getpid(), home))
    home.write(ago=age(os.getpid(), home) - SECOND)
    write(home.path, line("s1", "X", state, "Bash"))
    session = home.session(later=5 * MINUTE)
    assert session.status == "working"
    assert f"Bash, {words}" in session.doing


def test_a_log_does_not_outlive_its_process(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.register(2**22 + 4711, 10 * MINUTE)
    home.write(ago=5 * MINUTE)
    write(home.path, line("s1", "X", "tool_executing", "Bash"))
    assert home.session().status == "crashed"
