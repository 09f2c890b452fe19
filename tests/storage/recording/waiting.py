"""Agents that made a call and wait for its result, and what is found of them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sessions_tui.storage.library.library import Library
from sessions_tui.storage.model.session import Session
from sessions_tui.storage.model.store import Root

WAITS_IN_A_CALL = """
import os, sys, threading
from datetime import UTC, datetime, timedelta
from sessions_tui.storage.recording import EnvelopeRecorder, Presence

def some_time_ago():
    return datetime.now(UTC) - timedelta(minutes=5)

recorder = EnvelopeRecorder(sys.argv[1], clock=some_time_ago, limit=2)
presence = Presence(recorder, every=float(sys.argv[2])) if sys.argv[2:] else None
recorder.message("user", "Build it.")
recorder.call("Bash", {"command": "make"})
print("ready", flush=True)
for line in sys.stdin:
    print(eval(line), flush=True)
"""


class Agent:
    """A process that made a call five minutes ago and waits for its result since."""

    def __init__(self, path: Path, *every: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WAITS_IN_A_CALL, str(path), *map(str, every)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self.process.pid
        assert self.told() == "ready"

    def told(self) -> str:
        """The next line that it, or a child of it, prints."""
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def does(self, code: str) -> str:
        """What comes of an expression in there."""
        assert self.process.stdin
        print(code, file=self.process.stdin, flush=True)
        return self.told()

    def ends(self) -> None:
        """Its program comes to its end."""
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.wait(20) == 0

    def is_killed(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait(20)


Begin = Callable[..., Agent]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begins an agent; every so many seconds it beats, or it has no presence."""
    agents: list[Agent] = []

    def begin(*every: float) -> Agent:
        agents.append(Agent(transcript(tmp_path), *every))
        return agents[-1]

    yield begin
    for agent in agents:
        agent.is_killed()
        for pipe in (agent.process.stdin, agent.process.stdout):
            if pipe:
                pipe.close()


def transcript(home: Path, name: str = "s") -> Path:
    return home / "projects" / "shop" / f"{name}.jsonl"


def only_session(home: Path) -> Session:
    """The one session of a home, as somebody finds it who looks for the first time."""
    with closing(Library([Root(home, "home", "")], None)) as library:
        library.rescan()
        library.read_all()
        (session,) = library.sessions()
    return session


def files(home: Path) -> list[str]:
    """All that lies in the registry."""
    return sorted(path.name for path in (home / "sessions").iterdir())


def entry(home: Path, pid: object) -> Any:
    """What a file of the registry says; it is whole whenever it is read."""
    return json.loads((home / "sessions" / f"{pid}.json").read_bytes())


def until(is_so: Callable[[], object]) -> None:
    """Wait for something, but not for ever."""
    deadline = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)
