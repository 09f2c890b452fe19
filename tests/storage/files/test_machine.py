"""Whether an agent that registers nowhere is at work: by the processes of this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sessions_tui.storage.files import machine as machines
from sessions_tui.storage.files import process_list, processes
from sessions_tui.storage.files.machine import Machine
from sessions_tui.storage.files.process_list import Running, running
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.library.sightings import programs
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.model.store import Root
from tests.opened import opened

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
WAITS = "import sys; print('here', flush=True); sys.stdin.read()"
pytestmark = pytest.mark.skipif(not processes.HAS_PROC, reason="reads /proc")

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts processes that live until they are killed."""
    with ExitStack() as stack:

        def begin(cwd: Path, *words: str) -> subprocess.Popen[str]:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            process = subprocess.Popen([*words], cwd=cwd, **pipes)  # type: ignore[call-overload]
            stack.callback(kill, process)
            assert process.stdout.readline() == "here\n"
            assert isinstance(process, subprocess.Popen)
            return process

        yield begin


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


class Project:
    """A project of MyCodeAgent with one session, whose turn is not finished."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "shop"
        self.folder = self.path / "memory" / "transcripts"
        self.folder.mkdir(parents=True)
        self.library = opened(Library([Root(self.path, "project", "mycodeagent")], None))

    def write(self, began: int, name: str = "s-1", cwd: Path | None = None) -> None:
        """A session that began at a time with a prompt and a call."""
        payloads: list[tuple[str, dict[str, object]]] = [
            ("message", {"role": "user", "content": "Paint", "metadata": {}}),
            ("tool_lifecycle", lifecycle("requested", "c1", args={"command": "make"})),
            ("tool_lifecycle", lifecycle("started", "c1", args={"command": "make"})),
        ]
        if cwd is not None:
            done = {"status": "success", "context": {"cwd": str(cwd), "params_input": {}}}
            payloads.append(("tool_lifecycle", lifecycle("completed", "c1", result=done)))
        at = datetime.fromtimestamp(began / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        common = {"timestamp": at, "session_id": name, "run_id": "run-1", "step": 1}
        lines = [
            json.dumps({"event_id": f"evt-{n}", **common, "event_type": kind, "payload": payload})
            for n, (kind, payload) in enumerate(payloads)
        ]
        lines = [line[:-1] + ', "schema_version": 1}' for line in lines]
        text = "".join(f"{line}\n" for line in lines)
        (self.folder / f"transcript-{name}.jsonl").write_text(text)

    def session(self, now: int) -> Session:
        """The session as it is found at a time."""
        self.library.rescan()
        self.library.read_all()
        (session,) = self.library.sessions(now)
        return session


def lifecycle(status: str, call: str, **more: object) -> dict[str, object]:
    return {"tool_name": "Bash", "tool_call_id": call, "status": status, **more}


def present() -> int:
    return int(time.time() * 1000)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that is called as MyCodeAgent is."""
    path = tmp_path / "bin" / "mycodeagent"
    path.parent.mkdir()
    path.write_text(WAITS)
    return path


def test_a_long_call_is_working_while_its_agent_lives(
    project: Project, program: Path, start: Start
) -> None:
    agent = start(project.path, sys.executable, str(program))
    began = present()
    project.write(began)
    for later in (SECOND, 3 * MINUTE, 2 * HOUR):
        session = project.session(began + later)
        assert (session.status, session.uncertain, session.alive) == ("working", 0, True)
        assert session.why.startswith(f"Process {agent.pid} (python")
    assert "make" in session.doing


def test_an_agent_that_was_seen_and_is_gone_has_crashed(
    project: Project, program: Path, start: Start
) -> None:
    agent = start(project.path, sys.executable, str(program))
    began = present()
    project.write(began)
    assert project.session(began + SECOND).status == "working"
    kill(agent)
    session = project.session(began + 3 * SECOND)
    assert (session.status, session.uncertain, session.needs_you) == ("crashed", 1, True)
    assert f"process {agent.pid} (python" in session.why


def test_an_agent_elsewhere_is_told_by_its_arguments(
    project: Project, program: Path, start: Start, tmp_path: Path
) -> None:
    start(tmp_path, sys.executable, str(program), f"--cwd={project.path}")
    began = present()
    project.write(began)
    assert project.session(began + 5 * MINUTE).status == "working"


def test_nobody_works_in_a_project_of_this_machine(project: Project) -> None:
    began = present()
    project.write(began)
    for later in (SECOND, 59 * SECOND):  # its agent may have been killed a moment ago
        session = project.session(began + later)
        assert (session.status, session.uncertain, session.alive) == ("unknown", 0, None)
        assert session.why.startswith("No process on this machine runs in its directory")
    session = project.session(began + 61 * SECOND)
    assert (session.status, session.uncertain) == ("crashed", 1)
    assert "no process on this machine runs in its directory" in session.why


def test_one_that_grows_while_it_is_watched_is_working(project: Project) -> None:
    began = present()
    project.write(began)
    project.session(began)
    project.write(began, cwd=project.path)
    session = project.session(present())
    assert session.status == "working"


def test_a_session_that_began_since_the_last_look_is_looked_for_at_once(
    project: Project, program: Path, start: Start
) -> None:
    began = present()
    machine = Machine(programs())
    transcript = project.folder / "transcript-s-1.jsonl"
    assert machine.sighting(transcript, project.path, began, began).worker is None
    agent = start(project.path, sys.executable, str(program))
    later = present()
    found = machine.sighting(transcript, project.path, later, later + 1)
    assert found.worker
    assert found.worker.pid == agent.pid


def test_an_unknown_program_may_be_working(project: Project, start: Start) -> None:
    other = start(project.path, sys.executable, "-c", WAITS)
    began = present()
    project.write(began)
    session = project.session(began + 61 * SECOND)
    assert (session.status, session.uncertain, session.alive) == ("unknown", 0, None)
    assert f"process {other.pid} (python" in session.why.lower()
    assert "may be working" in session.why
    assert project.session(began + 16 * MINUTE).status == "crashed"


def test_what_a_call_left_running_is_not_its_agent(project: Project, start: Start) -> None:
    began = present() - 10 * SECOND
    project.write(began)
    start(project.path, sys.executable, "-c", WAITS)
    assert project.session(began + 61 * SECOND).status == "crashed"


@pytest.mark.parametrize(
    "words",
    [
        ("sh", "-c", "echo here; read line"),
        ("bash", "--norc", "-c", "echo here; read line"),
        (sys.executable, "-c", "import sessions_tui; " + WAITS),
    ],
)
def test_a_shell_in_the_project_is_no_agent(
    project: Project, start: Start, words: tuple[str, ...]
) -> None:
    start(project.path, *words)
    began = present()
    project.write(began)
    assert project.session(began + 61 * SECOND).status == "crashed"


def test_a_copied_transcript_may_be_worked_on_where_it_came_from(
    project: Project, tmp_path: Path
) -> None:
    began = present()
    project.write(began, cwd=tmp_path / "another place")
    assert project.session(began + 61 * SECOND).status == "unknown"
    project.write(began, cwd=project.path)
    assert project.session(began + 62 * SECOND).status == "crashed"


def test_an_envelope_is_looked_for_in_the_directory_that_it_names(tmp_path: Path) -> None:
    began = present()
    home = tmp_path / "home" / "projects" / "shop"
    home.mkdir(parents=True)
    at = datetime.fromtimestamp(began / 1000, UTC).isoformat()
    for name, cwd in (("here", str(tmp_path)), ("nowhere", "/not/on/this/machine")):
        prompt = {"type": "message", "role": "user", "content": "Paint", "cwd": cwd}
        ids = {"session_id": name, "event_id": f"transcript:{name}:1", "sequence": 1}
        record = {"schema_version": 1, "recorded_at": at, **ids, **prompt}
        (home / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
    library = opened(Library([Root(tmp_path / "home", "home", "")], None))
    library.rescan()
    library.read_all()
    found = {one.session: one.status for one in library.sessions(began + 61 * SECOND)}
    assert found == {"here": "crashed", "nowhere": "unknown"}


def test_processes_are_looked_at_seldom_and_together(tmp_path: Path) -> None:
    machine, now = Machine(programs()), present()
    for name in range(50):
        machine.sighting(tmp_path / str(name), tmp_path, now, now + name)
    assert machine.looks == 1
    machine.sighting(tmp_path / "1", tmp_path, now, now + machines.EVERY)
    assert machine.looks == 2


def test_an_agent_that_was_found_is_not_looked_for_again(
    project: Project, program: Path, start: Start
) -> None:
    start(project.path, sys.executable, str(program))
    machine, now = Machine(programs()), present()
    for later in range(0, 10 * MINUTE, MINUTE):
        assert machine.sighting(project.folder / "one", project.path, now, now + later).worker
    assert machine.looks == 1


def test_what_was_read_of_a_process_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    before = running([], present())
    old = [one for one in before if present() - one.started_at > process_list.SETTLED]
    read: list[int] = []
    original = process_list._read

    def counted(pid: int, started: int) -> Running | None:
        read.append(pid)
        return original(pid, started)

    monkeypatch.setattr(process_list, "_read", counted)
    running(before, present())
    assert old
    assert not {one.pid for one in old} & {*read}


def test_a_process_that_cannot_be_looked_at_may_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript, now = tmp_path / "one.jsonl", present()
    transcript.touch()
    own = transcript.stat().st_uid
    hidden = Running(4711, now - HOUR, own, ("/usr/bin/python3.12", "run.py"), None)

    def whole(*others: Running) -> bool:
        monkeypatch.setattr(machines, "running", lambda before, now: [*others, visible])
        return Machine(programs()).sighting(transcript, tmp_path, now, now).is_whole

    visible = Running(1, now - HOUR, 0, ("init",), "/")
    assert whole()
    assert not whole(hidden)
    assert whole(replace(hidden, owner=own + 1))  # it could not write there
    assert whole(replace(hidden, command=("ssh-agent",)))  # nobody may look at those
    assert whole(replace(hidden, command=()))  # the system's own


@pytest.mark.parametrize(
    ("command", "is_agent"),
    [
        (("/opt/venv/bin/mycodeagent",), True),
        (("python3", "/opt/venv/bin/mycodeagent", "--resume=s-1"), True),
        (("python3", "/opt/MyCodeAgent/main.py"), True),
        (("python3", "-m", "my_code_agent"), True),
        (("python3", "@/mycodeagent/run.py"), False),
        (("node", "server.js"), False),
    ],
)
def test_an_agent_is_known_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], is_agent: bool
) -> None:
    now, words = present(), tuple(word.replace("@", str(tmp_path)) for word in command)
    one = Running(4711, now - HOUR, 0, words, str(tmp_path))
    monkeypatch.setattr(machines, "running", lambda before, now: [one])
    worker = Machine(programs()).sighting(tmp_path / "one", tmp_path, now, now).worker
    assert worker
    assert worker.is_agent == is_agent


def test_a_name_that_could_steer_a_terminal_is_made_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = present()
    one = Running(4711, now - HOUR, 0, ("/x/\x1b[31mred\u202e" + "y" * 99,), str(tmp_path))
    monkeypatch.setattr(machines, "running", lambda before, now: [one])
    worker = Machine(programs()).sighting(tmp_path / "one", tmp_path, now, now).worker
    assert worker
    assert worker.name == "??31mred?" + "y" * 31


def test_other_systems_tell_by_psutil(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psutil")
    process = start(tmp_path, sys.executable, "-c", WAITS, f"--cwd={tmp_path}")
    monkeypatch.setattr(processes, "HAS_PROC", False)
    (found,) = [one for one in running([], present()) if one.pid == process.pid]
    assert (found.directory, found.places) == (str(tmp_path), (str(tmp_path),))
    assert abs(found.started_at - present()) < MINUTE
    assert processes.process_started_at(process.pid) == found.started_at
