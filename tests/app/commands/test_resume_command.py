"""`sessions resume`: what will run is said, and then a real agent runs."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.app.seat import Seat, read_report, write_agent

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="agents are scripts here")

Sessions = Callable[..., Any]
CASES = Path(__file__).parents[2] / "cases"


class Bench:
    """A home with a session, and an agent that says how it was called."""

    def __init__(self, user: Path) -> None:
        self.user = user
        self.cwd = user / "work"
        self.cwd.mkdir()
        self.root = user / ".codebuddy"
        self.report = user / "report.json"
        slug = "-".join(part for part in str(self.cwd).split("/") if part)
        self.folder = self.root / "projects" / slug
        self.folder.mkdir(parents=True)
        self.write("first")

    def write(self, name: str) -> Path:
        """A session of that name."""
        path = self.folder / f"{name}.jsonl"
        text = '{"type":"message","role":"user","timestamp":1789237834678,"id":"m","content":'
        text += f'[{{"type":"input_text","text":"Go"}}],"sessionId":"x","cwd":"{self.cwd}"}}\n'
        path.write_text(text)
        return path

    def agent(self, body: str = "", name: str = "codebuddy") -> Path:
        """Install it."""
        return write_agent(self.user / "bin" / name, self.report, body)


@pytest.fixture
def bench(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setenv("PATH", str(own_home / "bin"))
    return Bench(own_home)


def test_a_dry_run_says_what_would_run(sessions: Sessions, bench: Bench) -> None:
    agent = bench.agent()
    ran = sessions("resume", "first", "--dry-run")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"runs  {agent} --resume=first\nin    {bench.cwd}\n"
    assert not bench.report.exists()


def test_as_a_document(sessions: Sessions, bench: Bench) -> None:
    agent = bench.agent()
    assert sessions("resume", "fir", "--dry-run", "--json").document == {
        "session": "first",
        "path": str(bench.folder / "first.jsonl"),
        "command": [str(agent), "--resume=first"],
        "cwd": str(bench.cwd),
        "environment": {},
        "warnings": [],
        "refusal": None,
    }


def test_the_environment_is_said(sessions: Sessions, bench: Bench) -> None:
    bench.agent()
    bench.root.rename(bench.user / ".workbuddy")
    ran = sessions("resume", "first", "--dry-run")
    assert f"with  CODEBUDDY_CONFIG_DIR={bench.user / '.workbuddy'}" in ran.out


def test_it_runs_in_the_directory_of_the_session(sessions: Sessions, bench: Bench) -> None:
    agent = bench.agent()
    ran = sessions("resume", "first", "--yes")
    report = read_report(bench.report)
    assert (ran.code, ran.out) == (0, "")
    assert f"runs  {agent} --resume=first" in ran.err
    assert (report["argv"], report["cwd"]) == (["--resume=first"], str(bench.cwd))
    assert "SIGINT" not in report["ignored"]


def test_workbuddys_home_reaches_its_agent(sessions: Sessions, bench: Bench) -> None:
    bench.agent()
    home = bench.user / ".workbuddy"
    bench.root.rename(home)
    assert sessions("resume", "first", "--yes").code == 0
    environ = read_report(bench.report)["environ"]
    assert environ["CODEBUDDY_CONFIG_DIR"] == environ["WORKBUDDY_CONFIG_DIR"] == str(home)


def test_a_variable_that_leads_astray_is_taken_away(
    sessions: Sessions, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.agent()
    monkeypatch.setenv("CODEBUDDY_CONFIG_DIR", str(bench.user / "elsewhere"))
    assert sessions("resume", "first", "--yes").code == 0
    assert "CODEBUDDY_CONFIG_DIR" not in read_report(bench.report)["environ"]


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("sys.exit(3)", 3, "ended with exit code 3."),
        ("sys.exit(127)", 127, "ended with exit code 127."),
        ("os.kill(os.getpid(), signal.SIGKILL)", 137, "was ended by SIGKILL."),
    ],
)
def test_its_exit_code_is_the_agents(
    sessions: Sessions, bench: Bench, body: str, code: int, said: str
) -> None:
    bench.agent(body)
    ran = sessions("resume", "first", "--yes")
    assert ran.code == code
    assert said in ran.err


def test_what_cannot_be_started_is_said(sessions: Sessions, bench: Bench) -> None:
    bench.agent().write_text("#!/nowhere/at/all\n")
    ran = sessions("resume", "first", "--yes")
    assert ran.code == 1
    assert "cannot be started" in ran.err
    assert "Traceback" not in ran.err


def test_without_an_agent(sessions: Sessions, bench: Bench) -> None:
    ran = sessions("resume", "first", "--yes")
    assert (ran.code, ran.out) == (1, "")
    assert "None of codebuddy, cbc, codebuddy-code was found on PATH" in ran.err
    document = sessions("resume", "first", "--dry-run", "--json").document
    assert (document["command"], document["cwd"]) == ([], None)
    assert "found on PATH" in document["refusal"]


def test_a_directory_that_is_gone(sessions: Sessions, bench: Bench) -> None:
    bench.agent()
    bench.cwd.rmdir()
    ran = sessions("resume", "first", "--yes")
    assert ran.code == 1
    assert f"{bench.cwd} is gone" in ran.err
    assert not bench.report.exists()


@pytest.mark.parametrize("name", ["-p", "--yes", "a b", "$(touch x)", "a\nb", "\x1b[31mred"])
def test_an_id_is_never_an_option(sessions: Sessions, bench: Bench, name: str) -> None:
    bench.agent()
    ran = sessions("resume", "--yes", bench.write(name))
    assert ran.code == 1
    assert "characters that no command should be given" in ran.err
    assert ran.err.removesuffix("\n").isprintable()
    assert not bench.report.exists()


def test_a_sub_agent(sessions: Sessions, bench: Bench) -> None:
    bench.agent()
    place = bench.folder / "first" / "subagents"
    place.mkdir(parents=True)
    shutil.copy(bench.folder / "first.jsonl", place / "agent-0a1b2c3d.jsonl")
    ran = sessions("resume", "agent-0a1b2c3d", "--yes")
    assert ran.code == 1
    assert "by themselves: resume first." in ran.err


def test_mycodeagent_by_its_settings(sessions: Sessions, bench: Bench) -> None:
    project = bench.user / "project"
    place = project / "memory" / "transcripts"
    place.mkdir(parents=True)
    case = next((CASES / "mycodeagent").glob("*.jsonl"))
    path = place / "transcript-s-20260511-140211-00ff.jsonl"
    path.write_bytes(case.read_bytes())
    bench.agent(name="mine")
    config = bench.user / "config.toml"
    config.write_text('[resume]\nmycodeagent = ["mine", "-m", "agent"]\n')
    ran = sessions("resume", path, "--yes", "--config", config)
    report = read_report(bench.report)
    options = [f"--cwd={project}", "--resume=s-20260511-140211-00ff"]
    assert (ran.code, report["argv"]) == (0, ["-m", "agent", *options])
    assert report["cwd"] == str(project)


def test_an_envelope_has_no_agent(sessions: Sessions, bench: Bench) -> None:
    bench.agent()
    path = bench.folder / "log.jsonl"
    path.write_text('{"event_id":"transcript:log:1","sequence":1,"schema_version":1}\n')
    ran = sessions("resume", "log", "--yes")
    assert ran.code == 1
    assert "No known agent can resume such a transcript" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["first", "--json"], "--json requires --dry-run"),
        (["first"], "pass --yes to run it"),
        (["nobody", "--yes"], "There is no session"),
    ],
)
def test_wrong_usage(sessions: Sessions, bench: Bench, words: list[str], said: str) -> None:
    bench.agent()
    ran = sessions("resume", *words)
    assert ran.code == 2
    assert said in ran.err
    assert not bench.report.exists()


@pytest.mark.parametrize(
    ("answer", "runs"), [(b"\r", True), (b"y\r", True), (b"n\r", False), (b"\x04", False)]
)
def test_it_asks(bench: Bench, program: str, answer: bytes, runs: bool) -> None:
    bench.agent("print('AGENT HERE')")
    seat = Seat([program, "resume", "first"], dict(os.environ), bench.user)
    try:
        seat.sees(b"--resume=first")
        seat.sees(b"Run it? [Y/n]")
        seat.types(answer)
        assert seat.ends() == 0
        assert bench.report.exists() == runs
    finally:
        seat.leave()


def test_enter_is_no_yes_to_a_warning(bench: Bench, program: str) -> None:
    bench.agent()
    elsewhere = bench.folder.rename(bench.folder.with_name("elsewhere"))
    seat = Seat([program, "resume", str(elsewhere / "first.jsonl")], dict(os.environ), bench.user)
    try:
        seat.sees("⚠".encode())
        seat.sees(b"Run it? [y/N]")
        seat.types(b"\r")
        assert seat.ends() == 0
        assert not bench.report.exists()
    finally:
        seat.leave()


def test_told_to_end_the_agent_ends_first(bench: Bench, program: str) -> None:
    bench.agent("print('AGENT HERE', flush=True)\nsignal.pause()")
    words = [program, "resume", "first", "--yes"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as running:
        assert running.stdout
        assert running.stdout.readline() == b"AGENT HERE\n"
        running.send_signal(signal.SIGTERM)
        assert running.wait() == -signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(read_report(bench.report)["pid"], 0)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such names")
def test_a_directory_that_cannot_be_shown_as_it_is(bench: Bench, sessions: Sessions) -> None:
    """Its real name is quoted, in the sentence and in the command, and it is run there."""
    bench.agent()
    cwd = bench.cwd.with_name("wo\x1b[31mrk")
    bench.cwd.rename(cwd)
    for path in bench.root.rglob("*.jsonl"):
        path.write_text(
            path.read_text().replace(str(bench.cwd), str(cwd).replace("\x1b", "\\u001b"))
        )
    ran = sessions("--root", bench.root, "resume", "first", "--dry-run")
    quoted = f"$'{cwd.parent}/wo\\x1b[31mrk'"
    assert f"in    {cwd.parent}/work (not shown as it is; its real name is {quoted})\n" in ran.out
    document = sessions("--root", bench.root, "resume", "first", "--dry-run", "--json").document
    assert document["cwd"] == str(cwd)
