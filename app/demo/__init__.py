"""Sample data to try the program on, with simulated agents; deleted on exit.

    with demo_store() as store:
        ...  # store.roots, store.cache_dir, store.data_dir

The agents are separate processes. They end, and delete the folder, as soon as the pipe to them
closes, so that nothing is left behind even if this process is killed.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from . import folder
from .store import DemoStore, write_store

__all__ = ["DemoStore", "demo_store", "write_store"]

AGENTS = ("inventory", "site")
PATIENCE = 3.0
"""Seconds that an agent has to end by itself."""

Agent = subprocess.Popen[bytes]


@contextlib.contextmanager
def demo_store(seed: int = 1) -> Iterator[DemoStore]:
    """Create a store in a temporary folder, with agents working in it until the block ends."""
    place = folder.make()
    agents: dict[str, Agent] = {}
    try:
        # Agents first, as they clean up after a kill; they wait until the store exists.
        for name in AGENTS:
            agents[name] = _start(place, name)
        store = write_store(place, time.time_ns() // 1_000_000, seed)
        for name, agent in agents.items():
            _tell(agent, store.live[name])
        yield store
    finally:
        for agent in agents.values():
            _end(agent)
        folder.remove(place)


def _start(place: Path, name: str) -> Agent:
    module = "sessions_tui.app.demo.agent"
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(place), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # closing the terminal must not end it before it has cleaned up
    )


def _tell(agent: Agent, transcript: Path) -> None:
    assert agent.stdin
    with contextlib.suppress(OSError):
        agent.stdin.write(f"{transcript}\n".encode())
        agent.stdin.flush()


def _end(agent: Agent) -> None:
    assert agent.stdin
    with contextlib.suppress(OSError):
        agent.stdin.close()
    try:
        agent.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        agent.kill()
        agent.wait()
