"""How soon the first list is on screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from .bench import WIDE, Bench
from .corpus import Store
from .empty import WORD
from .indexing import again
from .measured import Measured, known, ratio
from .terminal import Terminal


def first_list(bench: Bench) -> Iterator[Measured]:
    """500 sessions, without an index and with one."""
    made = bench.many("product")
    ready = bench.fresh()
    bench.work("index", made.home, ready)
    empty, bare, indexed = _lists(bench, made, ready, bench.runs)
    what = f"first list on screen, {made.plan.about}"
    yield ratio(f"{what}, no index", bare, empty, 3)
    yield ratio(f"{what}, indexed", indexed, empty, 2)


def many_files(bench: Bench) -> Iterator[Measured]:
    """Very many short sessions: of these nothing is promised but that none is read twice."""
    made, ready = bench.most_files(), bench.fresh()
    parsed = bench.work("parse", made.home)
    read = bench.work("index", made.home, ready)
    note = f"{made.plan.sessions / read['seconds']:,.0f} files/s"
    yield known(f"index {made.plan.about}", read["seconds"], "s", parsed["seconds"], note)
    yield from again(bench, made, "index", promised=False)
    empty, bare, indexed = _lists(bench, made, ready, bench.few)
    what = f"first list on screen, {made.plan.about}"
    yield known(f"{what}, no index", bare, "s", empty)
    yield known(f"{what}, indexed", indexed, "s", empty)


def _lists(bench: Bench, made: Store, ready: Path, runs: int) -> tuple[list[float], ...]:
    """Seconds of an empty application, the list without an index, and with one that is ready."""
    empty, bare, indexed = [], [], []
    for _ in range(runs):  # in turns, so that a busy moment meets all alike
        empty.append(_until(lambda: bench.empty(WIDE), WORD))
        bare.append(_list(bench, made, bench.fresh()))
        indexed.append(_list(bench, made, ready))
    return empty, bare, indexed


def _list(bench: Bench, made: Store, cache: Path) -> float:
    return _until(lambda: bench.screen(made.home, cache, WIDE), made.sessions[-1].title)


def _until(start: Callable[[], AbstractContextManager[Terminal]], text: str) -> float:
    with start() as terminal:
        return terminal.wait_for(text) - terminal.started
