"""What the tests of recording share: a clock that ticks, and files looked at as readers do."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sessions_tui.storage.model.integrity import Integrity
from sessions_tui.storage.recording.shards import read_whole

CASES = Path(__file__).parents[2] / "cases"


class Ticking:
    """A clock that is a second and a microsecond further each time it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 8, 0, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1, microseconds=1)
        return self.now


def integrity(path: Path) -> Integrity:
    """What the strict reader thinks of a file."""
    return read_whole(path).integrity()


def records(path: Path) -> list[dict[str, Any]]:
    """The records of a file that ends with a line end."""
    *lines, rest = path.read_bytes().split(b"\n")
    assert not rest
    return [json.loads(line) for line in lines]


def contents(path: Path) -> list[Any]:
    """What an envelope's messages say."""
    return [record["content"] for record in records(path)]


def is_strict(path: Path) -> bool:
    """Whether nothing at all is to be said against a file."""
    return integrity(path) == Integrity()


def bytes_read() -> int:
    """What this process has read so far, on Linux."""
    counts = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counts["rchar"])
