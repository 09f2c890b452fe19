"""What is looked up on the machine before a session is resumed: real files, links, processes."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sessions_tui.storage.agents import AGENTS
from sessions_tui.storage.model.resume import Circumstances
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.resume.probe import circumstances_of
from sessions_tui.storage.resume.resumption import resumption

NOW = 1_789_237_834_678


class Machine:
    """A person's home with a store, and what is installed."""

    def __init__(self, folder: Path, store: str = ".codebuddy") -> None:
        self.user = folder
        self.home = folder / store
        self.cwd = folder / "code" / "shop"
        self.environ = {"PATH": str(folder / "bin")}
        self.cwd.mkdir(parents=True)
        name = "-".join(part for part in str(self.cwd).split("/") if part)
        self.path = self.home / "projects" / name / "s1.jsonl"
        self.path.parent.mkdir(parents=True)
        self.write(str(self.cwd))

    def write(self, *cwds: object) -> None:
        """Write the transcript, a record a working directory."""
        records = [
            {
                "id": f"m{number}",
                "timestamp": NOW,
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Go on"}],
                "sessionId": "s1",
                "cwd": cwd,
            }
            for number, cwd in enumerate(cwds)
        ]
        self.path.write_text("".join(json.dumps(record) + "\n" for record in records))

    def install(self, *names: str, folder: str = "bin") -> Path:
        """Put programs into a folder."""
        for name in names:
            program = self.user / folder / name
            program.parent.mkdir(exist_ok=True, parents=True)
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
        return self.user / folder / names[0]

    def session(self, dialect: str = "product") -> Session:
        """The session."""
        text = str(self.cwd)
        return Session(
            "s1", self.path, AGENTS[dialect], text, "Fix it", "prompt", "done", "Because."
        )

    def look(
        self, session: Session | None = None, configured: dict[str, Sequence[str]] | None = None
    ) -> Circumstances:
        """Its circumstances."""
        applications = self.user / "Applications"
        return circumstances_of(
            session or self.session(), configured or {}, self.environ, self.user, NOW, applications
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("name", ["codebuddy", "cbc", "codebuddy-code"])
def test_the_command_by_any_of_its_names(machine: Machine, name: str) -> None:
    program = machine.install(name)
    assert machine.look().command == (str(program),)


def test_the_likeliest_name_first(machine: Machine) -> None:
    machine.install("cbc", "codebuddy")
    assert machine.look().command == (str(machine.user / "bin" / "codebuddy"),)


def test_a_program_beside_the_session_is_not_run(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.install("codebuddy", folder="code/shop")
    monkeypatch.chdir(machine.cwd)
    machine.environ["PATH"] = os.pathsep.join((".", "", "shop", str(machine.user / "bin")))
    assert machine.look().command == ()
    program = machine.install("codebuddy")
    assert machine.look().command == (str(program),)


def test_what_cannot_be_run_is_no_command(machine: Machine) -> None:
    machine.install("codebuddy").chmod(0o644)
    assert machine.look().command == ()


def test_a_configured_command(machine: Machine) -> None:
    machine.install("codebuddy")
    near, far = machine.install("npx"), machine.install("buddy", folder="opt")
    assert machine.look(configured={"codebuddy": ("npx", "cb")}).command == (str(near), "cb")
    assert machine.look(configured={"codebuddy": (str(far),)}).command == (str(far),)
    assert machine.look(configured={"codebuddy": ("~/opt/buddy",)}).command == (str(far),)
    missing = machine.look(configured={"codebuddy": ("nothing", "cb")})
    assert (missing.command, missing.wanted) == ((), "nothing")


@pytest.mark.parametrize(
    ("named", "changes"),
    [
        (None, {}),
        ("~/.codebuddy", {}),
        ("/elsewhere", {"CODEBUDDY_CONFIG_DIR": None}),
    ],
)
def test_the_usual_home_needs_no_variable(
    machine: Machine, named: str | None, changes: dict[str, str | None]
) -> None:
    if named:
        machine.environ["CODEBUDDY_CONFIG_DIR"] = named
    assert machine.look().environment == changes


@pytest.mark.parametrize(
    ("store", "agent", "names"),
    [
        (".codebuddy-cn", "codebuddy", ["CODEBUDDY_CONFIG_DIR"]),
        (".workbuddy", "workbuddy", ["CODEBUDDY_CONFIG_DIR", "WORKBUDDY_CONFIG_DIR"]),
        (".workbuddy-ai", "workbuddy", ["CODEBUDDY_CONFIG_DIR", "WORKBUDDY_CONFIG_DIR"]),
    ],
)
def test_another_home_is_named(tmp_path: Path, store: str, agent: str, names: list[str]) -> None:
    machine = Machine(tmp_path, store)
    around = machine.look()
    assert around.brand == agent
    assert around.environment == dict.fromkeys(names, str(machine.home))


def test_a_home_that_the_environment_calls_workbuddys(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "store")
    assert machine.look().brand == "codebuddy"
    machine.environ["WORKBUDDY_CONFIG_DIR"] = "~/store"
    assert machine.look().brand == "workbuddy"


def test_the_agent_that_the_desktop_app_brings(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ".workbuddy-ai")
    for app in ("WorkBuddy.app", "WorkBuddy AI.app"):
        machine.install("Electron", folder=f"Applications/{app}/Contents/MacOS")
        inside = f"Applications/{app}/Contents/Resources/app.asar.unpacked/cli/bin"
        machine.install("codebuddy", folder=inside)
    around = machine.look()
    assert [Path(word).relative_to(tmp_path).parts[1] for word in around.command] == [
        "WorkBuddy AI.app"
    ] * 2
    assert around.environment["ELECTRON_RUN_AS_NODE"] == "1"
    program = machine.install("codebuddy")
    assert machine.look().command == (str(program),)
    assert "ELECTRON_RUN_AS_NODE" not in machine.look().environment


def test_first_and_last_directory(machine: Machine) -> None:
    other = machine.user / "code"
    machine.write(str(other), str(machine.cwd))
    around = machine.look()
    assert [one.path for one in around.directories] == [str(other), str(machine.cwd)]
    machine.install("codebuddy")
    assert resumption(machine.session(), machine.look()).cwd == str(machine.cwd)


def test_a_directory_by_a_link(machine: Machine) -> None:
    link = machine.user / "link"
    link.symlink_to(machine.cwd)
    machine.write(str(link))
    (one,) = machine.look().directories
    assert (one.path, one.real, one.is_there) == (str(link), str(machine.cwd.resolve()), True)


@pytest.mark.parametrize(
    "cwd",
    ["", "shop", "-x", "../..", "~", "$HOME", "\0", "/tmp/\0", "/\ud83d", "c:\\Users", "/x" * 3000],
)
def test_hostile_directories_are_not_there(machine: Machine, cwd: str) -> None:
    machine.install("codebuddy")
    machine.write(cwd)
    assert not any(one.is_there for one in machine.look().directories)
    assert resumption(machine.session(), machine.look()).refusal


def test_a_file_is_no_directory(machine: Machine) -> None:
    machine.write(str(machine.path))
    assert not machine.look().directories[0].is_there


def test_a_transcript_that_cannot_be_read_names_none(machine: Machine) -> None:
    machine.path.unlink()
    assert machine.look().directories == ()


def test_a_process_that_has_it(machine: Machine) -> None:
    folder = machine.home / "sessions"
    folder.mkdir()
    said = {
        "pid": os.getpid(),
        "sessionId": "s1",
        "lastHeartbeat": NOW,
        "hostname": socket.gethostname(),
        "kind": "interactive",
        "cwd": str(machine.user),
    }
    (folder / "1.json").write_text(json.dumps(said))
    around = machine.look()
    assert around.process
    assert around.process.is_attached
    assert str(machine.user) in [one.path for one in around.directories]


def test_a_transcript_outside_any_home(machine: Machine) -> None:
    copy = machine.user / "s1.jsonl"
    copy.write_bytes(machine.path.read_bytes())
    assert machine.look().is_stored
    assert not machine.look(replace(machine.session(), path=copy)).is_stored


def test_mycodeagent_runs_in_its_project(machine: Machine) -> None:
    place = machine.user / "project" / "memory" / "transcripts"
    place.mkdir(parents=True)
    path = place / "transcript-s1.jsonl"
    path.write_text('{"session_id": "s2", "event_type": "message", "payload": {}}\n')
    program = machine.install("mycodeagent")
    around = machine.look(replace(machine.session("mycodeagent"), path=path))
    assert (around.brand, around.command) == ("mycodeagent", (str(program),))
    assert [one.path for one in around.directories] == [str(machine.user / "project")]
    assert (around.environment, around.is_stored, around.inner_session) == ({}, True, "s2")


def test_an_unknown_agent_runs_where_one_is(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.path.write_text('{"event_id": "transcript:s1:1"}\n')
    monkeypatch.chdir(machine.user)
    program = machine.install("any")
    around = machine.look(machine.session("envelope"), {"envelope": ("any",)})
    assert around.command == (str(program),)
    assert [one.path for one in around.directories] == [str(Path.cwd())]
