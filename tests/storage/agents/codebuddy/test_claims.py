"""Who has a session whose registry names processes and directories, but no sessions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.agents.codebuddy.claims import Claim, likeliest
from sessions_tui.storage.files.processes import process_started_at
from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.process import Process
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.model.store import Root
from tests.opened import opened

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000


class Home:
    """A home with sessions of one project, and processes that say where they work."""

    def __init__(self, directory: Path) -> None:
        self.now = int(time.time() * 1000)
        self.path, self.project = directory / ".codebuddy", directory / "shop"
        self.project.mkdir()
        (self.path / "projects" / "shop").mkdir(parents=True)
        (self.path / "sessions").mkdir()

    def write(self, session: str = "s1", *, ago: int = 10 * SECOND, end: str = "call") -> None:
        """A session that was asked something so long ago, and how its turn went on."""
        at = self.now - ago
        common = {"timestamp": at, "sessionId": session, "cwd": str(self.project)}
        text = [{"type": "input_text", "text": "Paint the shop"}]
        prompt = {"type": "message", "role": "user", "content": text}
        call = {"type": "function_call", "callId": "c1", "name": "Bash", "arguments": "{}"}
        said = [{"type": "output_text", "text": "Painted."}]
        answer = {"type": "message", "role": "assistant", "status": "completed", "content": said}
        usage = {"message": {"usage": {"input_tokens": 9, "output_tokens": 1}}}
        after = [one | usage for kind, one in (("call", call), ("answer", answer)) if kind == end]
        lines = [
            json.dumps({"id": f"r{n}", **one, **common}) for n, one in enumerate([prompt, *after])
        ]
        path = self.path / "projects" / "shop" / f"{session}.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines))

    def register(self, pid: int, ago: int, **said: Any) -> Path:
        """A process writes its entry so long ago, as CodeBuddy does."""
        start = self.now - ago
        entry = {"pid": pid, "lastHeartbeat": start, "sessionId": f"interactive-{pid}"}
        entry |= {"cwd": str(self.project), "startedAt": start, "kind": "interactive", **said}
        path = self.path / "sessions" / f"{pid}.json"
        path.write_text(json.dumps(entry, indent=2))
        return path

    def library(self) -> Library:
        library = opened(Library([Root(self.path, "home", "codebuddy")], None))
        library.rescan()
        library.read_all()
        return library

    def session(self, session: str = "s1", later: int = 0) -> Session:
        """A session as it is found, so many milliseconds later."""
        found = self.library().sessions(self.now + later)
        return next(one for one in found if one.session == session)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    """A process that lives until it is killed."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def age(pid: int, home: Home) -> int:
    """How long ago a process started."""
    started = process_started_at(pid)
    if started is None:
        pytest.skip("the system does not tell when a process started")
    return home.now - started


def test_a_call_that_runs_for_minutes_is_working_while_its_process_lives(home: Home) -> None:
    home.register(os.getpid(), age(os.getpid(), home) - SECOND)
    ago = age(os.getpid(), home) - 2 * SECOND
    home.write(ago=ago)
    for later in (0, 10 * MINUTE, 3 * HOUR):
        session = home.session(later=later)
        assert (session.status, session.uncertain, session.alive) == ("working", 0, True)
        assert f"process {os.getpid()} is alive" in session.why.lower()


def test_a_killed_process_is_seen_at_once(home: Home) -> None:
    pid = dead_pid()
    home.register(pid, 30 * SECOND)
    home.write(ago=SECOND // 2)
    session = home.session()
    assert (session.status, session.uncertain, session.needs_you) == ("crashed", 1, True)
    assert f"process {pid} is gone" in session.why
    home.write(end="prompt", ago=20 * SECOND)
    assert home.session().status == "crashed"


def test_a_finished_turn_waits_as_long_as_its_process_lives(home: Home) -> None:
    home.register(os.getpid(), age(os.getpid(), home))
    home.write(ago=age(os.getpid(), home) - SECOND, end="answer")
    assert home.session(later=HOUR).status == "waiting"
    home.register(dead_pid(), HOUR)
    (home.path / "sessions" / f"{os.getpid()}.json").unlink()
    assert home.session(later=HOUR).status == "done"


@pytest.mark.parametrize("end", ["prompt", "call"])
def test_without_an_entry_the_program_ended_without_an_answer(home: Home, end: str) -> None:
    home.write(end=end)
    session = home.session()
    assert (session.status, session.uncertain) == ("done", int(end == "call"))
    assert session.needs_you == (end == "call")
    assert session.why.startswith("The program ended without an answer")


def test_entries_that_cannot_be_its_own_do_not_count(home: Home, tmp_path: Path) -> None:
    home.write()
    home.register(dead_pid(), 5 * SECOND)  # began after its last record
    other = tmp_path / "other"
    other.mkdir()
    home.register(os.getpid(), age(os.getpid(), home), cwd=str(other))
    session = home.session()
    assert (session.status, session.alive) == ("done", False)


def test_a_linked_directory_is_the_same(home: Home, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.project)
    home.register(os.getpid(), age(os.getpid(), home), cwd=str(link))
    home.write(ago=age(os.getpid(), home) - SECOND)
    assert home.session().status == "working"


def test_a_session_that_was_resumed_belongs_to_the_newer_process(
    home: Home, worker: subprocess.Popen[bytes]
) -> None:
    home.register(dead_pid(), HOUR)
    home.register(worker.pid, age(worker.pid, home))
    home.now += 3 * SECOND
    home.write(ago=SECOND)
    assert home.session().status == "working"


def test_beside_a_living_neighbour_the_killed_one_is_crashed(
    home: Home, worker: subprocess.Popen[bytes]
) -> None:
    """Its last prompt came before the living process began."""
    home.register(dead_pid(), HOUR)
    home.register(worker.pid, age(worker.pid, home))
    home.write(ago=age(worker.pid, home) + 5 * SECOND)
    assert home.session().status == "crashed"


def test_where_a_living_process_may_have_it_too_nobody_can_tell(
    home: Home, worker: subprocess.Popen[bytes]
) -> None:
    """The one that is gone began last before the prompt; the other may have several sessions."""
    began = age(worker.pid, home)
    home.now += 10 * SECOND
    home.register(worker.pid, began + 10 * SECOND)
    home.register(dead_pid(), 5 * SECOND)
    home.write(ago=SECOND)
    session = home.session()
    assert (session.status, session.uncertain, session.alive) == ("unknown", 0, None)
    assert f"process {worker.pid} is alive in the same directory" in session.why


def test_one_process_may_have_several_sessions(home: Home) -> None:
    home.register(os.getpid(), age(os.getpid(), home))
    for name in ("s1", "s2", "s3"):
        home.write(name, ago=age(os.getpid(), home) - SECOND)
    assert {one.status for one in home.library().sessions(home.now + HOUR)} == {"working"}


def test_a_pid_that_belongs_to_another_program_by_now(
    home: Home, worker: subprocess.Popen[bytes]
) -> None:
    age(worker.pid, home)
    home.register(worker.pid, HOUR)  # long before the process of today began
    home.write()
    assert home.session().status == "crashed"


def test_an_entry_of_a_container_is_no_proof_of_death(home: Home) -> None:
    """There the directory is another, or the pid one that began long before."""
    home.write(ago=5 * MINUTE)
    path = home.path / "projects" / "shop" / "s1.jsonl"
    path.write_text(path.read_text().replace(str(home.project), "/somewhere/else"))
    home.register(dead_pid(), HOUR, cwd="/somewhere/else")
    assert home.session().status == "unknown"
    assert home.session(later=HOUR).status == "crashed"


def test_records_after_its_death_prove_that_another_process_has_it(home: Home) -> None:
    """As where the home is shared with a container: pids mean nothing there."""
    home.register(dead_pid(), HOUR)
    home.write(ago=20 * SECOND)
    library = home.library()
    assert library.sessions(home.now)[0].status == "crashed"
    path = home.path / "projects" / "shop" / "s1.jsonl"
    record = json.loads(path.read_text().splitlines()[0])
    line = json.dumps({**record, "id": "r9", "timestamp": home.now + 10 * SECOND})
    with path.open("a") as file:
        file.write(line + "\n")
    library.rescan()
    library.read(path)
    for known in library.overviews.grew_at:
        library.overviews.grew_at[known] = home.now + 10 * SECOND
    assert library.sessions(home.now + 11 * SECOND)[0].status == "working"


def test_while_an_entry_is_being_made_nobody_is_declared_dead(
    home: Home, worker: subprocess.Popen[bytes]
) -> None:
    home.write(ago=10 * SECOND)
    (home.path / "sessions" / f"{worker.pid}.json").write_bytes(b"")
    assert home.session().status == "working"


def test_the_desktop_apps_processes_have_sessions_of_any_directory(
    home: Home, tmp_path: Path
) -> None:
    host = tmp_path / "__workbuddy_cli_host__-1-28ac"
    host.mkdir()
    home.register(os.getpid(), age(os.getpid(), home), cwd=str(host))
    home.write(ago=5 * MINUTE)
    assert home.session().status == "unknown"


def test_a_home_of_the_desktop_app_registers_nobody_for_sure(home: Home) -> None:
    (home.path / "workbuddy.db").write_bytes(b"")
    home.write(ago=10 * SECOND)
    assert home.session().status == "working"


def test_who_named_the_session_counts_first(home: Home) -> None:
    home.register(os.getpid(), age(os.getpid(), home), sessionId="s1", lastHeartbeat=home.now)
    home.register(dead_pid(), HOUR)
    home.write()
    assert home.session().status == "working"


def process(pid: int, started_at: int, life: Any = "alive") -> Process:
    return Process(pid, f"interactive-{pid}", life, started_at, started_at=started_at)


@pytest.mark.parametrize(
    ("processes", "prompted_at", "owner", "rival"),
    [
        ([], 50, None, None),
        ([process(1, 10)], None, 1, None),
        ([process(1, 10), process(2, 20)], 50, 2, None),
        ([process(1, 10), process(2, 60)], 50, 1, None),
        ([process(1, 10, "dead"), process(2, 20)], 50, 2, None),
        ([process(1, 10), process(2, 20, "dead")], 50, 2, 1),
        ([process(1, 10, "dead"), process(2, 60)], 50, 1, None),
        ([process(1, 10, "elsewhere"), process(2, 20, "dead")], 50, 2, None),
    ],
)
def test_the_likeliest_owner_was_the_last_to_start_before_the_prompt(
    processes: list[Process], prompted_at: int | None, owner: int | None, rival: int | None
) -> None:
    found: Claim = likeliest(processes, prompted_at)
    assert (found.owner.pid if found.owner else None) == owner
    assert (found.rival.pid if found.rival else None) == rival
