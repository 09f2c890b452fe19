"""What all measures share: where stores are, how large, and how programs are run on them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from .corpus import Plan, Store, store
from .terminal import Terminal, running

ROOT = Path(__file__).parents[2]
WIDE, NARROW = (40, 160), (24, 80)
"""Rows and columns: list and session side by side, and one at a time."""


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

    @property
    def few(self) -> int:
        """How often what takes seconds is repeated."""
        return 3

    def many(self, dialect: str) -> Store:
        """A store of many sessions; even the smaller one is worth a second process to index."""
        sessions, size = (100, 60_000_000) if self.short else (500, 400_000_000)
        return store(Plan(f"many-{dialect}", dialect, sessions, size), self.stores)

    def most_files(self) -> Store:
        """A store of very many short sessions."""
        sessions = 1_000 if self.short else 10_000
        return store(Plan("most-files", "product", sessions, records=12), self.stores)

    def small(self) -> Store:
        """A store of one small session."""
        return store(Plan("small", "product", 1, 1_000_000), self.stores)

    def large(self) -> Store:
        """A store of one session as long as any gets."""
        size = 80_000_000 if self.short else 1_000_000_000
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

    def work(self, *words: str | Path | int) -> dict[str, float]:
        """Work done in a process of its own: what it told."""
        command = [sys.executable, "-m", "tests.bench.work", *map(str, words)]
        told: dict[str, float] = orjson.loads(self._run(command))
        return told

    def command(self, *words: str | Path) -> tuple[float, bytes]:
        """Seconds that one of the program's commands took, and what it printed."""
        start = time.perf_counter()
        printed = self._run([program(), *map(str, words)])
        return time.perf_counter() - start, printed

    def index_command(self, home: Path, cache: Path) -> dict[str, Any]:
        """What `sessions index` tells of a store, and the seconds it took, start and all."""
        places = ("--root", home, "--cache-dir", cache, "--data-dir", self.fresh())
        seconds, printed = self.command("index", "--json", *places)
        told: dict[str, Any] = orjson.loads(printed)
        return told | {"seconds": seconds}

    def grep(self, word: str, place: Path) -> float:
        """Seconds that grep takes to look through a file, or all files of a directory.

        It counts: thrown away, what it prints makes it stop at the first hit; read, it costs.
        """
        start = time.perf_counter()
        found = subprocess.run(
            ["grep", "-rFc", "-e", word, str(place)],
            env=self.environ() | {"LC_ALL": "C"},
            capture_output=True,
        )
        if found.returncode > 1:
            found.check_returncode()
        return time.perf_counter() - start

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

    def _run(self, command: list[str]) -> bytes:
        done = subprocess.run(
            command, cwd=ROOT, env=self.environ(), capture_output=True, check=True
        )
        return done.stdout


def program() -> str:
    """The command as it is installed beside this Python."""
    return str(Path(sys.executable).with_name("sessions"))
