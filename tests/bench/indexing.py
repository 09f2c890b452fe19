"""What it takes to read everything, and to find that nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator

from tests.agents.writers import WRITERS

from .bench import Bench
from .corpus import Store
from .measured import Measured, at_most, difference, known, median, ratio


def index(bench: Bench) -> Iterator[Measured]:
    """Every dialect against a loop that only parses; then again with nothing to do."""
    for dialect in WRITERS:
        yield from _first(bench, bench.many(dialect), f"index {dialect}")
    yield from again(bench, bench.many("product"), "index product")


def _first(bench: Bench, made: Store, what: str) -> Iterator[Measured]:
    bench.work("parse", made.home)  # so that both find the files in memory
    parsed, read = [], []
    for _ in range(bench.few):  # in turns, so that a busy moment meets both
        parsed.append(bench.work("parse", made.home))
        read.append(bench.work("index", made.home, bench.fresh()))
    what = f"{what}, {made.plan.about}"
    took, loop = _all(read, "seconds"), _all(parsed, "seconds")
    processor = median(_all(read, "processor")) / median(_all(parsed, "processor"))
    note = f"{made.size / 1e6 / median(took):.0f} MB/s; processor {processor:.2f} ×"
    yield ratio(what, took, loop, 4, note)
    own, helper = _all(read, "peak"), _all(read, "helper_peak")
    larger = [max(pair) for pair in zip(own, helper, strict=True)]
    note = f"helper process {median(helper):.0f} MB, both {median(own) + median(helper):.0f} MB"
    yield at_most(f"{what}, peak memory", larger, 120, "MB", _all(parsed, "peak"), note)


def again(bench: Bench, made: Store, what: str, promised: bool = True) -> Iterator[Measured]:
    """Once more with nothing new: by the library, and by the command with all its start."""
    cache = bench.fresh()
    bench.work("index", made.home, cache)
    what = f"{what}, {made.plan.about}, nothing new"
    version, library, command = [], [], []
    for _ in range(bench.runs if promised else bench.few):
        version.append(bench.command("--version")[0])
        library.append(bench.work("index", made.home, cache))
        command.append(bench.index_command(made.home, cache))
    parsed = max(_all(library, "parsed") + _all(command, "parsed"))
    yield at_most(f"{what}: files parsed", parsed, 0, "files")
    note = f"of it in the library {median(_all(library, 'seconds')):.3f} s"
    took = _all(command, "seconds")
    if promised:
        yield difference(f"{what}: sessions index", took, version, 0.15, "s", note)
    else:
        yield known(f"{what}: sessions index", took, "s", version, note)


def _all(told: list[dict[str, float]], name: str) -> list[float]:
    return [one[name] for one in told]
