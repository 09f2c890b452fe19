"""What it takes to read everything, and to find that nothing has changed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

from .measured import Bench, Measured, at_most, difference, median, program, ratio
from .writers import WRITERS


def index(bench: Bench) -> Iterator[Measured]:
    """Every dialect against a loop that only parses; then again with nothing to do."""
    for dialect in WRITERS:
        made, cache = bench.many(dialect), bench.fresh()
        bench.work("parse", made.home)  # so that both find the files in memory
        parsed = bench.work("parse", made.home)
        read = bench.work("index", made.home, cache)
        what = f"index {dialect}, {made.plan.about}"
        processor = read["processor"] / parsed["processor"]
        note = f"{made.size / 1e6 / read['seconds']:.0f} MB/s; processor time {processor:.2f} ×"
        yield ratio(what, read["seconds"], parsed["seconds"], 4, note)
        yield at_most(f"{what}, peak memory", read["peak"], 120, "MB", parsed["peak"])
        if dialect == "product":
            again = [bench.work("index", made.home, cache) for _ in range(bench.runs)]
            parsed_again = max(told["parsed"] for told in again)
            yield at_most(f"{what}, nothing new: files parsed", parsed_again, 0, "files")
            seconds = median([_seconds(bench, *_index(made.home, cache)) for _ in again])
            version = median([_seconds(bench, program(), "--version") for _ in again])
            yield difference(f"{what}, nothing new", seconds, version, 0.15, "s")


def _index(*places: object) -> list[str]:
    return [sys.executable, "-m", "tests.bench.work", "index", *map(str, places)]


def _seconds(bench: Bench, *command: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=bench.environ(), capture_output=True, check=True)
    return time.perf_counter() - start
