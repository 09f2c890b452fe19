"""What is around a session tells of it: its agent's process and the desktop app's database."""

from __future__ import annotations

import json
import platform
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.stores.roots import find_roots

NOW = int(time.time() * 1000)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store with one session that is in the midst of an edit, and a registry."""
    records: list[dict[str, Any]] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix it"}]},
        {"type": "function_call", "name": "Edit", "callId": "c1", "arguments": "{}"},
    ]
    path = tmp_path / "projects" / "shop" / "s1.jsonl"
    path.parent.mkdir(parents=True)
    stamped = [{**record, "timestamp": NOW, "sessionId": "s1"} for record in records]
    path.write_text("".join(json.dumps(record) + "\n" for record in stamped))
    (tmp_path / "sessions").mkdir()
    return tmp_path


@pytest.fixture
def agent(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The process that has the session, until it is killed."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    entry = {
        "pid": process.pid,
        "sessionId": "s1",
        "lastHeartbeat": NOW,
        "startedAt": int(time.time() * 1000),
    }
    entry |= {"kind": "interactive", "hostname": platform.node()}
    entry_of(home, process).write_text(json.dumps(entry, indent=2))
    yield process
    process.communicate()


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    """All of the store."""
    roots = find_roots([home], {}, home, home).found
    with closing(Library(roots, None)) as found:
        found.rescan()
        found.read_all()
        yield found


def entry_of(home: Path, agent: subprocess.Popen[bytes]) -> Path:
    return home / "sessions" / f"{agent.pid}.json"


def after(library: Library, seconds: float) -> Session:
    """The session so long after its last record."""
    (session,) = library.sessions(NOW + round(seconds * 1000))
    return session


def app(home: Path, status: str, last_activity_at: int) -> None:
    """The desktop app's database says this of the session."""
    with closing(sqlite3.connect(home / "workbuddy.db")) as database:
        database.execute("CREATE TABLE sessions(id, title, status, last_activity_at)")
        row = ("s1", "Repair", status, last_activity_at)
        database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", row)
        database.commit()


def test_an_agent_that_beats_is_never_taken_for_dead(
    home: Path, agent: subprocess.Popen[bytes], library: Library
) -> None:
    entry = entry_of(home, agent)
    whole = entry.read_bytes()
    assert after(library, 30).status == "working"
    for part in (b"", whole[:30], whole):
        entry.write_bytes(part)
        session = after(library, 30)
        assert (session.status, session.uncertain) == ("working", 0)
        assert f"process {agent.pid} is alive" in session.why.lower()


def test_an_agent_that_takes_its_entry_along_is_soon_known_to_be_gone(
    home: Path, agent: subprocess.Popen[bytes], library: Library
) -> None:
    app(home, "working", NOW)
    assert after(library, 1).status == "working"
    entry_of(home, agent).unlink()
    agent.kill()
    agent.wait()
    assert after(library, 5).status == "working"
    session = after(library, 6)
    assert (session.status, session.uncertain) == ("crashed", 1)
    assert "no process has the session open" in session.why


def test_an_agent_that_never_registered_is_given_time(library: Library) -> None:
    assert after(library, 60).status == "working"
    assert after(library, 61).status == "crashed"


def test_somebody_nameless_may_have_the_session(
    home: Path, agent: subprocess.Popen[bytes], library: Library
) -> None:
    entry_of(home, agent).write_bytes(b"")
    assert after(library, 30).status == "working"
    assert after(library, 90).status == "unknown"
    agent.kill()
    agent.wait()
    assert after(library, 90).status == "crashed"


def test_what_the_app_calls_terminated_is_uncertain(home: Path, library: Library) -> None:
    app(home, "terminated", NOW + 1)
    session = after(library, 120)
    assert (session.status, session.uncertain) == ("crashed", 1)
    assert "WorkBuddy reports it as terminated" in session.why


def test_a_broken_database_is_told_until_it_is_whole(home: Path, library: Library) -> None:
    app(home, "working", NOW)
    path = home / "workbuddy.db"
    whole = path.read_bytes()
    assert after(library, 1).title == "Repair"
    path.write_bytes(b"not a database " * 500)
    for _ in range(2):
        assert after(library, 1).title == "Repair"
        (problem,) = library.unreadable.values()
        assert (problem.path, "not a database" in problem.reason) == (path, True)
        library.rescan()
    path.write_bytes(whole)
    assert after(library, 1).title == "Repair"
    assert not library.unreadable


@pytest.mark.parametrize(("lives", "status"), [(True, "working"), (False, "crashed")])
def test_one_session_asked_for_alone_is_told_by_its_process(
    library: Library, agent: subprocess.Popen[bytes], lives: bool, status: str
) -> None:
    """As a command does that is for one session: the list was not asked for before."""
    if not lives:
        agent.kill()
        agent.wait()
    (file,) = library.files()
    session = library.session(file.path, NOW + 50_000)
    assert session
    assert session.status == status
