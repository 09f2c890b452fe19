"""A simulated agent: a process that keeps writing one session of the demo.

`python -m sessions_tui.app.demo.agent FOLDER NAME` starts once it reads the path of a transcript
from standard input. When that input closes, which it does however the parent ends, it deletes the
demo's folder and exits.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from . import folder
from .codebuddy import ProductPen
from .registry import register
from .steps import Story
from .stories import inventory, site

WORK: dict[str, tuple[Callable[[], Story], str]] = {
    "inventory": (inventory.more_work, "hy3"),
    "site": (site.more_pages, "kimi-k3"),
}
HEARTBEAT = 5.0
SHORTEST, LONGEST = 0.5, 2.0
"""Seconds between two records, if the story lets any time pass at all."""


class AgentEnded(Exception):
    """The parent process is gone."""


class LiveClock:
    """A clock that really waits, and sends heartbeats meanwhile."""

    def __init__(self, ended: threading.Event, beat: Callable[[int], None]) -> None:
        self._ended, self._beat = ended, beat
        self._next_beat = 0.0

    def tick(self, seconds: float) -> int:
        """Wait about `seconds`; return the time. Raises `AgentEnded` once the parent is gone."""
        if time.monotonic() >= self._next_beat:
            self._beat(_now())
            self._next_beat = time.monotonic() + HEARTBEAT
        if seconds >= 0.02 and self._ended.wait(min(max(seconds, SHORTEST), LONGEST)):
            raise AgentEnded
        return _now()


def work(transcript: Path, name: str, ended: threading.Event) -> None:
    """Continue a transcript until `ended` is set."""
    last, session, started = _last_chained(transcript), transcript.stem, _now()
    registry, cwd = transcript.parents[2] / "sessions", last["cwd"]

    def beat(now: int) -> None:
        register(registry, os.getpid(), session, cwd, started, now)

    (story, model), rng = WORK[name], random.Random(f"{session} {started}")
    clock = LiveClock(ended, beat)
    pen = ProductPen(session, cwd, clock, rng, model=model, tip=last["id"])
    with transcript.open("ab", buffering=0) as file:
        for step in story():
            for line in pen.write(step):
                file.write(line)


def _last_chained(transcript: Path) -> dict[str, Any]:
    """Return the last record that others can follow."""
    records = (orjson.loads(line) for line in reversed(transcript.read_bytes().splitlines()))
    return next(record for record in records if "id" in record and "snapshot" not in record)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _watch_input(ended: threading.Event) -> None:
    """Set the event once standard input closes."""

    def drain() -> None:
        sys.stdin.buffer.read()
        ended.set()

    threading.Thread(target=drain, daemon=True).start()


def main() -> None:
    """Wait for a transcript's path, then work on it."""
    place, name = Path(sys.argv[1]), sys.argv[2]
    transcript = os.fsdecode(sys.stdin.buffer.readline().rstrip(b"\n"))
    ended = threading.Event()
    _watch_input(ended)
    # The folder may disappear first: the parent deletes it, too.
    with contextlib.suppress(AgentEnded, OSError):
        if transcript:
            work(Path(transcript), name, ended)
    ended.wait()
    folder.remove(place)


if __name__ == "__main__":
    main()
