"""Bytes as agents append them, and a wait for when they were looked at."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from sessions_tui.app.demo.clock import StoryClock
from sessions_tui.app.demo.mycodeagent import MyCodeAgentPen
from sessions_tui.app.demo.steps import Answer, Step
from sessions_tui.storage.transcript.transcript import Transcript
from tests.app.sitting import NOW, Agent, Person


def append(path: Path, data: bytes) -> None:
    """Write at the end, in one go."""
    with path.open("ab", buffering=0) as file:
        file.write(data)


def line(agent: Agent, text: str) -> bytes:
    """The line of one answer, not written yet."""
    return b"".join(agent.lines(Answer(text)))


def run_of(session: str, steps: Iterable[Step], minutes: float = 10) -> list[bytes]:
    """The lines of a MyCodeAgent session."""
    clock = StoryClock(NOW - round(minutes * 60_000))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"transcript-{session}.jsonl"
        pen = MyCodeAgentPen(path, clock, random.Random(session))
        with pen.recorder:
            for step in steps:
                pen.write(step)
        return path.read_bytes().splitlines(keepends=True)


def transcript_of(mei: Person) -> Transcript:
    """What was read of the open session."""
    assert mei.reading.rows is not None
    return mei.reading.rows.transcript


async def has_seen(mei: Person, path: Path) -> None:
    """Wait until the open file was looked at as it is now."""
    size = path.stat().st_size
    await mei.until(lambda: transcript_of(mei).fingerprint.size == size)
