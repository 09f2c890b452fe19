"""A measure with its yardstick and its promise, and the bench that all measures share."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import orjson

from .corpus import Plan, Store, store
from .terminal import Terminal, running

ROOT = Path(__file__).parents[2]
WIDE, NARROW = (40, 160), (24, 80)
"""Rows and columns: list and session side by side, and one at a time."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came out; `yardstick` was taken in the same run, `against` says how it is held to it."""

    what: str
    value: float
    unit: str
    promise: str
    kept: bool
    yardstick: float | None = None
    against: float | None = None
    """The ratio to the yardstick, or the difference from it, as the promise is worded."""
    note: str = ""


def ratio(what: str, value: float, yardstick: float, limit: float, note: str = "") -> Measured:
    """Seconds that may be at most so many times the yardstick."""
    times = value / yardstick
    promise = f"≤ {limit:g} ×"
    return Measured(what, value, "s", promise, times <= limit, yardstick, times, note)


def difference(
    what: str, value: float, yardstick: float, limit: float, unit: str, note: str = ""
) -> Measured:
    """A value that may be at most so much more than the yardstick."""
    more = value - yardstick
    promise = f"≤ {limit:g} {unit} more"
    return Measured(what, value, unit, promise, more <= limit, yardstick, more, note)


def at_most(
    what: str,
    value: float,
    limit: float,
    unit: str,
    yardstick: float | None = None,
    note: str = "",
) -> Measured:
    """A value with a limit of its own; a yardstick is shown beside it."""
    promise = f"≤ {limit:g} {unit}"
    return Measured(what, value, unit, promise, value <= limit, yardstick, None, note)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where stores are, where runs may write, and how much is measured."""

    stores: Path
    scratch: Path
    short: bool

    @property
    def runs(self) -> int:
        """How often what is quick is repeated."""
        return 3 if self.short else 7

    def many(self, dialect: str) -> Store:
        """A store of many sessions."""
        sessions, size = (100, 40_000_000) if self.short else (500, 400_000_000)
        return store(Plan(f"many-{dialect}", dialect, sessions, size), self.stores)

    def small(self) -> Store:
        """A store of one small session."""
        return store(Plan("small", "product", 1, 1_000_000), self.stores)

    def large(self) -> Store:
        """A store of one session as long as any gets."""
        size = 100_000_000 if self.short else 1_000_000_000
        return store(Plan("large", "product", 1, size), self.stores)

    def few_records(self) -> Store:
        """A store of one session of a thousand short records."""
        return store(Plan("few-records", "product", 1, records=1_000), self.stores)

    def most_records(self) -> Store:
        """A store of one session of very many short records."""
        records = 100_000 if self.short else 1_000_000
        return store(Plan("most-records", "product", 1, records=records), self.stores)

    def fresh(self) -> Path:
        """An empty directory."""
        return Path(tempfile.mkdtemp(dir=self.scratch))

    def screen(
        self, home: Path, cache: Path, size: tuple[int, int], *words: str
    ) -> AbstractContextManager[Terminal]:
        """The program on a store, with an index in `cache` and no decisions yet."""
        places = ["--root", str(home), "--cache-dir", str(cache), "--data-dir", str(self.fresh())]
        return running([program(), *places, *words], size, self.environ())

    def empty(self, size: tuple[int, int]) -> AbstractContextManager[Terminal]:
        """A Textual application with one word on it."""
        command = [sys.executable, "-m", "tests.bench.empty"]
        return running(command, size, self.environ())

    def work(self, *words: str | Path) -> dict[str, float]:
        """Work done in a process of its own: what it told."""
        command = [sys.executable, "-m", "tests.bench.work", *map(str, words)]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environ(), capture_output=True, check=True
        )
        told: dict[str, float] = orjson.loads(done.stdout)
        return told

    def environ(self) -> dict[str, str]:
        """A person's terminal, but none of their settings and stores."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return kept | {
            "HOME": str(self.scratch),
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_CTYPE": "C.UTF-8",
        }


def program() -> str:
    """The command as it is installed beside this Python."""
    return str(Path(sys.executable).with_name("sessions"))


def median(values: Sequence[float]) -> float:
    """The value in the middle."""
    return statistics.median(values)


def nearly_all(values: Sequence[float]) -> float:
    """The 95th percentile: the smallest value that 95 % do not pass."""
    ordered = sorted(values)
    return ordered[-(-len(ordered) * 95 // 100) - 1]
